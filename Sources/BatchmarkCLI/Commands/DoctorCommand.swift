// `doctor`: checks whether this machine and this build can measure, and says what to do about problems.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check whether this machine and this build can measure.",
    discussion: """
      The command takes a tiny sample in each pass and checks everything that figures depend on. A line begins with \
      ok, with warn if figures suffer, or with fail if a run would not work. With a fail, the exit status is 70.
      """,
    examples: [
      CommandExample("doctor", "Can this machine measure?"),
      CommandExample("doctor --format json", "The same for a program."),
    ])

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let checks = Doctor.environmentChecks() + Doctor.workerChecks() + Doctor.placeChecks()
    for check in checks { try format.output(check.text) }
    let failed = checks.contains { $0.verdict == .fail }
    throw CommandEnd(try format.document(DoctorDocument(checks: checks), failed ? .internalError : .success))
  }
}

/// Checks, each with its verdict.
struct DoctorDocument: CommandDocument {
  static let title = "What a machine and a build can measure"

  var checks: [DoctorCheck]
}
