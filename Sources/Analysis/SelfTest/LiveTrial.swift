// One live comparison with a known truth: two equal sides, or one side with a fault of known size.
internal import BatchmarkEngine
package import Harness
internal import Instruments

/// What is compared in a live trial of the self-test.
package enum LiveKind: String, Codable, Sendable, CaseIterable {
  /// A side compared with itself, by times.
  case placebo
  /// A side compared with one that takes longer by the margin, by times.
  case slowdown
  /// A side compared with one that has an additional sync, by exact metrics.
  case extraSync = "extra-sync"
  /// A side compared with one that allocates 64 KiB for a millisecond, by exact metrics.
  case heldMemory = "held-memory"
  /// A side compared with one that runs an additional statement per row, by exact metrics.
  case extraStatement = "extra-statement"

  /// The margins for which there is a slowdown of the same size.
  package static let margins = InjectedFault.allCases.compactMap(\.timeShare)

  /// The fault of head's workers, if the trial must detect a slowdown by the margin.
  package func fault(margin: Double) -> InjectedFault? {
    switch self {
    case .placebo: nil
    case .slowdown: InjectedFault.allCases.first { $0.timeShare == margin }
    case .extraSync: .extraSync
    case .heldMemory: .heldMemory
    case .extraStatement: .extraStatement
    }
  }

  /// Whether it is judged by times; the others are judged only by exact metrics.
  package var isTimed: Bool { self == .placebo || self == .slowdown }
}

/// The outcome of a live trial.
package struct LiveTrial: Codable, Sendable {
  package var kind: LiveKind
  /// The fingerprint of the executable that made it.
  package var executable: String
  /// The verdict on the time, or the worst one on an exact metric.
  package var verdict: Verdict
  /// The number of timed pairs, including those taken to confirm a change.
  package var pairs: Int
  /// The time from the first sample to the verdict.
  package var seconds: Double
  /// Head's time over base's minus one; `nil` without a time.
  package var effect: Double?
  /// Columns of the exact metrics that changed.
  package var changedFigures: [String]
  /// Samples that failed.
  package var failures: Int

  package init(_ kind: LiveKind, _ comparison: PairComparison, _ rules: PairRules, seconds: Double, executable: String)
  {
    self.kind = kind
    self.executable = executable
    self.seconds = seconds
    pairs = comparison.pairs.count + comparison.confirmation.count
    failures = comparison.failures.count
    let figures = comparison.figures(rules)
    changedFigures = figures.filter { $0.verdict != .pass }.map(\.metric.rawValue)
    if kind.isTimed {
      let time = comparison.time(rules)
      verdict = time.verdict
      effect = time.first?.change
    } else {
      let order: [Verdict] = [.untrusted, .regression, .small, .improved, .pass]
      verdict = order.first { word in figures.contains { $0.verdict == word } } ?? .inconclusive
    }
  }

  /// Whether the verdict says that head is worse.
  package var isAlarm: Bool { verdict == .regression }
}
