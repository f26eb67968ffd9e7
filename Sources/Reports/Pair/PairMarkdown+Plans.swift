// What a gate says of the plans of both sides, with the plans that differ.
internal import Analysis

extension PairMarkdown {
  /// The verdict on plans in a sentence.
  static func sentence(on plans: PlanVerdict) -> String {
    let rule = "Judged by \(Markdown.code(words(plans.rule)))."
    if let gap = plans.gap { return "**\(plans.verdict.rawValue)**: \(Markdown.escaped(gap)). \(rule)" }
    if plans.compared == 0 { return "**\(plans.verdict.rawValue)**: a side runs no statement that has a plan. \(rule)" }
    guard let first = plans.changes.first else {
      return "**\(plans.verdict.rawValue)**: every plan is the same on both sides "
        + "(\(HumanUnits.counted(plans.compared, "statement")) compared). \(rule)"
    }
    let others = plans.changes.count - 1
    let more =
      others > 0 ? ", and so \(others == 1 ? "is" : "are") \(HumanUnits.counted(others, "other statement"))" : ""
    return
      "**\(plans.verdict.rawValue)**: \(Markdown.code(CauseSentence.cut(first.sql))) is answered by another plan\(more). \(rule)"
  }

  /// The verdict on plans, and the plans that differ; nothing where the gate does not judge them.
  static func plans(
    _ comparison: PairComparison, of results: PairResults, isBrief: Bool, in document: inout Document
  ) {
    guard let plans = comparison.plans(results.rules) else { return }
    document.paragraph("Plans: \(sentence(on: plans))")
    if isBrief { return }
    for change in plans.changes {
      document.paragraph(Markdown.code(change.sql))
      document.fence("base\n\(indented(change.base))\nhead\n\(indented(change.head))")
    }
  }
}
