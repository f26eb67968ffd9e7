// How often the live trials of one kind were right, with the bound that this many trials allow.
internal import Harness
internal import Statistics

/// The trials of one kind, counted.
package struct LiveTally: Sendable {
  package let kind: LiveKind
  package let trials: Int
  /// Trials with the verdict REGRESSION: false alarms for a placebo, detections for a fault.
  package let alarms: Int
  package let verdicts: [Verdict: Int]
  /// The median time from the first sample to the verdict; `nil` without a trial.
  package let medianSeconds: Double?
  package let medianPairs: Double?
  /// The median of head's time over base's minus one; `nil` for kinds without times.
  package let medianEffect: Double?

  package init(_ kind: LiveKind, of all: [LiveTrial]) {
    let mine = all.filter { $0.kind == kind }
    self.kind = kind
    trials = mine.count
    alarms = mine.count(where: \.isAlarm)
    verdicts = Dictionary(mine.map { ($0.verdict, 1) }, uniquingKeysWith: +)
    medianSeconds = median(mine.map(\.seconds))
    medianPairs = median(mine.map { Double($0.pairs) })
    medianEffect = median(mine.compactMap(\.effect))
  }

  /// The share of alarms; `nil` without a trial.
  package var rate: Double? { trials == 0 ? nil : Double(alarms) / Double(trials) }

  /// The 95 % bound on the side that matters (Clopper and Pearson): the upper bound of the rate of false alarms, or the
  /// lower bound of the rate of detections.
  package var bound: Double? {
    kind == .placebo
      ? binomialUpperBound(successes: alarms, trials: trials, confidence: 0.95)
      : binomialLowerBound(successes: alarms, trials: trials, confidence: 0.95)
  }

  /// Whether a promise is kept.
  package enum Judgement: Sendable, Hashable {
    case kept
    /// The rate is not as promised, but with this few trials that may be chance.
    case tooFew
    case broken
  }

  /// What is promised: at most 1 % false alarms, at least 95 % of slowdowns detected, and every exact fault.
  package var judgement: Judgement {
    guard let rate else { return .kept }
    switch kind {
    case .placebo:
      if rate <= LiveTally.mostFalseAlarms { return .kept }
      let least = binomialLowerBound(successes: alarms, trials: trials, confidence: 0.95) ?? 0
      return least <= LiveTally.mostFalseAlarms ? .tooFew : .broken
    case .slowdown:
      if rate >= LiveTally.leastCaught { return .kept }
      let most = binomialUpperBound(successes: alarms, trials: trials, confidence: 0.95) ?? 1
      return most >= LiveTally.leastCaught ? .tooFew : .broken
    case .extraSync, .heldMemory, .extraStatement: return alarms == trials ? .kept : .broken
    }
  }

  package static let mostFalseAlarms = 0.01
  package static let leastCaught = 0.95
}
