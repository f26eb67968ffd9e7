// Explains a comparison's change from its samples and profiles.
package import Harness
internal import BatchmarkEngine
internal import Instruments
internal import Statistics

extension PairComparison {
  /// Why the sides differ; `nil` if no profiles were taken.
  package func explanation(_ rules: PairRules) -> PairExplanation? {
    guard let profiles else { return nil }
    return PairExplanation(
      of: change(rules), base: SideFigures(samples: baseFigures, trials: profiles.base),
      head: SideFigures(samples: headFigures, trials: profiles.head), gaps: profiles.gaps + workGaps(profiles))
  }

  /// What certainly changed: the time, or else the failed metric with the largest growth.
  private func change(_ rules: PairRules) -> PairExplanation.Change? {
    let time = time(rules)
    if [.regression, .small, .improved].contains(time.verdict), let verdict = time.confirmation ?? time.first {
      return PairExplanation.Change(metric: MetricID.wall.rawValue, share: verdict.change)
    }
    let failed = figures(rules).filter { $0.verdict == .regression && $0.phase.isMain }
    let worst = failed.max { ($0.ratio ?? .infinity) < ($1.ratio ?? .infinity) }
    // If base's value is 0, the growth is not finite, so head's value is stored instead.
    return worst.map {
      PairExplanation.Change(metric: $0.metric.rawValue, share: ($0.ratio ?? Double($0.head) + 1) - 1)
    }
  }

  /// The sides with builds that time statements without counting anything else.
  private func workGaps(_ profiles: PairProfiles) -> [String] {
    [("base", profiles.base), ("head", profiles.head)].compactMap { side, trials in
      let costs = trials.flatMap { $0.phase.profile?.statements ?? [] }
      guard !costs.isEmpty, costs.allSatisfy({ $0.work == nil }) else { return nil }
      return "\(side) is of an older build, which does not count preparations, rows, scans and plans of statements"
    }
  }
}

extension PairExplanation {
  /// Searches for the causes of a change.
  ///
  /// - Parameters:
  ///   - change: The change that was shown; if it is `nil`, only exact metrics that grew are named.
  ///   - base: The base side.
  ///   - head: The judged side.
  ///   - gaps: What is unknown, one sentence each.
  init(of change: Change?, base: SideFigures, head: SideFigures, gaps: [String] = []) {
    let isReversed = (change?.share ?? 0) < 0
    let isOfTime = change?.isOfTime ?? false
    // The growth relative to the side that has less, whichever it is.
    let growth = change.map { isReversed ? 1 / (1 + $0.share) - 1 : $0.share }
    let search = CauseSearch(
      less: isReversed ? head : base, more: isReversed ? base : head, isReversed: isReversed,
      timeGrowth: isOfTime ? growth : nil)
    var findings = search.findings()
    if let change, !isOfTime { findings = PairExplanation.ranked(findings, by: change.metric, base: base, head: head) }
    self.change = change
    self.findings = findings
    self.gaps = gaps
    examined = Examined(
      figures: base.metrics.keys.count { head.metrics[$0] != nil },
      statements: Set(base.statements.flatMap(\.statements.keys)).union(head.statements.flatMap(\.statements.keys))
        .count,
      stages: Set(base.stages.flatMap(\.stages.keys)).union(head.stages.flatMap(\.stages.keys)).count,
      stacks: base.stacks.values.reduce(0, +) + head.stacks.values.reduce(0, +),
      rounds: min(max(base.stages.count, base.statements.count), max(head.stages.count, head.statements.count)))
  }
}

extension PairExplanation {
  /// The names of metrics among those of a statement.
  private static let statementNames = [MetricID.statements.rawValue: "runs"]

  /// Findings ordered by how much of a metric's growth each one explains.
  ///
  /// Findings of more allocations or writes only repeat the metric, so statements that may have caused it come first.
  private static func ranked(
    _ findings: [CauseFinding], by metric: String, base: SideFigures, head: SideFigures
  ) -> [CauseFinding] {
    let id = MetricID(metric)
    guard let before = base.metrics[id]?.middle, let after = head.metrics[id]?.middle, before != after else {
      return findings
    }
    let growth = after - before
    let parts = findings.map { finding in
      var finding = finding
      let evidence = finding.evidence.first { $0.name == metric || $0.name == statementNames[metric] }
      // Exact metrics have exact parts.
      finding.part = evidence.map {
        let share = min(max(Double($0.head - $0.base) / Double(growth), 0), 1)
        return CauseFinding.Part(share: share, low: share, high: share)
      }
      return finding
    }
    func rank(_ finding: CauseFinding) -> Double {
      finding.part?.share ?? (finding.canLead(to: id, growth: growth.magnitude) ? 2 : -1)
    }
    return parts.enumerated().sorted { one, other in
      (rank(other.element), one.offset) < (rank(one.element), other.offset)
    }.map(\.element)
  }
}

extension CauseFinding {
  /// More than a statement's row, run or preparation could allocate.
  private static let mostAllocations: UInt64 = 200
  private static let mostBytes: UInt64 = 100_000

  /// Whether a statement may have caused the growth of a metric that SQLite does not count per statement.
  fileprivate func canLead(to metric: MetricID, growth: UInt64) -> Bool {
    guard subject != nil, kind.isOfStatements, let first = evidence.first else { return false }
    let count = (first.head - first.base).magnitude
    func covers(_ each: UInt64) -> Bool { growth / each <= count }
    switch metric {
    case .allocations: return covers(CauseFinding.mostAllocations)
    case .allocatedBytes, .heapPeak, .heapPeakSQLite, .heapPeakNonSQLite: return covers(CauseFinding.mostBytes)
    default: return writesRows && covers(CauseFinding.mostBytes)
    }
  }

  /// Whether the statement changes rows or ends a transaction.
  private var writesRows: Bool {
    let word = (subject ?? "").prefix(while: \.isLetter).uppercased()
    return ["INSERT", "UPDATE", "DELETE", "REPLACE", "COMMIT", "END", "RELEASE"].contains(word)
  }
}

extension CauseFinding.Kind {
  /// Whether SQLite counts it per statement.
  fileprivate var isOfStatements: Bool {
    switch self {
    case .queryPlan, .preparation, .statements, .automaticIndex, .sorts, .fullScan, .rows, .vmSteps: true
    default: false
    }
  }
}
