// A run analyzed once for all that is written of it.
internal import Harness
internal import Scenarios

/// What a run's results allow to conclude, and what a reader must be warned of.
package struct RunAnalysis {
  package let results: RunResults
  /// In the order of the results, as are the report's.
  package let scenarios: [ScenarioAnalysis]
  package let report: Report
  /// First what is about the run, then cell by cell.
  package let warnings: [RunWarning]
  /// Those of cells by their scenario, and under nil those of the run.
  private let warningsByScenario: [String?: [RunWarning]]

  package init(_ results: RunResults) {
    self.results = results
    scenarios = results.scenarios.map { ScenarioAnalysis($0) }
    warnings = results.foundWarnings
    report = Report(of: results, scenarios, warnings)
    warningsByScenario = Dictionary(grouping: warnings) { $0.cell?.scenario }
  }

  /// What is to be told with a scenario: what is about its cells, and with the run's first one what is about the run.
  package func warnings(on scenario: ScenarioResults) -> [RunWarning] {
    let isFirst = results.scenarios.first?.name == scenario.name
    return (isFirst ? warningsByScenario[nil] ?? [] : []) + (warningsByScenario[scenario.name] ?? [])
  }
}
