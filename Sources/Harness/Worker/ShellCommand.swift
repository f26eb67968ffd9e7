// A command of the user, run by the shell in a process group of its own.
/// A line for `/bin/sh -c`.
internal import Support
struct ShellCommand: Sendable {
  let text: String
  /// What its environment has beside this process' own.
  let variables: [String: String]

  /// How it ended.
  struct End: Sendable {
    /// What went wrong, as the end of a sentence; nil when it ended well.
    let problem: String?
    /// The last of what it wrote to either stream.
    let output: String
  }

  /// Runs to its end, for `limit` seconds at most or until it is cancelled; then its whole group is killed.
  func run(limit: Double, cancellation: Cancellation) -> End {
    let command = ChildProcess(
      "/bin/sh", ["-c", text], environment: ChildProcess.ownEnvironment(with: variables),
      output: .kept(limit: ProcessLauncher.standardErrorLimit), errors: .joined)
    do {
      let end = try command.run(limit: limit, cancellation: cancellation)
      let problem =
        end.isOverLimit
        ? "had not ended after \(WorkerReport.seconds(limit)) and was stopped"
        : end.isFlooding ? "had \(WorkerReport.flood) and was stopped" : ShellCommand.problem(end.status)
      return End(problem: problem, output: String(decoding: end.output, as: UTF8.self))
    } catch {
      return End(problem: "could not be started (\(error))", output: "")
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
