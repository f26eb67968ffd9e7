// A run analyzed once for all reports about it.
internal import Harness
internal import BatchmarkEngine

/// What a run's results allow to conclude, and what a reader must be warned of.
package struct RunAnalysis {
  /// The results with the conclusions in.
  package let results: Report
  /// In the order of the results.
  package let scenarios: [ScenarioAnalysis]
  /// First those about the run, then cell by cell.
  package let warnings: [RunWarning]
  /// Warnings about cells by their scenario, and under nil those about the run.
  private let warningsByScenario: [String?: [RunWarning]]

  package init(_ results: Report) {
    scenarios = results.scenarios.map { ScenarioAnalysis($0) }
    var concluded = results
    concluded.scenarios = scenarios.map(\.scenario)
    concluded.method = Report.Method(results.run, results.scenarios)
    self.results = concluded
    warnings = results.foundWarnings
    warningsByScenario = Dictionary(grouping: warnings) { $0.cell?.scenario }
  }

  /// The warnings shown with a scenario: those about its cells, and with the run's first scenario those about the run.
  package func warnings(on scenario: ScenarioReport) -> [RunWarning] {
    let isFirst = results.scenarios.first?.name == scenario.name
    return (isFirst ? warningsByScenario[nil] ?? [] : []) + (warningsByScenario[scenario.name] ?? [])
  }
}
