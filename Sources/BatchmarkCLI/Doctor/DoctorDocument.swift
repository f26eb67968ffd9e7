// What the doctor and the self-test print for programs.
internal import Reports

/// Checks, each with its verdict.
struct DoctorDocument: CommandDocument {
  static let title = "What a machine and a build can measure"

  var checks: [DoctorCheck]
}
