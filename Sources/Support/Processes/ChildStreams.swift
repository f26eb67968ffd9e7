// Writes to a child and reads from it at the same time, on one thread: waiting for only one stream could block forever.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The streams of a child while it runs.
struct ChildStreams {
  private let input: Channel
  private let output: Channel
  private let errors: Channel
  private let bytes: [UInt8]
  private var written = 0
  /// Whether the child's input is still open.
  private var takesInput: Bool
  private(set) var outputTail: OutputTail
  private(set) var errorTail: OutputTail
  /// How much was read from the outputs that are kept.
  private var keptBytes = 0
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  init(input: Channel, bytes: [UInt8], output: Channel, errors: Channel) {
    (self.input, self.bytes, self.output, self.errors) = (input, bytes, output, errors)
    takesInput = !bytes.isEmpty
    outputTail = OutputTail(limit: output.limit)
    errorTail = OutputTail(limit: errors.limit)
  }

  /// Why reading ended before the outputs did.
  enum Stop {
    /// The time ran out.
    case late
    /// The child wrote more than the limit.
    case flooding
  }

  /// How often to check whether the process has ended while its outputs stay open.
  private static let secondsBetweenLooks = 0.25

  /// Reads until the outputs end, or until the process has ended and all of its output is read.
  ///
  /// - Returns: Why it stopped earlier, if it did. In that case the group is killed and its remaining output is read.
  mutating func read(from process: RunningProcess, until deadline: Deadline) -> Stop? {
    var stop: Stop?
    var deadline = deadline
    var nextLook = Deadline(seconds: ChildStreams.secondsBetweenLooks)
    var hasEnded = false
    while output.ownEnd >= 0 || errors.ownEnd >= 0 {
      // Poll ignores negative descriptors.
      var polled = [
        pollfd(fd: output.ownEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.ownEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: takesInput ? input.ownEnd : -1, events: Int16(POLLOUT), revents: 0),
      ]
      let patience = hasEnded ? 0 : min(deadline.millisecondsLeft, nextLook.millisecondsLeft)
      let ready = poll(&polled, nfds_t(polled.count), patience)
      // Do not wait for streams that other processes hold open after this one has ended.
      if hasEnded && ready == 0 { break }
      if polled[2].revents != 0 { write() }
      if polled[0].revents != 0 { read(output, into: \.outputTail) }
      if polled[1].revents != 0 { read(errors, into: \.errorTail) }
      if nextLook.isOver && !hasEnded {
        hasEnded = process.hasEnded
        nextLook = Deadline(seconds: ChildStreams.secondsBetweenLooks)
        // Limit the time: other processes may keep writing to the streams.
        if hasEnded { deadline = Deadline(seconds: min(deadline.secondsLeft, 1)) }
      }
      let isFlooding = keptBytes > ChildProcess.mostOutput
      if hasEnded && deadline.isOver { break }
      guard deadline.isOver || isFlooding && stop == nil else { continue }
      // Do not wait for a process that left the group and holds a stream open.
      if stop != nil { break }
      stop = isFlooding ? .flooding : .late
      process.kill()
      deadline = Deadline(seconds: 1)
    }
    return stop
  }

  private mutating func write() {
    while written < bytes.count {
      let count = writeDescriptor(input.ownEnd, bytes, after: written)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      // A worker that dies before it has read its job breaks the pipe; the caller judges how it ended.
      if count <= 0 { break }
      written += count
    }
    takesInput = false
  }

  /// Reads once, so that a flood does not keep the other streams waiting.
  private mutating func read(_ channel: Channel, into tail: WritableKeyPath<ChildStreams, OutputTail>) {
    let count = readDescriptor(channel.ownEnd, into: &block)
    if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
    guard count > 0 else { return channel.close() }
    block[..<count].withUnsafeBytes { bytes in
      if let relay = channel.relay { return relay(bytes) }
      keptBytes += count
      self[keyPath: tail].append(bytes)
    }
  }
}

/// Keeps the last bytes of a stream.
struct OutputTail: Sendable {
  let limit: Int
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Adds what arrived; amortized O(count).
  mutating func append(_ new: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: new)
    // Cut in large steps, so that each byte moves a constant number of times.
    if bytes.count > 2 * limit { cut() }
  }

  /// The last `limit` bytes as text; bytes that are not UTF-8 become replacement characters.
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }

  /// The last `limit` bytes.
  var data: ArraySlice<UInt8> { bytes.suffix(limit) }

  private mutating func cut() {
    bytes.removeFirst(bytes.count - limit)
  }
}

/// Reads once into the block; the result and `errno` are those of read(2).
func readDescriptor(_ descriptor: Int32, into block: inout [UInt8]) -> Int {
  block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}

/// Writes once, starting after the first `written` bytes; the result and `errno` are those of write(2).
func writeDescriptor(_ descriptor: Int32, _ bytes: [UInt8], after written: Int) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written) }
}
