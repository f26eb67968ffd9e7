// The data of a run for other tools: the main phase of each cell, round by round, and what is computed from it.
package import Harness
internal import Instruments
package import BatchmarkEngine
internal import Statistics

/// A run for the formats of other tools: names, times and metrics, without findings.
package struct ExchangedRun: Sendable {
  package var record: RunRecord
  package var machine: [EnvironmentFact]
  /// In the order of the scenarios and of their cells.
  package var cells: [ExchangedCell]

  /// The metrics requested by name; `nil` if the format chooses.
  package var chosen: Set<MetricID>?

  /// Takes the data from results.
  package init(_ results: Report, metrics: Set<MetricID>? = nil) {
    chosen = metrics
    record = results.run
    machine = results.environment
    cells = results.scenarios.flatMap { scenario in scenario.cells.map { ExchangedCell($0, in: scenario, metrics) } }
  }
}

/// The main phase of a cell.
package struct ExchangedCell: Sendable {
  package var cell: Cell
  package var figures: PhaseReport
  /// The timed samples with valid times, in the order in which they were taken: seconds, and user and system time
  /// together.
  package var rounds: [(wall: Double, cpu: Double?)]
  /// The values of the rounds; `nil` if there are none.
  package var wall: TimeMoments?
  /// `nil` if a round has no CPU time.
  package var cpu: TimeMoments?
  package var failures: Int

  /// The metrics requested by name; `nil` for all.
  private let chosen: Set<MetricID>?

  init(_ results: CellReport, in scenario: ScenarioReport, _ metrics: Set<MetricID>?) {
    chosen = metrics
    cell = results.cell
    figures = results.main
    failures = results.failures.count
    let walls = scenario.mainWalls(of: results)
    let cpus = scenario.rounds(of: results, \.cpuSeconds)
    rounds = walls.sorted { $0.key < $1.key }.map { (wall: $0.value, cpu: cpus[$0.key]) }
    wall = TimeMoments(rounds.map(\.wall))
    let known = rounds.compactMap(\.cpu)
    cpu = known.count == rounds.count ? TimeMoments(known) : nil
  }

  /// The requested metrics of the phase that were measured, in the order of the columns.
  package var metrics: [(id: MetricID, value: Int64)] {
    MetricID.allCases.filter { chosen?.contains($0) != false }.compactMap { id in figures[id].figure.map { (id, $0) } }
  }
}

/// Statistics of some times for other tools, in seconds.
package struct TimeMoments: Sendable, Hashable {
  package var mean: Double
  package var median: Double
  /// The sample standard deviation; `nil` for a single time.
  package var deviation: Double?
  package var least: Double
  package var greatest: Double

  /// `nil` without times.
  package init?(_ times: [Double]) {
    guard let median = Statistics.median(times), let least = times.min(), let greatest = times.max() else { return nil }
    let mean = times.reduce(0, +) / Double(times.count)
    let squares = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    (self.mean, self.median, self.least, self.greatest) = (mean, median, least, greatest)
    deviation = times.count > 1 ? (squares / Double(times.count - 1)).squareRoot() : nil
  }

  /// The deviation as a share of the mean; `nil` without a deviation.
  package var variation: Double? { deviation.flatMap { mean > 0 ? $0 / mean : nil } }
}
