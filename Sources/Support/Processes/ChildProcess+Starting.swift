// Starts a child by posix_spawn: in its own process group, with default signals, the three standard streams and no
// other open descriptor.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

#if os(Linux)
  private typealias FileActions = posix_spawn_file_actions_t
  private typealias Attributes = posix_spawnattr_t
#else
  private typealias FileActions = posix_spawn_file_actions_t?
  private typealias Attributes = posix_spawnattr_t?
#endif

extension ChildProcess {
  /// Held while a child is started, and while a descriptor is opened that no child may inherit.
  ///
  /// The value is whether this process is ending and starts no more children.
  static let starting = Mutex(false)

  /// Starts the child with these descriptors as its standard streams, and `others` from descriptor 3 on.
  ///
  /// - Parameters:
  ///   - standardInput: Becomes descriptor 0.
  ///   - standardOutput: Becomes descriptor 1.
  ///   - standardError: Becomes descriptor 2.
  ///   - others: Become descriptors 3, 4 and so on; each must be above the last of those numbers.
  /// - Returns: The process ID, which is also its group's.
  /// - Throws: The system's reason, including a failure of exec, for which posix_spawn waits.
  func start(
    standardInput: Int32, standardOutput: Int32, standardError: Int32, others: [Int32] = []
  ) throws(SystemError) -> pid_t {
    #if os(Linux)
      var actions = FileActions()
      var attributes = Attributes()
    #else
      var actions: FileActions = nil
      var attributes: Attributes = nil
    #endif
    try ChildProcess.check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    let descriptors = [standardInput, standardOutput, standardError] + others
    for (target, descriptor) in descriptors.enumerated() {
      try ChildProcess.check(posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target)))
    }
    if !others.isEmpty {
      // Close inherited descriptors; those that this process opened close on exec.
      for descriptor in ChildProcess.inheritable(from: Int32(descriptors.count)) {
        try ChildProcess.check(posix_spawn_file_actions_addclose(&actions, descriptor))
      }
    }
    try ChildProcess.check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    try ChildProcess.check(posix_spawnattr_setsigmask(&attributes, &none))
    try ChildProcess.check(posix_spawnattr_setsigdefault(&attributes, &all))
    try ChildProcess.check(posix_spawnattr_setpgroup(&attributes, 0))
    var flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    #if !os(Linux)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    try ChildProcess.check(posix_spawnattr_setflags(&attributes, Int16(flags)))
    var number = pid_t()
    let error = withCStrings([path] + arguments) { words in
      withCStrings(environment) { variables in
        posix_spawn(&number, path, &actions, &attributes, words, variables)
      }
    }
    try ChildProcess.check(error)
    return number
  }

  /// The open descriptors from `first` on that a child would inherit.
  private static func inheritable(from first: Int32) -> [Int32] {
    let most = min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 65_536)
    return (first..<max(first, most)).filter { descriptor in
      let flags = fcntl(descriptor, F_GETFD)
      return flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }

  private static func check(_ error: Int32) throws(SystemError) {
    if error != 0 { throw SystemError(error) }
  }
}

/// Passes the texts as a C array that ends with a null pointer.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = texts.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeBufferPointer { buffer in
    // The array is never empty, so there is always an address.
    withUnsafePointer(to: nil as UnsafeMutablePointer<CChar>?) { body(buffer.baseAddress ?? $0) }
  }
}
