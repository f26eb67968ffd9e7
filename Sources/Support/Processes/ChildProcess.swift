// Programs that this one starts: workers, commands of the user, git, the compiler. Started by posix_spawn and waited for by
// poll on the thread that wants them, so that no thread and no queue has to be had, and whatever the system refuses is an
// error.
internal import Foundation
internal import Synchronization

/// What to start, and what to do with its streams.
package struct ChildProcess: Sendable {
  /// The destination of one of the process's streams.
  package enum Stream: Sendable {
    /// Its last bytes are kept.
    case kept(limit: Int)
    /// Its bytes are passed on as they arrive.
    case relayed(@Sendable (UnsafeRawBufferPointer) -> Void)
    /// The destination of the stream before it: standard error joins standard output.
    case joined
    /// Nowhere.
    case dropped
  }

  /// A path with a slash in it.
  package var path: String
  package var arguments: [String]
  /// `NAME=value` lines.
  package var environment: [String]
  /// What it gets on standard input; nil for an input that is empty.
  ///
  /// The input stays open until the process has ended. A worker whose input closes knows that the harness has ended.
  package var input: [UInt8]?
  package var output: Stream
  package var errors: Stream
  /// Whether the kernel should end this process first if memory runs short.
  package var isExpendable = false
  /// Whether its remaining children are killed when it ends.
  package var takesGroupAlong = false

  /// Bytes of the outputs that are kept; a process that writes more is stopped.
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

  /// This process' environment with other values for some of its variables.
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

  /// Waits where this process ends.
  ///
  /// Its children were killed for that, and the code that ends it does the rest. That a child failed then is not a failure to
  /// report or to act on.
  private static func stayWhileEnding() {
    while starting.withLock({ $0 }) { sleep(1) }
  }

  /// How a process ended.
  package struct End: Sendable {
    package var status: ExitStatus
    /// Whether it was stopped because its time was over.
    package var isOverLimit = false
    /// Whether it was stopped because it wrote more than ``ChildProcess/mostOutput``.
    package var isFlooding = false
    /// What was kept of its streams.
    package var output: [UInt8]
    package var errors: [UInt8]
  }

  package enum ExitStatus: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Runs to the end, at most `limit` seconds or until it is cancelled; then its whole group is killed.
  ///
  /// It waits for the process itself: what that one started may keep the outputs open for longer.
  ///
  /// - Throws: ``SystemError`` when it could not be started.
  package func run(limit: Double = .infinity, cancellation: Cancellation = Cancellation()) throws(SystemError) -> End {
    let input = try Channel.toChild(input)
    let output = try Channel.fromChild(output)
    let errors = try Channel.fromChild(errors)
    let joined = errors.isJoined ? output.childEnd : errors.childEnd
    // Known as soon as it runs, so that none is forgotten by a process that ends.
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
