// What the samples of a comparison say: a verdict for its time and one for each exact figure.
package import Harness
internal import Instruments
package import Statistics
package import BatchmarkEngine
internal import Support

/// The word for a metric.
package enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
  /// Worse for certain, and perhaps by the margin or more.
  case regression = "REGRESSION"
  /// Worse for certain, but by less than the margin: a warning.
  case small = "SMALL"
  /// No worse by the margin.
  case pass = "PASS"
  /// Better for certain, and not by less than what counts: the margin of a time, the limit of a figure.
  case improved = "IMPROVED"
  /// So many pairs decide nothing.
  case inconclusive = "INCONCLUSIVE"
  /// The measurements do not allow a verdict.
  case untrusted = "UNTRUSTED"

  /// Whether it has no verdict, and the rules do not let that pass.
  package func isUndecided(_ rules: PairRules) -> Bool {
    switch self {
    case .inconclusive: !rules.allowed.contains(.inconclusive)
    case .untrusted: !rules.allowed.contains(.untrusted)
    default: false
    }
  }

  package init(_ outcome: SequentialOutcome) {
    switch outcome {
    case .regression: self = .regression
    case .smallRegression: self = .small
    case .pass, .notSlower, .smallImprovement: self = .pass
    case .improved: self = .improved
    case .notFaster, .inconclusive: self = .inconclusive
    }
  }
}

/// The verdict on a comparison's time, with what it rests on.
package struct TimeVerdict: Sendable {
  /// Pass where the gate does not judge the time.
  package let verdict: Verdict
  /// Whether it fails the gate: a regression, or an improvement of the margin or more where that is asked for.
  package let fails: Bool
  /// The first pairs' verdict in full; nil where there were too few pairs for any.
  package let first: SequentialVerdict?
  /// The verdict of the fresh pairs; nil where none were asked for.
  package let confirmation: SequentialVerdict?
  /// Why nothing is trusted; nil where it is.
  package let distrust: String?
}

extension SequentialVerdict {
  /// Head's time over base's, less one: 0.05 is 5 % slower.
  package var change: Double { ratio(fromLog: effect) - 1 }
}

/// An exact figure of a phase on both sides.
package struct FigureVerdict: Sendable, Hashable {
  package let phase: Phase
  package let metric: MetricID
  package let base: Int64
  package let head: Int64
  package let verdict: Verdict
  /// The rule it was judged by; nil for the built-in limit.
  package let rule: GateRule?
  /// Whether it fails the gate: a regression, or an improvement beyond the limit where that is asked for.
  package let fails: Bool

  /// Head divided by base; nil where base is zero.
  package var ratio: Double? { base == 0 ? nil : Double(head) / Double(base) }
}

extension PairComparison {
  /// The verdict on the main phase's wall time.
  package func time(_ rules: PairRules) -> TimeVerdict {
    guard let timeRules = timeRules(rules) else {
      return TimeVerdict(verdict: .pass, fails: false, first: nil, confirmation: nil, distrust: nil)
    }
    let plan = timeRules.plan
    let first = plan?.verdict(endingWith: PairDifferences(pairs).values)
    let fresh = confirmation.isEmpty ? nil : plan?.verdict(endingWith: PairDifferences(confirmation).values)
    if let distrust = distrust(rules) {
      return TimeVerdict(verdict: .untrusted, fails: false, first: first, confirmation: fresh, distrust: distrust)
    }
    guard let first else {
      return TimeVerdict(verdict: .inconclusive, fails: false, first: nil, confirmation: nil, distrust: nil)
    }
    var outcome = first.outcome
    // Fresh pairs count if they were taken anyway.
    let isConfirmed = fresh == nil && first.needsNoConfirmation(margin: timeRules.margin)
    if rules.machines == nil, !isConfirmed, outcome.isSlower || outcome.isFaster {
      outcome = Statistics.confirmation(of: outcome, by: fresh?.outcome ?? .inconclusive)
    }
    return TimeVerdict(
      verdict: Verdict(outcome), fails: outcome == .regression || failsOnFaster(rules) && outcome == .improved,
      first: first, confirmation: fresh, distrust: nil)
  }

  /// Whether a time that is less by the margin or more fails the gate.
  func failsOnFaster(_ rules: PairRules) -> Bool {
    rules.failsOnImproved || gate.rule(for: nil, of: headCell.id)?.limit?.isTwoSided == true
  }

  /// Why the times do not allow a verdict.
  private func distrust(_ rules: PairRules) -> String? {
    let lost = failures.count { $0.pass == .timing }
    let taken = pairs.count + confirmation.count
    if lost > 0, Double(lost) > rules.failureLimit * Double(taken + lost) {
      return
        "\(lost) of \(taken + lost) pairs \(lost == 1 ? "was" : "were") lost to failed samples, where \(Int(clamping: rules.failureLimit * 100)) % may be"
    }
    if disturbedPairs > taken {
      return
        "\(disturbedPairs) \(disturbedPairs == 1 ? "pair was" : "pairs were") disturbed and taken again, more than "
        + "the \(taken) that \(taken == 1 ? "was" : "were") not"
    }
    return nil
  }

  /// The verdicts on the exact figures that both sides have: those of the main phase, and those of others that a rule of
  /// the gate is about.
  ///
  /// A figure that two samples of one side do not share is untrusted.
  package func figures(_ rules: PairRules) -> [FigureVerdict] {
    if rules.judged == .time { return [] }
    let phases = gate.phases(of: headCell.id)
    return Phase.allCases.filter { $0.isMain || phases.contains($0.rawValue) }.flatMap { phase in
      MetricID.allCases.filter(\.isJudged).compactMap { figure($0, of: phase, rules) }
    }
  }

  private func figure(_ metric: MetricID, of phase: Phase, _ rules: PairRules) -> FigureVerdict? {
    let rule = gate.rule(for: metric.rawValue, in: phase.rawValue, of: headCell.id)
    if rule == nil && !phase.isMain || rule != nil && rule?.limit == nil { return nil }
    let values = [baseFigures, headFigures].map { samples in
      samples.compactMap { sample in sample.phases.first { $0.phase == phase }?.metrics[metric] }
    }
    guard let base = values[0].first, let head = values[1].first else { return nil }
    let limit = rule?.limit ?? GateLimit(.share(rules.figureMargin))
    let repeats = values.allSatisfy { Set($0).count == 1 }
    let verdict = repeats ? Verdict(ofFigure: head, to: base, limit: limit) : .untrusted
    let failsOnImproved = (rules.failsOnImproved || limit.isTwoSided) && !limit.holds(from: base, to: head)
    return FigureVerdict(
      phase: phase, metric: metric, base: base, head: head, verdict: verdict, rule: rule,
      fails: verdict == .regression || failsOnImproved && verdict == .improved)
  }

  /// The figures and times that rules of the gate leave unjudged, as written in the rules.
  package var unjudged: [GateRule] {
    gate.rules.filter { $0.limit == nil && ($0.cells?.contains(headCell.id) ?? true) }
  }

  /// Whether there are no plans, no figure that both sides have and, if no figure must be judged, no time.
  package func comparesNothing(_ rules: PairRules) -> Bool {
    plans(rules) == nil && figures(rules).isEmpty && (judgesFigures(rules) || time(rules).first == nil)
  }

  /// Whether any exact figure of the main phase must be judged.
  package func judgesFigures(_ rules: PairRules) -> Bool {
    rules.judged != .time
      && MetricID.allCases.contains { metric in
        let rule = gate.rule(for: metric.rawValue, in: headCell.operation.phase.rawValue, of: headCell.id)
        return metric.isJudged && (rule == nil || rule?.limit != nil)
      }
  }

  /// Whether its time, a figure or a plan fails the gate.
  package func fails(_ rules: PairRules) -> Bool {
    time(rules).fails || figures(rules).contains(where: \.fails) || plans(rules)?.verdict == .regression
  }

  /// Whether every sample of both sides stored rows of one content hash.
  package var isOfOneContent: Bool {
    let samples = baseFigures + headFigures + (pairs + confirmation).flatMap { [$0.base, $0.head] }
    return Set(samples.map(\.contents.contentHash)).count <= 1
  }
}

extension Verdict {
  /// The verdict on an exact figure: growth within the limit is small, and a fall within it is not an improvement.
  package init(ofFigure head: Int64, to base: Int64, limit: GateLimit) {
    let isWithin = limit.holds(from: base, to: head)
    if head <= base {
      self = isWithin ? .pass : .improved
    } else {
      self = isWithin ? .small : .regression
    }
  }
}

extension PairResults {
  /// What came of comparing the base side with itself, cell by cell; empty where it was left out.
  ///
  /// One that is inconclusive found no difference and ruled none out: it neither passed nor failed.
  package var placeboVerdicts: [(comparison: PairComparison, verdict: Verdict)] {
    let rules = rules.ofPlacebos
    return placebos.map { ($0, $0.time(rules).verdict) }
  }

  /// The cells whose base side was found to be other than itself, so that nothing here can be trusted.
  package var brokenPlacebos: [(comparison: PairComparison, verdict: Verdict)] {
    placeboVerdicts.filter { ![.pass, .inconclusive].contains($0.verdict) }
  }

  package var isPlaceboBroken: Bool { !brokenPlacebos.isEmpty }

  /// What the process ends with.
  package var status: CommandStatus { .first(of: statuses) }

  /// Everything that the process's end has to say.
  var statuses: [CommandStatus] {
    var statuses: [CommandStatus] = []
    if isPlaceboBroken && Verdict.untrusted.isUndecided(rules) { statuses.append(.untrusted) }
    if placebos.contains(where: { !$0.failures.isEmpty }) { statuses.append(.failedSamples) }
    // A gate that compared nothing stays closed.
    if comparisons.isEmpty { statuses.append(.untrusted) }
    for comparison in comparisons {
      if comparison.failures.contains(where: \.isOtherFormat) {
        statuses.append(.notComparable)
      } else if !comparison.failures.isEmpty {
        statuses.append(.failedSamples)
      }
      let verdicts = comparison.verdicts(rules)
      let obstacles = obstacles(to: comparison)
      if !obstacles.isEmpty { statuses.append(.notComparable) }
      // Cells that cannot be compared may have no figures in common. Others must.
      if obstacles.isEmpty && comparison.comparesNothing(rules) { statuses.append(.untrusted) }
      if comparison.fails(rules) { statuses.append(.regression) }
      let undecided = verdicts.filter { $0.isUndecided(rules) }
      if undecided.contains(.untrusted) { statuses.append(.untrusted) }
      if undecided.contains(.inconclusive) { statuses.append(.inconclusive) }
    }
    if run.isInterrupted { statuses.append(.interrupted) }
    // One machine of several gives no verdict, but still reports what it could not measure.
    if shard != nil { statuses.removeAll { [.regression, .inconclusive].contains($0) } }
    return statuses
  }
}
