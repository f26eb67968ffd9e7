// One live comparison whose truth is known: sides that are the same, or of which one has a fault of known size.
public import Workloads

/// What is compared in a live trial of the self-test.
public enum LiveKind: String, Codable, Sendable, CaseIterable {
  /// A side with itself, by its times.
  case placebo
  /// A side with one that takes 5 % more time, by its times.
  case slowdown
  /// A side with one that syncs once more, by exact figures.
  case extraSync = "extra-sync"
  /// A side with one that holds 64 KiB for a millisecond, by exact figures.
  case heldMemory = "held-memory"
  /// A side with one that runs one statement more a row, by exact figures.
  case extraStatement = "extra-statement"

  /// What head's workers do wrong.
  public var fault: InjectedFault? {
    switch self {
    case .placebo: nil
    case .slowdown: .slowdown
    case .extraSync: .extraSync
    case .heldMemory: .heldMemory
    case .extraStatement: .extraStatement
    }
  }

  /// Whether it is judged by times; the others by exact figures alone.
  public var isTimed: Bool { self == .placebo || self == .slowdown }
}

/// What came of a live trial.
public struct LiveTrial: Codable, Sendable {
  public var kind: LiveKind
  /// The fingerprint of the executable that made it.
  public var executable: String
  /// The verdict on the time, or the worst one on an exact figure.
  public var verdict: Verdict
  /// Timed pairs that were taken, those that were to confirm a change among them.
  public var pairs: Int
  /// From the first sample to the verdict.
  public var seconds: Double
  /// Head's time over base's, less one; nil without a time.
  public var effect: Double?
  /// Columns of the exact figures that changed.
  public var changedFigures: [String]
  /// Samples that failed.
  public var failures: Int

  public init(_ kind: LiveKind, _ comparison: PairComparison, _ rules: PairRules, seconds: Double, executable: String) {
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
  public var isAlarm: Bool { verdict == .regression }
}
