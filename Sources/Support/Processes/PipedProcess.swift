// A program that exchanges lines with this process. It reads descriptor 3 and writes descriptor 4, so that it may print
// anything. It runs in its own process group, which ends with this process.
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A program that exchanges lines with one thread of this process.
///
/// While waiting for a line, it also reads what the program prints to standard output and standard error, and keeps the
/// last part.
package final class PipedProcess {
  /// Why no line could be read.
  package enum Failure: Error, Sendable, Hashable {
    /// It has ended.
    case ended(ChildProcess.ExitStatus)
    /// The time ran out.
    case late
    /// A line was longer than the limit.
    case tooLong
    /// It printed more than the limit.
    case flooding
    /// It closed descriptor 4 but still runs.
    case closed
  }

  /// How many bytes of its printed output to keep.
  private static let keptOutput = 4_096
  /// The most bytes it may print while one answer is awaited.
  private static let mostOutput = 64 << 20
  /// How often to check whether the process has ended.
  private static let secondsBetweenLooks = 0.25

  private let process: RunningProcess
  private let leash: ProcessLeash?
  /// Negative once closed.
  private var input: Int32
  private let output: Int32
  private let prints: Int32
  private var printed = OutputTail(limit: keptOutput)
  private var unread: [UInt8] = []
  private var status: ChildProcess.ExitStatus?
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  /// The process ID, which is also its group's.
  package var number: Int64 { Int64(process.number) }

  /// The last of what it printed.
  package var lastPrinted: String { printed.text }

  /// Starts a program; the streams that `child` names are ignored.
  ///
  /// From now on this process ignores SIGPIPE.
  ///
  /// - Throws: ``SystemError`` if the system refuses.
  package init(_ child: ChildProcess) throws(SystemError) {
    // Writing to an ended program must not end this process. Children start with the default action.
    signal(SIGPIPE, SIG_IGN)
    let ends = try PipedProcess.openEnds()
    let (read, written, shown, nowhere) = (ends[0], ends[3], ends[5], ends[6])
    defer { for descriptor in [read, written, shown, nowhere] { close(descriptor) } }
    (input, output, prints) = (ends[1], ends[2], ends[4])
    for descriptor in [input, output, prints] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    do throws(SystemError) {
      process = try ChildProcess.starting.withLock { isEnding throws(SystemError) in
        if isEnding { throw SystemError(ECANCELED) }
        return RunningProcess(
          try child.start(
            standardInput: nowhere, standardOutput: shown, standardError: shown, others: [read, written]))
      }
    } catch {
      for descriptor in [input, output, prints] { close(descriptor) }
      throw error
    }
    if child.isExpendable { process.isEndedFirst() }
    leash = ProcessLeash(group: process.number)
  }

  deinit {
    end()
    for descriptor in [input, output, prints] where descriptor >= 0 { close(descriptor) }
  }

  /// Closes its input, so that it reads the end of the file.
  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Writes the bytes within a time limit.
  package func write(_ bytes: [UInt8], limit: Double) throws(Failure) {
    let deadline = Deadline(seconds: limit)
    var written = 0
    while written < bytes.count {
      let count = writeDescriptor(input, bytes, after: written)
      if count > 0 {
        written += count
      } else if count < 0 && errno == EAGAIN {
        if deadline.isOver { throw .late }
        try look(for: POLLOUT, at: input, until: deadline)
      } else if !(count < 0 && errno == EINTR) {
        // The program stopped reading, usually because it has ended. Its exit status is available within a moment.
        throw ended(within: 1) ?? .closed
      }
    }
  }

  /// Reads the next line, without its terminator, within a time limit.
  ///
  /// - Parameters:
  ///   - longest: The most bytes of a line.
  ///   - limit: Seconds.
  /// - Returns: Its bytes.
  /// - Throws: ``Failure``; the program continues unless it has ended.
  package func readLine(longest: Int, limit: Double) throws(Failure) -> [UInt8] {
    let deadline = Deadline(seconds: limit)
    var searched = 0
    var printedBytes = 0
    while true {
      if let end = unread[searched...].firstIndex(of: UInt8(ascii: "\n")), end <= longest {
        defer { unread.removeSubrange(...end) }
        return Array(unread[..<end])
      }
      searched = unread.count
      if searched > longest { throw .tooLong }
      switch read(output) {
      case .bytes(let count): unread += block[..<count]
      case .nothing:
        if deadline.isOver { throw .late }
        printedBytes += try look(for: POLLIN, at: output, until: deadline)
        if printedBytes > PipedProcess.mostOutput { throw .flooding }
      case .end: throw ended(within: 1) ?? .closed
      }
    }
  }

  /// What it wrote to descriptor 4 that was not read yet: lines that answer no request, and an unfinished line.
  ///
  /// - Parameter limit: The approximate maximum number of bytes.
  /// - Returns: Its bytes.
  package func rest(limit: Int) -> [UInt8] {
    while unread.count < limit, case .bytes(let count) = read(output) { unread += block[..<count] }
    return unread
  }

  /// Gives it some time to end by itself, then kills it and the rest of its group.
  ///
  /// Returns how it ended.
  @discardableResult
  package func end(within limit: Double = 0) -> ChildProcess.ExitStatus {
    if let status { return status }
    let (status, _) = process.wait(until: Deadline(seconds: limit), takesGroupAlong: true)
    readPrinted()
    leash?.release()
    self.status = status
    return status
  }

  private enum Reading {
    case bytes(Int), nothing, end
  }

  private func read(_ descriptor: Int32) -> Reading {
    while true {
      let count = readDescriptor(descriptor, into: &block)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return .nothing }
      return count > 0 ? .bytes(count) : .end
    }
  }

  /// Waits until a descriptor is ready, and reads what was printed in the meantime.
  ///
  /// - Returns: How many bytes were printed.
  /// - Throws: ``Failure/ended(_:)``.
  @discardableResult
  private func look(for event: Int32, at descriptor: Int32, until deadline: Deadline) throws(Failure) -> Int {
    var polled = [
      pollfd(fd: descriptor, events: Int16(event), revents: 0), pollfd(fd: prints, events: Int16(POLLIN), revents: 0),
    ]
    let patience = min(deadline.secondsLeft, PipedProcess.secondsBetweenLooks)
    let ready = poll(&polled, hasPrintedAll ? 1 : 2, Int32(max(0, patience * 1_000).rounded(.up)))
    // Check for the end: its children may hold its descriptors open.
    if ready == 0, process.hasEnded, let end = ended(within: 0) { throw end }
    return polled[1].revents == 0 ? 0 : readPrinted()
  }

  private var hasPrintedAll = false

  @discardableResult
  private func readPrinted() -> Int {
    // Limit the number of reads, so that a flood does not delay answers.
    var total = 0
    for _ in 0..<16 where !hasPrintedAll {
      switch read(prints) {
      case .bytes(let count):
        total += count
        block[..<count].withUnsafeBytes { printed.append($0) }
      case .nothing: return total
      case .end: hasPrintedAll = true
      }
    }
    return total
  }

  private func ended(within limit: Double) -> Failure? {
    let deadline = Deadline(seconds: limit)
    while !process.hasEnded {
      if deadline.isOver { return nil }
      usleep(1_000)
    }
    return .ended(end())
  }

  /// Both ends of three pipes, and an empty file.
  ///
  /// If the system refuses one, all are closed.
  private static func openEnds() throws(SystemError) -> [Int32] {
    var ends: [Int32] = []
    do throws(SystemError) {
      for _ in 0..<3 { ends += try pipe() }
      let nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard nowhere >= 0 else { throw SystemError.last }
      return ends + [nowhere]
    } catch {
      for end in ends { close(end) }
      throw error
    }
  }

  /// Both ends of a pipe, above the descriptor numbers that children use, and closed on exec.
  private static func pipe() throws(SystemError) -> [Int32] {
    let ends = try Channel.pipe()
    defer { for end in [ends.read, ends.write] { close(end) } }
    let read = fcntl(ends.read, F_DUPFD_CLOEXEC, 16)
    guard read >= 0 else { throw .last }
    let write = fcntl(ends.write, F_DUPFD_CLOEXEC, 16)
    guard write >= 0 else {
      let error = SystemError.last
      close(read)
      throw error
    }
    return [read, write]
  }
}
