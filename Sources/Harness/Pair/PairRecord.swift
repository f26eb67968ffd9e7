// Everything a paired comparison took, as it is kept: samples and rules, no verdict. Verdicts are worked out of it, so
// that the same samples always give the same ones.
public import Instruments
public import Scenarios
internal import Statistics
public import Workloads

/// A comparison of two sides: two executables, or two settings of one.
public struct PairResults: Codable, Sendable {
  /// The layout of the file this is written to.
  public static let schemaVersion = 4

  public var schemaVersion = PairResults.schemaVersion
  public var run: RunRecord
  public var environment: [EnvironmentFact]
  public var rules: PairRules
  public var base: PairSideRecord
  public var head: PairSideRecord
  public var comparisons: [PairComparison]
  /// The base side compared with itself, a comparison for each cell, which must find nothing; empty where they were left
  /// out.
  public var placebos: [PairComparison]
  /// Which of several machines took the same pairs; nil where one machine gives the verdict.
  public var shard: Shard?

  public init(
    run: RunRecord, environment: [EnvironmentFact], rules: PairRules, base: PairSideRecord, head: PairSideRecord,
    comparisons: [PairComparison], placebos: [PairComparison]
  ) {
    self.run = run
    self.environment = environment
    self.rules = rules
    self.base = base
    self.head = head
    self.comparisons = comparisons
    self.placebos = placebos
  }
}

/// The rules a comparison goes by, all of them fixed before the first sample.
public struct PairRules: Codable, Sendable, Hashable {
  /// Numbers of pairs at which the samples so far are judged.
  public var looks: [Int]
  /// Whether the user chose them, so that they hold for every margin.
  public var hasChosenLooks: Bool
  /// The slow-down that matters: 0.05 is 5 %.
  public var margin: Double
  /// The change that does not count: a fifth of the margin.
  public var deadZone: Double { margin / 5 }
  /// The bound of the probability of a false alarm.
  public var alpha: Double
  /// The bound of the probability that a slow-down by the margin passes.
  public var beta: Double
  /// How far an exact figure may grow and still pass, 0.01 for 1 %; growth within it is reported.
  public var figureMargin: Double
  /// Trials of a worker, taken by turns with the other side's; the middle one of their ratios counts.
  public var trials: Int
  /// The share of its wall time that a sample may have waited for a processor or lost to the machine's host.
  ///
  /// A pair with a sample beyond it is taken again, and counted. Nil for any share.
  public var interferenceLimit: Double?
  /// The share of pairs that may be lost to failures before nothing is trusted.
  public var failureLimit: Double
  /// What is judged at all, whatever rules say of it.
  public var judged = Judged.all
  /// Whether an improvement beyond its limit fails too, as a regression does.
  public var failsOnImproved = false
  /// What does not fail.
  public var allowed: [Allowance] = []
  /// On how many machines the same number of pairs is taken, whatever they say; nil where one machine gives the verdict.
  public var machines: Int?

  /// Pairs that each of several machines takes: as many as show a slow-down of 5 % on one.
  public static let pairsOnMachines = 24

  /// What a comparison judges.
  public enum Judged: String, Codable, Sendable, Hashable, CaseIterable {
    case all, time, figures
  }

  /// An outcome that tells nothing, which a user may let pass.
  public enum Allowance: String, Codable, Sendable, Hashable, CaseIterable {
    case inconclusive, untrusted
  }

  /// Pairs cost little more than their trials, and the fewer trials a pair has the sooner there are pairs enough.
  public static let defaultTrials = 2

  public init(
    looks: [Int]? = nil, margin: Double = 0.05, alpha: Double = 0.01, beta: Double = 0.05,
    figureMargin: Double = 0.01, trials: Int = PairRules.defaultTrials, interferenceLimit: Double? = nil,
    failureLimit: Double = 0.02
  ) {
    self.looks = looks ?? SequentialPlan.looks(forMargin: margin)
    hasChosenLooks = looks != nil
    self.margin = margin
    self.alpha = alpha
    self.beta = beta
    self.figureMargin = figureMargin
    self.trials = trials
    self.interferenceLimit = interferenceLimit
    self.failureLimit = failureLimit
  }
}

extension PairRules {
  /// The same for another margin.
  public func with(margin: Double) -> PairRules {
    var rules = self
    rules.margin = margin
    if !hasChosenLooks { rules.looks = SequentialPlan.looks(forMargin: margin) }
    return rules
  }

  /// What a placebo goes by: it ends at the first of the looks at which anything can be told, so that those of all cells
  /// together take no longer than the comparisons themselves.
  public var ofPlacebos: PairRules {
    var rules = self
    for look in looks {
      (rules.looks, rules.hasChosenLooks) = ([look], true)
      if rules.isUsable { return rules }
    }
    return self
  }
}

/// A side in words.
public struct PairSideRecord: Codable, Sendable, Hashable {
  /// As the user named it: a path, or settings.
  public var name: String
  public var build: BuildIdentity
  public var overrides: [ScenarioOverride]

  public init(name: String, build: BuildIdentity, overrides: [ScenarioOverride]) {
    self.name = name
    self.build = build
    self.overrides = overrides
  }
}

/// What was taken of one cell.
public struct PairComparison: Codable, Sendable {
  /// The cell on either side; they differ where the sides differ in one of its parameters.
  public var baseCell: Cell
  public var headCell: Cell
  /// The fingerprints of the scenario on either side.
  public var baseFingerprint: String
  public var headFingerprint: String
  /// The limits of head's scenario and of the command line.
  public var gate: Gate
  /// Samples of the exact passes.
  public var baseFigures: [Sample]
  public var headFigures: [Sample]
  /// Timed pairs that count, in the order they were taken.
  public var pairs: [SamplePair]
  /// Fresh pairs that were to confirm a change; empty where there was none.
  public var confirmation: [SamplePair]
  /// Pairs taken again because a sample was disturbed more than the rules allow.
  public var disturbedPairs: Int
  public var failures: [PairFailure]

  public init(
    baseCell: Cell, headCell: Cell, baseFingerprint: String, headFingerprint: String, gate: Gate = Gate()
  ) {
    self.baseCell = baseCell
    self.headCell = headCell
    self.baseFingerprint = baseFingerprint
    self.headFingerprint = headFingerprint
    self.gate = gate
    baseFigures = []
    headFigures = []
    pairs = []
    confirmation = []
    disturbedPairs = 0
    failures = []
  }
}

extension PairComparison {
  /// What the time is judged by; nil where the gate does not judge it.
  public func timeRules(_ rules: PairRules) -> PairRules? {
    if rules.judged == .figures { return nil }
    guard let rule = gate.rule(for: nil, of: headCell.id) else { return rules }
    guard case .share(let margin)? = rule.limit?.amount else { return nil }
    return rules.with(margin: margin)
  }
}

/// Two timed samples whose workers took their trials by turns.
public struct SamplePair: Codable, Sendable {
  public var base: Sample
  public var head: Sample
  /// Trial by trial whether base went first.
  public var baseFirst: [Bool]

  public init(base: Sample, head: Sample, baseFirst: [Bool]) {
    self.base = base
    self.head = head
    self.baseFirst = baseFirst
  }
}

/// A sample that failed, and its whole pair with it.
public struct PairFailure: Codable, Sendable, Hashable {
  public var isBase: Bool
  public var pass: Pass
  public var reason: String
  public var standardError: String
  /// Whether the sides' builds do not read each other's jobs and answers, so that nothing can be compared.
  public var isOtherFormat = false

  public init(isBase: Bool, pass: Pass, reason: String, standardError: String) {
    self.isBase = isBase
    self.pass = pass
    self.reason = reason
    self.standardError = standardError
  }
}
