// `doctor`: whether this machine and this build can measure, and what to do about what cannot be.
internal import Analysis
internal import ArgumentParser
internal import Harness

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check whether this machine and this build can measure.",
    discussion: """
      Takes a tiny sample in each pass and looks at everything figures depend on. A line begins with ok, with warn \
      where figures suffer, or with fail where a run would not work; then the status is 70.
      """,
    examples: [
      CommandExample("doctor", "Can this machine measure?")
    ])

  func run() throws {
    var failed = false
    for check in Doctor.environmentChecks() + Doctor.workerChecks() + Doctor.placeChecks() {
      failed = failed || check.verdict == .fail
      try Console.output(check.text)
    }
    throw CommandEnd(failed ? .internalError : .success)
  }
}
