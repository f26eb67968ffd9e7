// A short form of a run, as `run`, `merge` and `report` print it for programs. All figures are in its results.json.
package import Analysis

/// The results of a run.
package struct RunDocument: CommandDocument {
  package static let title = "What a run came to"

  struct Scenario: Codable {
    var scenario: String
    /// The answer to its question: the title, and the sentences below it.
    var title: String
    var answer: [String]
    var cells: [Cell]
  }

  struct Cell: Codable {
    var cell: String
    /// The main phase's wall time in seconds, or the reason why there is none.
    var wall: Measured<Estimate>
    var timesReference: Measured<Estimate>
    var failedSamples: Int
    var missingSamples: Int
  }

  var files: ReportFiles
  var isInterrupted: Bool
  var isQuick: Bool
  var scenarios: [Scenario]
  var budgets: [JudgedBudget]
  /// Problems that make the figures less reliable, and what to do about them.
  var warnings: [String]

  package init(_ results: Report, _ files: ReportFiles) {
    self.files = files
    (isInterrupted, isQuick) = (results.run.isInterrupted, results.run.isQuick)
    scenarios = results.scenarios.map { scenario in
      let scenario = ScenarioAnalysis(scenario).scenario
      let prose = Prose(scenario, givesAdvice: !results.run.isQuick)
      return Scenario(
        scenario: scenario.name, title: Markdown.plain(prose.title), answer: prose.answer.map { Markdown.plain($0) },
        cells: scenario.cells.map { cell in
          let main = cell.summary(of: cell.mainPhase) ?? PhaseReport(cell.mainPhase, of: cell)
          return Cell(
            cell: cell.cell.id, wall: main.wall, timesReference: main.timesReference,
            failedSamples: cell.failures.count, missingSamples: cell.missing)
        })
    }
    budgets = results.scenarios.flatMap { JudgedBudget.all(results.judgements(of: $0), of: $0) }
    warnings = WarningLines.render(results)
  }
}

/// The combined results of several machines for the same scenarios, as `merge` prints them.
package struct MachinesDocument: CommandDocument {
  package static let title = "What several machines say of the same scenarios"

  struct Scenario: Codable {
    var scenario: String
    var cells: [Cell]
    /// Pairs of cells in an order that certainly differs between machines.
    var reversals: [[String]]
    /// Exact counters that differ between machines: a cell, its phase and the metric.
    var disagreements: [[String]]
  }

  struct Cell: Codable {
    var cell: String
    var reference: String
    /// The multiple of the reference over the machines; absent if no machine has a ratio.
    var timesReference: Estimate?
    /// The ratio on each machine.
    var ratios: [Measured<Double>]
  }

  var files: ReportFiles
  var machines: Int
  /// The missing machines.
  var missing: [Int]
  var scenarios: [Scenario]
  var budgets: [JudgedBudget]

  package init(_ comparison: MachineComparison, _ results: [Report], _ files: ReportFiles) {
    self.files = files
    (machines, missing) = (comparison.machines.count, comparison.absent?.shards ?? [])
    scenarios = comparison.scenarios.map { scenario in
      Scenario(
        scenario: scenario.name,
        cells: scenario.cells.map { cell in
          Cell(
            cell: cell.cell.id, reference: cell.reference.id, timesReference: cell.combined.map(Estimate.init),
            ratios: cell.ratios.map { Measured($0, or: MachineReport.noRatio) })
        },
        reversals: scenario.reversals.filter(\.isCertain).map { [$0.first.id, $0.second.id] },
        disagreements: scenario.disagreements.map { [$0.cell.id, $0.phase.rawValue, $0.metric.rawValue] })
    }
    budgets = results.flatMap { results in
      results.scenarios.flatMap { JudgedBudget.all(results.judgements(of: $0), of: $0) }
    }
  }
}
