// How often the live trials of one kind came out right, with the bound that so many trials allow.
internal import Statistics

/// The trials of one kind, counted.
public struct LiveTally: Sendable {
  public let kind: LiveKind
  public let trials: Int
  /// Trials with the verdict REGRESSION: false alarms of a placebo, catches of a fault.
  public let alarms: Int
  public let verdicts: [Verdict: Int]
  /// From the first sample to the verdict, in the middle; nil without a trial.
  public let medianSeconds: Double?
  public let medianPairs: Double?
  /// Head's time over base's, less one, in the middle; nil for kinds without times.
  public let medianEffect: Double?

  public init(_ kind: LiveKind, of all: [LiveTrial]) {
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
  public var rate: Double? { trials == 0 ? nil : Double(alarms) / Double(trials) }

  /// The bound on the side that matters, at 95 % (Clopper and Pearson): the most that the rate of false alarms can be, or
  /// the least that the rate of catches can be.
  public var bound: Double? {
    kind == .placebo
      ? binomialUpperBound(successes: alarms, trials: trials, confidence: 0.95)
      : binomialLowerBound(successes: alarms, trials: trials, confidence: 0.95)
  }

  /// Whether a promise is kept.
  public enum Judgement: Sendable, Hashable {
    case kept
    /// The rate is not what it should be, but so few trials may show that by chance.
    case tooFew
    case broken
  }

  /// What must be: at most 1 % false alarms, at least 95 % of slow-downs found, every exact fault.
  public var judgement: Judgement {
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

  public static let mostFalseAlarms = 0.01
  public static let leastCaught = 0.95
}
