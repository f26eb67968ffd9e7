// What the self-test prints for programs.
internal import Analysis
internal import Reports

/// The checks of this build, and what live comparisons found.
struct SelfTestDocument: CommandDocument {
  static let title = "How often comparisons are right"

  /// All live comparisons of a kind.
  struct Kind: Codable {
    enum Judgement: String, Codable, CaseIterable { case kept, tooFew, broken }

    var kind: LiveKind
    var comparisons: Int
    /// Comparisons with the verdict REGRESSION.
    var alarms: Int
    /// The most that the rate of false alarms can be, or the least that the rate of catches can be.
    var bound: Double?
    /// Whether the rate is as promised.
    var judgement: Judgement
    var medianChange: Double?
    var medianPairs: Double?
    var medianSeconds: Double?

    init(_ tally: LiveTally) {
      (kind, comparisons, alarms, bound) = (tally.kind, tally.trials, tally.alarms, tally.bound)
      judgement =
        switch tally.judgement {
        case .kept: .kept
        case .tooFew: .tooFew
        case .broken: .broken
        }
      (medianChange, medianPairs, medianSeconds) = (tally.medianEffect, tally.medianPairs, tally.medianSeconds)
    }
  }

  var checks: [DoctorCheck]
  /// Absent without --live.
  var live: [Kind]?
  /// The page of live comparisons.
  var page: String?
}
