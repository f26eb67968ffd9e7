// One scenario's part of the report: its question, what its figures say, and the figures themselves.
internal import Harness
package import Instruments
package import Scenarios

/// One scenario: its question, and what its figures say.
package struct ScenarioReport: Codable, Sendable {
  package struct Question: Codable, Sendable, Hashable {
    package var scenario: String
    package var description: String
    package var operation: Operation.Kind
  }

  /// How many rows the scenario is about.
  package struct Rows: Codable, Sendable, Hashable {
    /// Those of the smallest source, where a sweep makes it smaller.
    package var least: Int?
    /// Those of the largest source.
    package var most: Int
    /// Those that are updated, deleted or fetched; nil for an insert, and where no sample succeeded.
    package var changed: Int?
  }

  package var question: Question
  package var rows: Rows
  /// The cells that may be compared with one another.
  package var groups: [EqualWork]
  /// What answers the question, in the order to tell it.
  package var answer: [Finding]
  /// What else can be concluded.
  package var details: [Finding]
  /// In the scenario's order.
  package var figures: [CellFigures]
  /// How many claims about two cells' times were tested together.
  package var claims: Int
  package var contents: ContentsAgreement
  package var links: SharedLinks?
  /// Exact passes that some cell was measured in more than once, so that it was seen whether figures repeat.
  package var repeatedPasses: [Pass]
  package var tally: SampleTally
  package var failures: [FailureGroup]
  /// Rounds whose times are used of no cell.
  package var roundsSetAside: Int
  package var strategies: [StrategyNote]

  package var findings: [Finding] { answer + details }

  /// The figures of each kind of work together, fastest first; cells without a time at the end of theirs.
  package var fastestFirst: [CellFigures] { leastFirst { $0.main.wall.figure?.median } }

  /// The figures of each kind of work together, the least first; cells without a figure at the end of theirs.
  package func leastFirst(_ figure: (CellFigures) -> Double?) -> [CellFigures] {
    groups.flatMap { group in
      let own = figures.filter { group.cells.contains($0.cell.id) }
      let known = own.compactMap { cell in figure(cell).map { (cell: cell, figure: $0) } }
      // Of equal figures the scenario's order.
      let sorted = known.enumerated().sorted { ($0.element.figure, $0.offset) < ($1.element.figure, $1.offset) }
      return sorted.map(\.element.cell) + own.filter { figure($0) == nil }
    }
  }

  /// The same by a count of the main phase.
  package func leastFirst(_ metric: MetricID) -> [CellFigures] {
    leastFirst { $0.main[metric].figure.map(Double.init) }
  }
}

extension ScenarioReport {
  package init(_ analysis: ScenarioAnalysis) {
    let scenario = analysis.scenario
    let cells = scenario.cells
    question = Question(
      scenario: scenario.name, description: scenario.description, operation: scenario.operation)
    rows = Rows(scenario)
    groups = analysis.groups
    answer = analysis.answer
    details = analysis.details
    figures = cells.map { CellFigures($0, in: scenario) }
    claims = analysis.claims.count
    contents = ContentsAgreement(scenario)
    links = SharedLinks(scenario)
    repeatedPasses = [Pass.counters, .memory].filter { pass in
      cells.contains { cell in cell.samples.count { $0.pass == pass } > 1 }
    }
    tally = SampleTally(cells)
    failures = FailureGroup.all(in: scenario)
    roundsSetAside = scenario.setAside.rounds.count
    strategies = StrategyNote.all(in: scenario)
  }
}

extension ScenarioReport.Rows {
  fileprivate init(_ scenario: ScenarioResults) {
    // Of a sweep only the sizes that were measured: a quick run leaves out large ones.
    let sizes = scenario.sweptValues(of: "rows").map { _ in
      scenario.cells.compactMap { cell -> Int? in
        if case .count(let rows) = cell.cell.parameters["rows"] { rows } else { nil }
      }
    }
    let largest = sizes?.max() ?? scenario.rows
    least = sizes?.min().flatMap { $0 < largest ? $0 : nil }
    most = largest
    changed = scenario.operation == .insert ? nil : scenario.cells.lazy.compactMap(\.main?.rows).first
  }
}
