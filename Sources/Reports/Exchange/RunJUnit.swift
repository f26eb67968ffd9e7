// Exports a run and its budgets as JUnit XML: a test case for each cell and for each budget.
package import Analysis

/// Writes test results that say whether cells were measured and budgets were met.
package enum RunJUnit {
  /// A run, judged by the budgets of its scenarios.
  package static func render(_ results: Report) -> String {
    render(results.scenarios.map { ($0, results.judgements(of: $0)) })
  }

  /// Scenarios and their judged budgets, with a suite for each scenario.
  package static func render(_ parts: [(scenario: ScenarioReport, judgements: [BudgetJudgement])]) -> String {
    let suites = parts.map { (name: $0.scenario.name, cases: cases(of: $0.scenario, $0.judgements)) }
    return JUnit(name: "batchmark", countsSkipped: true, suites: suites).xml
  }

  private static func cases(of scenario: ScenarioReport, _ judgements: [BudgetJudgement]) -> [JUnit.Case] {
    scenario.cells.map { cell in
      JUnit.Case(name: cell.cell.id, seconds: cell.main.wall.figure?.median, ending: ending(of: cell))
    }
      + judgements.map { judgement in
        let words = BudgetText(scenario: scenario, judgement: judgement)
        let name = "budget \(judgement.budget.text)" + (judgement.cell.map { " for \($0)" } ?? "")
        let ending: JUnit.Case.Ending =
          switch judgement.verdict {
          case .held: .passed
          case .broken, .undecided: .failed(judgement.verdict.rawValue, words.finding)
          case .skipped: .skipped(words.finding)
          }
        return JUnit.Case(name: name, ending: ending)
      }
  }

  private static func ending(of cell: CellReport) -> JUnit.Case.Ending {
    if let failure = cell.failures.first {
      return .failed("FAILED", "\(HumanUnits.counted(cell.failures.count, "sample")) failed: \(failure.reason)")
    }
    return cell.missing > 0
      ? .skipped("\(HumanUnits.counted(cell.missing, "sample")) not taken, since the run was interrupted") : .passed
  }
}
