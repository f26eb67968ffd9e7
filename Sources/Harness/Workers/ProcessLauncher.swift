// The real launcher: the same executable started afresh, in a process group of its own that is killed as a whole.
internal import Foundation
package import Instruments
package import Workloads

/// Starts an executable with its hidden worker command for every sample.
package struct ProcessLauncher: WorkerLauncher {
  /// The last bytes of standard error that are kept.
  package static let standardErrorLimit = 64 * 1024
  /// An answer is a few kilobytes; more than this is no answer.
  private static let answerLimit = 16 * 1024 * 1024

  private let executable: String
  private let arguments: @Sendable (Pass) -> [String]
  private let environment: WorkerEnvironment

  /// Makes a launcher; from now on the process ignores SIGPIPE.
  ///
  /// - Parameters:
  ///   - executable: The absolute path of the executable.
  ///   - arguments: What selects its worker command; the job follows on standard input, as one line.
  ///   - environment: What workers are started with.
  package init(
    executable: String, arguments: @escaping @Sendable (Pass) -> [String], environment: WorkerEnvironment
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    // A worker that dies before it has read its job must not take the harness with it. Workers themselves start with
    // the default action again.
    signal(SIGPIPE, SIG_IGN)
  }

  package func take(
    _ job: SampleJob, limit: Double, cancellation: Cancellation
  ) throws(CancellationError) -> WorkerOutcome {
    try cancellation.check()
    let end: ChildProcess.End
    do {
      end = try worker(for: job).run(limit: limit, cancellation: cancellation)
    } catch {
      return .failure(WorkerFailure(reason: "the worker could not be started: \(error)"))
    }
    // After an interrupt, whatever the killed worker left says nothing.
    try cancellation.check()
    var report = WorkerReport(end)
    if end.isOverLimit { report.end = .timedOut(limit) }
    return report.outcome(of: job)
  }

  private func worker(for job: SampleJob) throws -> ChildProcess {
    let request = Array(try JSONEncoder().encode(job)) + [UInt8(ascii: "\n")]
    var worker = ChildProcess(
      executable, arguments(job.pass),
      // In one order, because a dictionary would give them another in every process.
      environment: environment.variables(
        preloadsMeter: job.isMetered, profilesHeap: job.profile == .heap, padding: job.padding ?? 0),
      input: request, output: .kept(limit: ProcessLauncher.answerLimit),
      errors: .kept(limit: ProcessLauncher.standardErrorLimit))
    worker.isExpendable = true
    return worker
  }
}

extension WorkerReport {
  fileprivate init(_ end: ChildProcess.End) {
    let status: WorkerReport.End =
      switch end.status {
      case .exited(let status): .exited(status)
      case .signalled(let signal): .signalled(signal)
      }
    self.init(end: status, output: end.output, standardError: String(decoding: end.errors, as: UTF8.self))
  }
}
