// The verdicts of a comparison: one for its time and one for each exact metric.
package import Harness
internal import Instruments
package import Statistics
package import BatchmarkEngine
internal import Support

/// The verdict on a metric.
package enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
  /// Certainly worse, possibly by the margin or more.
  case regression = "REGRESSION"
  /// Certainly worse, but by less than the margin: a warning.
  case small = "SMALL"
  /// No worse by the margin.
  case pass = "PASS"
  /// Certainly better, by at least what counts: the margin for a time, the limit for a metric.
  case improved = "IMPROVED"
  /// Too few pairs for a decision.
  case inconclusive = "INCONCLUSIVE"
  /// The measurements do not allow a verdict.
  case untrusted = "UNTRUSTED"

  /// Whether there is no verdict, and the rules do not allow that.
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

/// The verdict on a comparison's time, with its evidence.
package struct TimeVerdict: Sendable {
  /// A pass if the gate does not judge the time.
  package let verdict: Verdict
  /// Whether it fails the gate: a regression, or an improvement by the margin or more if the gate asks for that.
  package let fails: Bool
  /// The complete verdict of the first pairs; `nil` if there were too few pairs.
  package let first: SequentialVerdict?
  /// The verdict of the fresh pairs; `nil` if none were requested.
  package let confirmation: SequentialVerdict?
  /// Why nothing is trusted; `nil` if it is.
  package let distrust: String?
}

extension SequentialVerdict {
  /// Head's time over base's minus one: 0.05 is 5 % slower.
  package var change: Double { ratio(fromLog: effect) - 1 }
}

/// An exact metric of a phase on both sides.
package struct FigureVerdict: Sendable, Hashable {
  package let phase: Phase
  package let metric: MetricID
  package let base: Int64
  package let head: Int64
  package let verdict: Verdict
  /// The applied rule; `nil` for the built-in limit.
  package let rule: GateRule?
  /// Whether it fails the gate: a regression, or an improvement beyond the limit if the gate asks for that.
  package let fails: Bool

  /// Head divided by base; `nil` if base is zero.
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

  /// Whether an improvement of the time by the margin or more fails the gate.
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

  /// The verdicts on the exact metrics that both sides have: those of the main phase, and those of other phases that a
  /// rule of the gate names.
  ///
  /// A metric that differs between samples of one side is untrusted.
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

  /// The metrics and times that rules of the gate exclude from judgement, as written in the rules.
  package var unjudged: [GateRule] {
    gate.rules.filter { $0.limit == nil && ($0.cells?.contains(headCell.id) ?? true) }
  }

  /// Whether there are no plans, no common metrics and, if no metric must be judged, no time.
  package func comparesNothing(_ rules: PairRules) -> Bool {
    plans(rules) == nil && figures(rules).isEmpty && (judgesFigures(rules) || time(rules).first == nil)
  }

  /// Whether any exact metric of the main phase must be judged.
  package func judgesFigures(_ rules: PairRules) -> Bool {
    rules.judged != .time
      && MetricID.allCases.contains { metric in
        let rule = gate.rule(for: metric.rawValue, in: headCell.operation.phase.rawValue, of: headCell.id)
        return metric.isJudged && (rule == nil || rule?.limit != nil)
      }
  }

  /// Whether its time, a metric or a plan fails the gate.
  package func fails(_ rules: PairRules) -> Bool {
    time(rules).fails || figures(rules).contains(where: \.fails) || plans(rules)?.verdict == .regression
  }

  /// Whether all samples of both sides stored rows with the same content hash.
  package var isOfOneContent: Bool {
    let samples = baseFigures + headFigures + (pairs + confirmation).flatMap { [$0.base, $0.head] }
    return Set(samples.map(\.contents.contentHash)).count <= 1
  }
}

extension Verdict {
  /// The verdict on an exact metric: growth within the limit is small, and a decrease within it is not an improvement.
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
  /// The results of comparing the base side with itself, cell by cell; empty if that was left out.
  ///
  /// An inconclusive one found no difference and ruled none out, so it neither passed nor failed.
  package var placeboVerdicts: [(comparison: PairComparison, verdict: Verdict)] {
    let rules = rules.ofPlacebos
    return placebos.map { ($0, $0.time(rules).verdict) }
  }

  /// The cells in which base differed from itself, so that nothing can be trusted here.
  package var brokenPlacebos: [(comparison: PairComparison, verdict: Verdict)] {
    placeboVerdicts.filter { ![.pass, .inconclusive].contains($0.verdict) }
  }

  package var isPlaceboBroken: Bool { !brokenPlacebos.isEmpty }

  /// The exit status.
  package var status: CommandStatus { .first(of: statuses) }

  /// All applicable exit statuses.
  var statuses: [CommandStatus] {
    var statuses: [CommandStatus] = []
    if isPlaceboBroken && Verdict.untrusted.isUndecided(rules) { statuses.append(.untrusted) }
    if placebos.contains(where: { !$0.failures.isEmpty }) { statuses.append(.failedSamples) }
    // A gate that compared nothing does not pass.
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
      // Cells that cannot be compared may have no common metrics; others must have some.
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
