// A run analyzed once for all reports about it.
internal import Harness
internal import BatchmarkEngine

/// The conclusions from a run's results, and the warnings for the reader.
package struct RunAnalysis {
  /// The results with their conclusions.
  package let results: Report
  /// In the order of the results.
  package let scenarios: [ScenarioAnalysis]
  /// Warnings about the run first, then cell by cell.
  package let warnings: [RunWarning]
  /// Warnings about cells by scenario; those about the run are under `nil`.
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

  /// The warnings shown with a scenario: those about its cells, and for the first scenario also those about the run.
  package func warnings(on scenario: ScenarioReport) -> [RunWarning] {
    let isFirst = results.scenarios.first?.name == scenario.name
    return (isFirst ? warningsByScenario[nil] ?? [] : []) + (warningsByScenario[scenario.name] ?? [])
  }
}
