// The verdict on the plans of both sides' statements: unchanged, or which statements have another plan.
package import BatchmarkEngine
package import Harness

/// The verdict of a gate on the plans of a comparison.
package struct PlanVerdict: Sendable, Hashable {
  /// The rule that was applied.
  package let rule: GateRule
  /// Statements with different plans on the two sides, by text.
  package let changes: [PlanChange]
  /// The number of statements that both sides run, without their values.
  package let compared: Int
  /// Why plans are unknown; `nil` if they are known.
  package let gap: String?

  /// A regression for any change, because the gate requires unchanged plans.
  package var verdict: Verdict { gap != nil ? .untrusted : changes.isEmpty ? .pass : .regression }
}

/// A statement with the plans of both sides.
package struct PlanChange: Sendable, Hashable {
  /// Its text without values.
  package let sql: String
  package let base: String
  package let head: String
}

extension PairComparison {
  /// The verdict on plans; `nil` if the gate does not judge them.
  package func plans(_ rules: PairRules) -> PlanVerdict? {
    guard rules.judged != .time, let rule = gate.plansRule(of: headCell.id), rule.limit != nil else { return nil }
    guard let plans else {
      return PlanVerdict(rule: rule, changes: [], compared: 0, gap: "the plans of statements were not taken")
    }
    let (base, head) = (PairComparison.byText(plans.base), PairComparison.byText(plans.head))
    let both = base.keys.filter { head[$0] != nil }.sorted()
    let changes = both.compactMap { sql -> PlanChange? in
      guard let before = base[sql], let after = head[sql], before != after else { return nil }
      return PlanChange(sql: sql, base: before.joined(separator: "\n"), head: after.joined(separator: "\n"))
    }
    let hasNothingInCommon = both.isEmpty && !base.isEmpty && !head.isEmpty
    return PlanVerdict(
      rule: rule, changes: changes, compared: both.count,
      gap: plans.gap ?? (hasNothingInCommon ? "no statement is run by both sides, so no plan was compared" : nil))
  }

  /// The plans of each text without values.
  ///
  /// Texts that differ only in values may have several plans.
  private static func byText(_ plans: [StatementPlanRecord]) -> [String: [String]] {
    Dictionary(grouping: plans) { NormalizedSQL($0.sql).text }.mapValues { Set($0.map(\.plan)).sorted() }
  }

  /// Every verdict on the comparison: on its time, its metrics and its plans.
  package func verdicts(_ rules: PairRules) -> [Verdict] {
    [time(rules).verdict] + figures(rules).map(\.verdict) + (plans(rules).map { [$0.verdict] } ?? [])
  }
}
