// A stream between this process and a child: a pipe, or its replacement.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One stream of a child, used by the one thread that runs the child.
///
/// Methods close its descriptors, and deallocation closes the remaining ones.
final class Channel {
  /// The child's end; -1 if it is closed or does not exist.
  private(set) var childEnd: Int32
  /// This process's end, set to nonblocking; -1 if it is closed or does not exist.
  private(set) var ownEnd: Int32
  let isJoined: Bool
  /// How many of the bytes read to keep.
  let limit: Int
  /// Receives the bytes read; `nil` to keep them.
  let relay: (@Sendable (UnsafeRawBufferPointer) -> Void)?

  private init(
    childEnd: Int32, ownEnd: Int32 = -1, isJoined: Bool = false, limit: Int = 0,
    relay: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
  ) {
    (self.childEnd, self.ownEnd) = (childEnd, ownEnd)
    (self.isJoined, self.limit, self.relay) = (isJoined, limit, relay)
  }

  deinit {
    closeChildEnd()
    close()
  }

  /// The child's standard input: a pipe if there are bytes to write, else an empty file.
  static func toChild(_ bytes: [UInt8]?) throws(SystemError) -> Channel {
    guard bytes != nil else { return try nowhere(O_RDONLY) }
    let ends = try pipe()
    return try Channel(childEnd: ends.read, ownEnd: ends.write).withoutWaiting()
  }

  /// One of the child's outputs.
  static func fromChild(_ stream: ChildProcess.Stream) throws(SystemError) -> Channel {
    switch stream {
    case .kept(let limit):
      let ends = try pipe()
      return try Channel(childEnd: ends.write, ownEnd: ends.read, limit: limit).withoutWaiting()
    case .relayed(let relay):
      let ends = try pipe()
      return try Channel(childEnd: ends.write, ownEnd: ends.read, relay: relay).withoutWaiting()
    case .joined: return Channel(childEnd: -1, isJoined: true)
    case .dropped: return try nowhere(O_WRONLY)
    }
  }

  /// Call this once the child has its own copy.
  func closeChildEnd() {
    if childEnd >= 0 { Channel.close(childEnd) }
    childEnd = -1
  }

  /// Closes this side's end.
  func close() {
    if ownEnd >= 0 { Channel.close(ownEnd) }
    ownEnd = -1
  }

  private static func nowhere(_ mode: Int32) throws(SystemError) -> Channel {
    let descriptor = open("/dev/null", mode | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    return Channel(childEnd: descriptor)
  }

  private func withoutWaiting() throws(SystemError) -> Channel {
    guard fcntl(ownEnd, F_SETFL, fcntl(ownEnd, F_GETFL) | O_NONBLOCK) == 0 else { throw SystemError.last }
    return self
  }

  /// A pipe that other children do not inherit.
  static func pipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // Hold the lock: not every system can create a close-on-exec pipe in one call, and no child may start in between.
    try ChildProcess.starting.withLock { _ throws(SystemError) in
      #if canImport(Glibc)
        let result = Glibc.pipe(&ends)
      #elseif canImport(Musl)
        let result = Musl.pipe(&ends)
      #else
        let result = Darwin.pipe(&ends)
      #endif
      guard result == 0 else { throw SystemError.last }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    return (ends[0], ends[1])
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
