// The processors that a thread may run on, and the current one: they decide whether a second thread helps.
#if os(Linux)
  package import Glibc
#else
  package import Darwin
#endif

/// The processors of the calling thread, if the system reports them.
package enum ThreadProcessors {
  #if os(Linux)
    /// glibc declares these only with GNU extensions, which Swift's import does not enable.
    private typealias GetAffinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
    private typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> Int32
    private typealias GetProcessor = @convention(c) () -> Int32

    /// The size of glibc's processor set: 1,024 bits.
    private static let setBytes = 128

    /// The numbers of the processors that the calling thread may run on; empty if the system does not report them.
    package static func allowed() -> [Int] {
      guard let address = dlsym(nil, "sched_getaffinity") else { return [] }
      let get = unsafeBitCast(address, to: GetAffinity.self)
      var set = [UInt8](repeating: 0, count: setBytes)
      guard get(0, setBytes, &set) == 0 else { return [] }
      return (0..<setBytes * 8).filter { set[$0 / 8] & (1 << UInt8($0 % 8)) != 0 }
    }

    /// The processor that the calling thread runs on now; `nil` if the system does not report it.
    package static func current() -> Int? {
      guard let address = dlsym(nil, "sched_getcpu") else { return nil }
      let number = unsafeBitCast(address, to: GetProcessor.self)()
      return number < 0 ? nil : Int(number)
    }

    /// Restricts a thread to the processors.
    ///
    /// - Parameters:
    ///   - processors: Their numbers.
    ///   - thread: The kernel's ID of the thread; 0 for the calling one.
    /// - Returns: Whether the system accepted them.
    @discardableResult
    package static func stay(on processors: [Int], thread: pid_t = 0) -> Bool {
      guard let address = dlsym(nil, "sched_setaffinity") else { return false }
      let put = unsafeBitCast(address, to: SetAffinity.self)
      var set = [UInt8](repeating: 0, count: setBytes)
      for processor in processors where set.indices.contains(processor / 8) {
        set[processor / 8] |= 1 << UInt8(processor % 8)
      }
      return put(thread, setBytes, &set) == 0
    }
  #else
    // Untested. No processors are reported, so no second thread is started.
    package static func allowed() -> [Int] { [] }
    package static func current() -> Int? { nil }
    @discardableResult
    package static func stay(on processors: [Int], thread: pid_t = 0) -> Bool { false }
  #endif
}
