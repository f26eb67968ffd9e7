// The output of the self-test for programs.
internal import Analysis
internal import Reports

/// The checks of this build, and the results of live comparisons.
struct SelfTestDocument: CommandDocument {
  static let title = "How often comparisons are right"

  /// All live comparisons of one kind.
  struct Kind: Codable {
    enum Judgement: String, Codable, CaseIterable { case kept, tooFew, broken }

    var kind: LiveKind
    var comparisons: Int
    /// Comparisons with the verdict REGRESSION.
    var alarms: Int
    /// The upper bound of the rate of false alarms, or the lower bound of the rate of detections.
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
  /// Absent without `--live`.
  var live: [Kind]?
  /// The page about live comparisons.
  var page: String?
}
