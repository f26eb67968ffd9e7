// Runs child processes: workers, commands of the user, git, the compiler. It uses posix_spawn and polls on the calling
// thread, so it needs no thread or queue, and every refusal of the system is an error.
internal import Foundation
internal import Synchronization

/// What to start, and what to do with its streams.
package struct ChildProcess: Sendable {
  /// The destination of one of the process's streams.
  package enum Stream: Sendable {
    /// Keeps the last bytes.
    case kept(limit: Int)
    /// Passes the bytes on as they arrive.
    case relayed(@Sendable (UnsafeRawBufferPointer) -> Void)
    /// Writes to the same place as standard output; for standard error.
    case joined
    /// Discards everything.
    case dropped
  }

  /// A path that contains a slash.
  package var path: String
  package var arguments: [String]
  /// `NAME=value` lines.
  package var environment: [String]
  /// The bytes for standard input; `nil` for empty input.
  ///
  /// The input stays open until the process has ended. When its input closes, a worker knows that the harness has
  /// ended.
  package var input: [UInt8]?
  package var output: Stream
  package var errors: Stream
  /// Whether the kernel should end this process first when memory runs short.
  package var isExpendable = false
  /// Whether to kill its remaining children when it ends.
  package var takesGroupAlong = false

  /// The most bytes of output to keep; a process that writes more is stopped.
  package static let mostOutput = 256 << 20

  package init(
    _ path: String, _ arguments: [String], environment: [String] = ChildProcess.ownEnvironment(), input: [UInt8]? = nil,
    output: Stream,
    errors: Stream
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// The environment of this process, with some variables replaced.
  package static func ownEnvironment(with variables: [String: String] = [:]) -> [String] {
    ProcessInfo.processInfo.environment.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
  }

  /// Kills every process started here, with its group, and starts no more, because this process ends without waiting.
  package static func killAll() {
    starting.withLock { isEnding in
      isEnding = true
      RunningProcess.killAll()
    }
  }

  /// Waits for this process to end, if it is ending.
  ///
  /// Its children were killed on purpose, so their failures must not be reported or acted on.
  private static func stayWhileEnding() {
    while starting.withLock({ $0 }) { sleep(1) }
  }

  /// How a process ended.
  package struct End: Sendable {
    package var status: ExitStatus
    /// Whether it was stopped because its time ran out.
    package var isOverLimit = false
    /// Whether it was stopped because it wrote more than ``ChildProcess/mostOutput``.
    package var isFlooding = false
    /// The kept part of its output.
    package var output: [UInt8]
    package var errors: [UInt8]
  }

  package enum ExitStatus: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Runs the process for at most `limit` seconds or until it is canceled; then kills its whole group.
  ///
  /// It waits for the process itself: the process's children may keep its outputs open for longer.
  ///
  /// - Throws: ``SystemError`` when it could not be started.
  package func run(limit: Double = .infinity, cancellation: Cancellation = Cancellation()) throws(SystemError) -> End {
    let input = try Channel.toChild(input)
    let output = try Channel.fromChild(output)
    let errors = try Channel.fromChild(errors)
    let joined = errors.isJoined ? output.childEnd : errors.childEnd
    // Register it in the same step as starting it, so that `killAll()` misses no child.
    let process = try ChildProcess.starting.withLock { isEnding throws(SystemError) in
      if isEnding { throw SystemError(ECANCELED) }
      return RunningProcess(
        try start(standardInput: input.childEnd, standardOutput: output.childEnd, standardError: joined))
    }
    for channel in [input, output, errors] { channel.closeChildEnd() }
    if isExpendable { process.isEndedFirst() }
    var streams = ChildStreams(input: input, bytes: self.input ?? [], output: output, errors: errors)
    let deadline = Deadline(seconds: limit)
    return cancellation.watched(by: { process.kill() }) {
      let stop = streams.read(from: process, until: deadline)
      let (status, isLate) = process.wait(until: deadline, takesGroupAlong: takesGroupAlong)
      input.close()
      ChildProcess.stayWhileEnding()
      return End(
        status: status, isOverLimit: stop == .late || isLate, isFlooding: stop == .flooding,
        output: Array(streams.outputTail.data), errors: Array(streams.errorTail.data))
    }
  }
}
