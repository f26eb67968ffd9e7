// The results for a scenario's budgets, as lines of its report.
internal import Analysis

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

  /// The results for the scenario's budgets; adds nothing if it has none.
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
