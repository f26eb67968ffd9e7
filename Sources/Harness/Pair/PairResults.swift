// The stored data of a paired comparison: samples and rules, but no verdicts. Verdicts are computed from it, so the
// same samples always give the same ones.
internal import Instruments
package import BatchmarkEngine
package import Scenarios
internal import Statistics

/// A comparison of two sides: two executables, or two settings of one.
package struct PairResults: Codable, Sendable {
  /// The version of the file format.
  package static let schemaVersion = 4

  package var schemaVersion = PairResults.schemaVersion
  package var run: RunRecord
  package var environment: [EnvironmentFact]
  package var rules: PairRules
  package var base: PairSideRecord
  package var head: PairSideRecord
  package var comparisons: [PairComparison]
  /// Comparisons of the base side with itself, one for each cell, which must find nothing; empty if placebos were left
  /// out.
  package var placebos: [PairComparison]
  /// The shard, if several machines take the same pairs; `nil` if one machine gives the verdict.
  package var shard: Shard?

  package init(
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

/// The rules of a comparison.
///
/// All of them are fixed before the first sample.
package struct PairRules: Codable, Sendable, Hashable {
  /// The numbers of pairs at which the samples so far are judged.
  package var looks: [Int]
  /// Whether the user chose the looks, so that they apply to every margin.
  package var hasChosenLooks: Bool
  /// The slowdown that matters: 0.05 is 5 %.
  package var margin: Double
  /// The change that does not count: a fifth of the margin.
  package var deadZone: Double { margin / 5 }
  /// The upper bound on the probability of a false alarm.
  package var alpha: Double
  /// The upper bound on the probability that a slowdown by the margin passes.
  package var beta: Double
  /// How far an exact metric may grow and still pass, 0.01 for 1 %.
  ///
  /// Growth within the margin is reported.
  package var figureMargin: Double
  /// Trials per worker, in turns with the other side's.
  ///
  /// The median of their ratios counts.
  package var trials: Int
  /// The largest share of its wall time that a sample may have waited for a processor or lost to the machine's host.
  ///
  /// If a sample exceeds it, the pair is counted and taken again. `nil` allows any share.
  package var interferenceLimit: Double?
  /// The share of pairs that may fail before the comparison is untrusted.
  package var failureLimit: Double
  /// The metrics that are judged.
  package var judged = Judged.all
  /// Whether an improvement beyond its limit fails as a regression does.
  package var failsOnImproved = false
  /// The outcomes that do not fail.
  package var allowed: [Allowance] = []
  /// The number of machines that take the same pairs each, whatever the pairs show; `nil` if one machine gives the
  /// verdict.
  package var machines: Int?

  /// The pairs that each of several machines takes: enough to show a slowdown of 5 % on one.
  package static let pairsOnMachines = 24

  /// What a comparison judges.
  package enum Judged: String, Codable, Sendable, Hashable, CaseIterable {
    case all, time, figures
  }

  /// An outcome without a verdict that a user may let pass.
  package enum Allowance: String, Codable, Sendable, Hashable, CaseIterable {
    case inconclusive, untrusted
  }

  /// The default is low: pairs cost little more than their trials, so fewer trials per pair give enough pairs sooner.
  package static let defaultTrials = 2

  package init(
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
  /// The same rules with another margin.
  package func with(margin: Double) -> PairRules {
    var rules = self
    rules.margin = margin
    if !hasChosenLooks { rules.looks = SequentialPlan.looks(forMargin: margin) }
    return rules
  }

  /// The rules of a placebo.
  ///
  /// It ends at the first look that can decide anything, so that all placebos together take no longer than the
  /// comparisons themselves.
  package var ofPlacebos: PairRules {
    var rules = self
    for look in looks {
      (rules.looks, rules.hasChosenLooks) = ([look], true)
      if rules.isUsable { return rules }
    }
    return self
  }
}

/// A description of a side.
package struct PairSideRecord: Codable, Sendable, Hashable {
  /// The name that the user gave: a path, or settings.
  package var name: String
  package var build: BuildIdentity
  package var overrides: [ScenarioOverride]
  /// The SQLite library that its workers used instead of the system's; `nil` for the system's.
  package var sqliteFile: String?

  package init(name: String, build: BuildIdentity, overrides: [ScenarioOverride]) {
    self.name = name
    self.build = build
    self.overrides = overrides
  }
}

/// The samples of one cell.
package struct PairComparison: Codable, Sendable {
  /// The cell on either side.
  ///
  /// They differ if the sides set one of its parameters differently.
  package var baseCell: Cell
  package var headCell: Cell
  /// The fingerprints of the scenario on either side.
  package var baseFingerprint: String
  package var headFingerprint: String
  /// The limits of head's scenario and of the command line.
  package var gate: Gate
  /// Samples of the exact passes.
  package var baseFigures: [Sample]
  package var headFigures: [Sample]
  /// Timed pairs that count, in the order they were taken.
  package var pairs: [SamplePair]
  /// Fresh pairs taken to confirm a change; empty if there was none.
  package var confirmation: [SamplePair]
  /// Pairs taken again because a sample was disturbed more than the rules allow.
  package var disturbedPairs: Int
  package var failures: [PairFailure]
  /// Profiles that explain the difference; `nil` if they were not requested.
  package var profiles: PairProfiles?
  /// The plans of both sides' statements; `nil` if the gate does not judge them.
  package var plans: PairPlans?

  package init(
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
  /// The rules for judging the time; `nil` if the gate does not judge it.
  package func timeRules(_ rules: PairRules) -> PairRules? {
    if rules.judged == .figures { return nil }
    guard let rule = gate.rule(for: nil, of: headCell.id) else { return rules }
    guard case .share(let margin)? = rule.limit?.amount else { return nil }
    return rules.with(margin: margin)
  }
}

/// Two timed samples with workers that took turns.
package struct SamplePair: Codable, Sendable {
  package var base: Sample
  package var head: Sample
  /// Whether base was first, for each trial.
  package var baseFirst: [Bool]

  package init(base: Sample, head: Sample, baseFirst: [Bool]) {
    self.base = base
    self.head = head
    self.baseFirst = baseFirst
  }
}

/// A sample that failed, and with it its whole pair.
package struct PairFailure: Codable, Sendable, Hashable {
  package var isBase: Bool
  package var pass: Pass
  package var reason: String
  package var standardError: String
  /// Whether the sides' builds cannot read each other's jobs and answers, so that nothing can be compared.
  package var isOtherFormat = false

  package init(isBase: Bool, pass: Pass, reason: String, standardError: String) {
    self.isBase = isBase
    self.pass = pass
    self.reason = reason
    self.standardError = standardError
  }
}
