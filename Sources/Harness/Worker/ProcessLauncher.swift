// Takes a sample by starting the same executable again in its own process group, which can be killed as a whole. Tests
// of the plan, the order, failures and resuming use a launcher that starts no process.
internal import Foundation
package import BatchmarkEngine
internal import Instruments
package import Programs
package import Support

/// Takes samples, each in its own process.
package protocol WorkerLauncher: Sendable {
  /// Takes one sample in at most `limit` seconds.
  ///
  /// - Throws: `CancellationError` if it was cancelled; the worker has been stopped.
  func take(
    _ job: SampleJob, limit: Double, cancellation: Cancellation
  ) throws(CancellationError) -> SampleOutcome
}

/// Starts an executable with its hidden worker command for every sample.
package struct ProcessLauncher: WorkerLauncher {
  /// How many of the last bytes of standard error are kept.
  package static let standardErrorLimit = 64 * 1024
  /// The maximum size of an answer; a normal one has a few kilobytes.
  private static let answerLimit = 16 * 1024 * 1024

  private let executable: String
  private let arguments: @Sendable (Pass) -> [String]
  private let environment: WorkerEnvironment
  private let programs: [ProgramDefinition]?

  /// Makes a launcher.
  ///
  /// From then on this process ignores SIGPIPE.
  ///
  /// - Parameters:
  ///   - executable: The absolute path of the executable.
  ///   - arguments: The arguments that select its worker command. The job follows on standard input, as one line.
  ///   - environment: The environment of the workers.
  ///   - programs: The engines that are programs.
  package init(
    executable: String, arguments: @escaping @Sendable (Pass) -> [String], environment: WorkerEnvironment,
    programs: [ProgramDefinition] = []
  ) {
    self.programs = programs.isEmpty ? nil : programs
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    // If a worker dies before it has read its job, the harness must not die too. Workers start with the default action.
    signal(SIGPIPE, SIG_IGN)
  }

  package func take(
    _ job: SampleJob, limit: Double, cancellation: Cancellation
  ) throws(CancellationError) -> SampleOutcome {
    try cancellation.check()
    let end: ChildProcess.End
    do {
      end = try worker(for: job).run(limit: limit, cancellation: cancellation)
    } catch {
      return .failure(FailedSample(job, reason: "the worker could not be started: \(error)"))
    }
    // After an interrupt, ignore the output of the killed worker.
    try cancellation.check()
    var report = WorkerReport(end)
    if end.isOverLimit { report.end = .timedOut(limit) }
    if end.isFlooding { report.end = .flooding }
    return report.outcome(of: job)
  }

  /// How long a worker may take to refuse a job, even on a slow machine.
  package static let firstAnswerLimit = 30.0

  /// Why the executable is not a worker of any build, as the end of a sentence; `nil` if it may be one.
  ///
  /// Every build immediately refuses a job without a format. An executable that keeps running would reach the time
  /// limit of several minutes in every sample.
  package func firstProblem(
    limit: Double = firstAnswerLimit, cancellation: Cancellation
  ) throws(CancellationError) -> String? {
    let request = Array("{}\n".utf8)
    let end = try? worker(
      .timing, request, environment.variables(preloadsMeter: false, profilesHeap: false, padding: 0)
    ).run(limit: limit, cancellation: cancellation)
    try cancellation.check()
    // If it could not start for lack of memory, it may start later.
    guard let end else { return nil }
    if end.isOverLimit { return "has not answered within \(WorkerReport.seconds(limit))" }
    if end.isFlooding { return "has \(WorkerReport.flood)" }
    let report = WorkerReport(end)
    return report.isAnswer ? nil : "is no worker: it \(report.endingWithoutAnswer)"
  }

  private func worker(for job: SampleJob) throws -> ChildProcess {
    var job = job
    job.programs = programs
    return worker(
      job.pass, Array(try JSONEncoder().encode(job)) + [UInt8(ascii: "\n")],
      // Use a fixed order: the order of a dictionary differs from process to process.
      environment.variables(
        preloadsMeter: job.isMetered, profilesHeap: job.profile?.profilesHeap ?? false, padding: job.padding ?? 0))
  }

  private func worker(_ pass: Pass, _ request: [UInt8], _ variables: [String]) -> ChildProcess {
    var worker = ChildProcess(
      executable, arguments(pass), environment: variables, input: request,
      output: .kept(limit: ProcessLauncher.answerLimit), errors: .kept(limit: ProcessLauncher.standardErrorLimit))
    worker.isExpendable = true
    worker.takesGroupAlong = true
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
