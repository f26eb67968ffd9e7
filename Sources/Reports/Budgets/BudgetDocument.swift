// Judged budgets as `check` and `run` print them for programs.
package import Analysis

/// A budget judged for one cell.
package struct JudgedBudget: Codable {
  var scenario: String
  /// The text in the scenario file.
  var budget: String
  /// Absent if no cell has the name.
  var cell: String?
  var metric: String
  var verdict: BudgetVerdict
  /// In seconds, in bytes or as a plain number; absent if the budget was not judged.
  var found: Double?
  var low: Double?
  var high: Double?
  var limit: Double?
  /// What was found, as text.
  var finding: String

  private init(_ judgement: BudgetJudgement, of scenario: ScenarioReport) {
    self.scenario = scenario.name
    budget = judgement.budget.text
    cell = judgement.cell
    metric = judgement.budget.figure.column
    verdict = judgement.verdict
    (found, limit) = (judgement.found?.value, judgement.limit?.value)
    (low, high) = (judgement.found?.low, judgement.found?.high)
    finding = BudgetText(scenario: scenario, judgement: judgement).finding
  }

  /// All judged budgets of a scenario.
  package static func all(_ judgements: [BudgetJudgement], of scenario: ScenarioReport) -> [JudgedBudget] {
    judgements.map { JudgedBudget($0, of: scenario) }
  }
}

/// The results of `check`.
package struct BudgetDocument: CommandDocument {
  package static let title = "Stored results, judged by budgets"

  /// Failed samples of the judged scenarios.
  package var failedSamples = 0
  package var budgets: [JudgedBudget] = []

  package init() {}
}
