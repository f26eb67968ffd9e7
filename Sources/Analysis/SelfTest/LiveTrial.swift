// One live comparison whose truth is known: sides that are the same, or one with a fault of known size.
internal import BatchmarkEngine
package import Harness
internal import Instruments

/// What is compared in a live trial of the self-test.
package enum LiveKind: String, Codable, Sendable, CaseIterable {
  /// A side with itself, by its times.
  case placebo
  /// A side with one that takes the margin's share of time more, by its times.
  case slowdown
  /// A side against one with one more sync, by exact figures.
  case extraSync = "extra-sync"
  /// A side with one that holds 64 KiB for a millisecond, by exact figures.
  case heldMemory = "held-memory"
  /// A side with one that runs one statement more a row, by exact figures.
  case extraStatement = "extra-statement"

  /// The margins for which there is a slow-down of their size.
  package static let margins = InjectedFault.allCases.compactMap(\.timeShare)

  /// The fault that head's workers have when the trial must find a slowdown of the margin.
  package func fault(margin: Double) -> InjectedFault? {
    switch self {
    case .placebo: nil
    case .slowdown: InjectedFault.allCases.first { $0.timeShare == margin }
    case .extraSync: .extraSync
    case .heldMemory: .heldMemory
    case .extraStatement: .extraStatement
    }
  }

  /// Whether it is judged by times; the others by exact figures alone.
  package var isTimed: Bool { self == .placebo || self == .slowdown }
}

/// The outcome of a live trial.
package struct LiveTrial: Codable, Sendable {
  package var kind: LiveKind
  /// The fingerprint of the executable that made it.
  package var executable: String
  /// The verdict on the time, or the worst one on an exact figure.
  package var verdict: Verdict
  /// Timed pairs that were taken, those that were to confirm a change among them.
  package var pairs: Int
  /// From the first sample to the verdict.
  package var seconds: Double
  /// Head's time over base's, less one; nil without a time.
  package var effect: Double?
  /// Columns of the exact figures that changed.
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

  /// Whether the verdict says that head is worse, as a gate has to.
  package var isAlarm: Bool { verdict == .regression }
}
