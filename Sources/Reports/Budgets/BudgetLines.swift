// Judged budgets as lines for a terminal.
package import Analysis

/// A line for each judged budget and cell.
package enum BudgetLines {
  /// Lines without a line feed: `BROKEN      save.syncs <= 5: 8`.
  package static func render(_ judgements: [BudgetJudgement], of scenario: ScenarioReport) -> [String] {
    let width = BudgetVerdict.allCases.map(\.rawValue.count).max() ?? 0
    return judgements.map { judgement in
      let words = BudgetText(scenario: scenario, judgement: judgement)
      let verdict = judgement.verdict.rawValue
      return verdict + String(repeating: " ", count: width - verdict.count + 2) + judgement.budget.text.onOneLine
        + (words.label.map { ", \($0.onOneLine)" } ?? "") + ": " + words.finding.onOneLine
    }
  }
}

extension RunReport {
  /// A line for each judged budget and cell.
  static func budgetItems(of scenario: ScenarioReport, in results: Report) -> [ListItem] {
    results.judgements(of: scenario).map { judgement in
      let words = BudgetText(scenario: scenario, judgement: judgement)
      return ListItem(
        "**\(judgement.verdict.rawValue)** \(Markdown.code(judgement.budget.text))"
          + (words.label.map { ", \(Markdown.code($0))" } ?? "") + ": \(Markdown.escaped(words.finding)).")
    }
  }

  /// What the scenario's budgets came to; nothing where it has none.
  static func budgets(
    of scenario: ScenarioReport, in results: Report, level: Int, _ document: inout Document
  ) {
    let items = budgetItems(of: scenario, in: results)
    guard !items.isEmpty else { return }
    document.heading(level, "Budgets")
    document.list(items)
    if results.run.isQuick {
      document.paragraph("In a quick run, only budgets on exact counters are judged.")
    }
  }
}
