// One thing that measuring depends on, and how it is here.
internal import Reports

/// What the doctor found about one thing.
struct DoctorCheck: Codable {
  enum Verdict: String, Codable, CaseIterable {
    case ok, warn, fail
  }

  var verdict: Verdict
  var name: String
  var finding: String
  /// What to do; nil when all is well.
  var advice: String?

  static func ok(_ name: String, _ finding: String) -> DoctorCheck {
    DoctorCheck(verdict: .ok, name: name, finding: finding)
  }

  /// Measuring works, but figures suffer.
  static func warn(_ name: String, _ finding: String, _ advice: String) -> DoctorCheck {
    DoctorCheck(verdict: .warn, name: name, finding: finding, advice: advice)
  }

  /// A run would not start, or all its samples would fail.
  static func fail(_ name: String, _ finding: String, _ advice: String) -> DoctorCheck {
    DoctorCheck(verdict: .fail, name: name, finding: finding, advice: advice)
  }

  /// `ok    build: release`, and the advice below it.
  var text: String {
    let head = verdict.rawValue + String(repeating: " ", count: 6 - verdict.rawValue.count)
    return "\(head)\(name): \(finding.onOneLine)\n" + (advice.map { "      \($0.onOneLine)\n" } ?? "")
  }
}
