// How often the live trials of one kind came out right, with the bound that so many trials allow.
internal import Harness
internal import Statistics

/// The trials of one kind, counted.
package struct LiveTally: Sendable {
  package let kind: LiveKind
  package let trials: Int
  /// Trials with the verdict REGRESSION: false alarms of a placebo, catches of a fault.
  package let alarms: Int
  package let verdicts: [Verdict: Int]
  /// From the first sample to the verdict, in the middle; nil without a trial.
  package let medianSeconds: Double?
  package let medianPairs: Double?
  /// Head's time over base's, less one, in the middle; nil for kinds without times.
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

  /// The share of alarms; nil without a trial.
  package var rate: Double? { trials == 0 ? nil : Double(alarms) / Double(trials) }

  /// The bound on the side that matters, at 95 % (Clopper and Pearson): the most that the rate of false alarms can be, or
  /// the least that the rate of catches can be.
  package var bound: Double? {
    kind == .placebo
      ? binomialUpperBound(successes: alarms, trials: trials, confidence: 0.95)
      : binomialLowerBound(successes: alarms, trials: trials, confidence: 0.95)
  }

  /// Whether a promise is kept.
  package enum Judgement: Sendable, Hashable {
    case kept
    /// The rate is not what it should be, but so few trials may show that by chance.
    case tooFew
    case broken
  }

  /// What must be: at most 1 % false alarms, at least 95 % of slow-downs found, every exact fault.
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
