// Everything that is kept of a paired comparison: samples and rules, no verdict. Verdicts are computed from it, so
// that the same samples always give the same ones.
internal import Instruments
package import BatchmarkEngine
package import Scenarios
internal import Statistics

/// A comparison of two sides: two executables, or two settings of one.
package struct PairResults: Codable, Sendable {
  /// The layout of the file this is written to.
  package static let schemaVersion = 4

  package var schemaVersion = PairResults.schemaVersion
  package var run: RunRecord
  package var environment: [EnvironmentFact]
  package var rules: PairRules
  package var base: PairSideRecord
  package var head: PairSideRecord
  package var comparisons: [PairComparison]
  /// The base side compared with itself, a comparison for each cell, which must find nothing; empty where they were left
  /// out.
  package var placebos: [PairComparison]
  /// Which of several machines took the same pairs; nil where one machine gives the verdict.
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

/// The rules of a comparison, all of them fixed before the first sample.
package struct PairRules: Codable, Sendable, Hashable {
  /// Numbers of pairs at which the samples so far are judged.
  package var looks: [Int]
  /// Whether the user chose them, so that they hold for every margin.
  package var hasChosenLooks: Bool
  /// The slow-down that matters: 0.05 is 5 %.
  package var margin: Double
  /// The change that does not count: a fifth of the margin.
  package var deadZone: Double { margin / 5 }
  /// The bound of the probability of a false alarm.
  package var alpha: Double
  /// The bound of the probability that a slow-down by the margin passes.
  package var beta: Double
  /// How far an exact figure may grow and still pass, 0.01 for 1 %; growth within it is reported.
  package var figureMargin: Double
  /// Trials of a worker, taken by turns with the other side's; the middle one of their ratios counts.
  package var trials: Int
  /// The share of its wall time that a sample may have waited for a processor or lost to the machine's host.
  ///
  /// A pair with a sample beyond it is taken again, and counted. Nil for any share.
  package var interferenceLimit: Double?
  /// The share of pairs that may be lost to failures before nothing is trusted.
  package var failureLimit: Double
  /// The metrics that can be judged, whatever the rules are.
  package var judged = Judged.all
  /// Whether an improvement beyond its limit fails too, as a regression does.
  package var failsOnImproved = false
  /// What does not fail.
  package var allowed: [Allowance] = []
  /// On how many machines the same number of pairs is taken, whatever they say; nil where one machine gives the verdict.
  package var machines: Int?

  /// Pairs that each of several machines takes: enough to show a slowdown of 5 % on one.
  package static let pairsOnMachines = 24

  /// What a comparison judges.
  package enum Judged: String, Codable, Sendable, Hashable, CaseIterable {
    case all, time, figures
  }

  /// An outcome without a verdict, which a user may let pass.
  package enum Allowance: String, Codable, Sendable, Hashable, CaseIterable {
    case inconclusive, untrusted
  }

  /// Pairs cost little more than their trials, and the fewer trials a pair has the sooner there are pairs enough.
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
  /// The same for another margin.
  package func with(margin: Double) -> PairRules {
    var rules = self
    rules.margin = margin
    if !hasChosenLooks { rules.looks = SequentialPlan.looks(forMargin: margin) }
    return rules
  }

  /// The rules of a placebo: it ends at the first look that can decide anything, so that those of all cells
  /// together take no longer than the comparisons themselves.
  package var ofPlacebos: PairRules {
    var rules = self
    for look in looks {
      (rules.looks, rules.hasChosenLooks) = ([look], true)
      if rules.isUsable { return rules }
    }
    return self
  }
}

/// A side in words.
package struct PairSideRecord: Codable, Sendable, Hashable {
  /// As the user named it: a path, or settings.
  package var name: String
  package var build: BuildIdentity
  package var overrides: [ScenarioOverride]
  /// The SQLite that its workers used in place of the system's; nil for that.
  package var sqliteFile: String?

  package init(name: String, build: BuildIdentity, overrides: [ScenarioOverride]) {
    self.name = name
    self.build = build
    self.overrides = overrides
  }
}

/// What was taken of one cell.
package struct PairComparison: Codable, Sendable {
  /// The cell on either side; they differ where the sides differ in one of its parameters.
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
  /// Fresh pairs that were to confirm a change; empty where there was none.
  package var confirmation: [SamplePair]
  /// Pairs taken again because a sample was disturbed more than the rules allow.
  package var disturbedPairs: Int
  package var failures: [PairFailure]
  /// What explains the difference; nil where it was not asked for.
  package var profiles: PairProfiles?
  /// The plans of both sides' statements; nil where the gate does not judge them.
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

/// Two timed samples whose workers took their trials by turns.
package struct SamplePair: Codable, Sendable {
  package var base: Sample
  package var head: Sample
  /// Whether base was first, trial by trial.
  package var baseFirst: [Bool]

  package init(base: Sample, head: Sample, baseFirst: [Bool]) {
    self.base = base
    self.head = head
    self.baseFirst = baseFirst
  }
}

/// A sample that failed, and its whole pair with it.
package struct PairFailure: Codable, Sendable, Hashable {
  package var isBase: Bool
  package var pass: Pass
  package var reason: String
  package var standardError: String
  /// Whether the sides' builds do not read each other's jobs and answers, so that nothing can be compared.
  package var isOtherFormat = false

  package init(isBase: Bool, pass: Pass, reason: String, standardError: String) {
    self.isBase = isBase
    self.pass = pass
    self.reason = reason
    self.standardError = standardError
  }
}
