// User commands around each sample: one to prepare it, one to clean up after it. Both run outside of every worker, so
// they are part of no measured time.
internal import BatchmarkEngine
internal import Instruments
package import Support

/// The shell commands to run before and after each sample.
package struct SampleHooks: Sendable, Hashable {
  package var prepare: String?
  /// Runs after the sample in any case, even if the prepare command failed.
  package var cleanup: String?

  package init(prepare: String? = nil, cleanup: String? = nil) {
    self.prepare = prepare
    self.cleanup = cleanup
  }

  package var isEmpty: Bool { prepare == nil && cleanup == nil }
}

/// Runs the user's commands around a launcher's samples.
///
/// Environment variables describe the sample to a command: `BATCHMARK_CELL`, `BATCHMARK_PASS`, `BATCHMARK_ROUND`,
/// `BATCHMARK_DIRECTORY` (the folder of its store) and `BATCHMARK_SIDE` (the side of a pair). If a command fails, so
/// does the sample.
package struct HookedLauncher: WorkerLauncher {
  private let launcher: any WorkerLauncher
  private let hooks: SampleHooks
  private let side: String?

  /// - Parameters:
  ///   - launcher: Takes the samples.
  ///   - hooks: The commands to run.
  ///   - side: The samples' side of a pair; `nil` if there are no pairs.
  package init(_ launcher: any WorkerLauncher, hooks: SampleHooks, side: String? = nil) {
    self.launcher = launcher
    self.hooks = hooks
    self.side = side
  }

  package func take(
    _ job: SampleJob, limit: Double, cancellation: Cancellation
  ) throws(CancellationError) -> SampleOutcome {
    if hooks.isEmpty { return try launcher.take(job, limit: limit, cancellation: cancellation) }
    try cancellation.check()
    let prepared = run(hooks.prepare, "prepare", when: "before", job, limit: limit, cancellation)
    var outcome: SampleOutcome
    var interruption: CancellationError?
    do throws(CancellationError) {
      if let prepared {
        // If an interrupt stopped the command, the sample has not failed.
        try cancellation.check()
        outcome = .failure(prepared)
      } else {
        outcome = try launcher.take(job, limit: limit, cancellation: cancellation)
      }
    } catch {
      (outcome, interruption) = (.failure(FailedSample(job, reason: "interrupted")), error)
    }
    // The command also runs after an interrupt, so it is not part of the cancelled work.
    let cleaned = run(hooks.cleanup, "clean up", when: "after", job, limit: limit, Cancellation())
    if let interruption { throw interruption }
    if case .success = outcome.result, let cleaned { return .failure(cleaned) }
    return outcome
  }

  /// Runs a command; returns why it failed, or `nil`.
  private func run(
    _ command: String?, _ purpose: String, when place: String, _ job: SampleJob, limit: Double,
    _ cancellation: Cancellation
  ) -> FailedSample? {
    guard let command else { return nil }
    var variables = [
      "BATCHMARK_CELL": job.cell.id, "BATCHMARK_PASS": job.pass.rawValue, "BATCHMARK_ROUND": "\(job.round)",
      "BATCHMARK_DIRECTORY": job.directory,
    ]
    variables["BATCHMARK_SIDE"] = side
    let end = ShellCommand(text: command, variables: variables).run(limit: limit, cancellation: cancellation)
    guard let problem = end.problem else { return nil }
    return FailedSample(
      job, reason: "the command to \(purpose), run \(place) the sample, \(problem): \(command)",
      standardError: end.output)
  }
}

/// A line for `/bin/sh -c`.
struct ShellCommand: Sendable {
  let text: String
  /// Variables added to this process's environment.
  let variables: [String: String]

  /// Runs the command for at most `limit` seconds, or until it is cancelled.
  ///
  /// In either case its whole process group is killed.
  ///
  /// - Returns: What went wrong, as the end of a sentence, or `nil` if it succeeded; and the last part of its output.
  func run(limit: Double, cancellation: Cancellation) -> (problem: String?, output: String) {
    let command = ChildProcess(
      "/bin/sh", ["-c", text], environment: ChildProcess.ownEnvironment(with: variables),
      output: .kept(limit: ProcessLauncher.standardErrorLimit), errors: .joined)
    do {
      let end = try command.run(limit: limit, cancellation: cancellation)
      let problem =
        end.isOverLimit
        ? "had not ended after \(WorkerReport.seconds(limit)) and was stopped"
        : end.isFlooding ? "had \(WorkerReport.flood) and was stopped" : ShellCommand.problem(end.status)
      return (problem, String(decoding: end.output, as: UTF8.self))
    } catch {
      return ("could not be started (\(error))", "")
    }
  }

  private static func problem(_ status: ChildProcess.ExitStatus) -> String? {
    switch status {
    case .exited(0): nil
    case .exited(let status): "ended with status \(status)"
    case .signalled(let signal): "was killed by \(WorkerReport.name(ofSignal: signal))"
    }
  }
}
