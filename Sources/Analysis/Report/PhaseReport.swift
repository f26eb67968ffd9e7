// One phase of one cell over all of its samples: every figure, or why it is missing.
internal import Harness
internal import Instruments
package import BatchmarkEngine
internal import Statistics

/// The figures of a phase.
package struct PhaseReport: Codable, Sendable {
  package var phase: Phase
  /// The number of rows that the phase handled in each sample; 0 if no sample has the phase.
  package var rows: Int
  /// The number of timed samples.
  package var samples: Int
  /// Wall time in seconds: the median and its interval.
  package var wall: Measured<Estimate>
  /// In seconds.
  package var cpuMedian: Measured<Double>
  package var rowsPerSecond: Measured<Double>
  /// The median of the ratios to the reference's wall time in each round, with its interval.
  package var timesReference: Measured<Estimate>
  /// The medians over the samples of each metric's pass.
  ///
  /// Exact metrics are the same in all of them.
  package var metrics: [MetricID: Int64]
  /// Exact metrics that differ between samples, with their values.
  package var disagreements: [MetricID: [Int64]]
  /// Why metrics of a pass are missing.
  package var absences: [Pass: String]
  /// Why single metrics are missing, if an instrument gives a reason; `nil` if none does.
  package var metricAbsences: [MetricID: String]?

  /// The figures of a phase, with the cell's reasons for missing ones.
  ///
  /// The scenario adds the ratio to the reference.
  package init(
    _ phase: Phase, of cell: CellReport, rows: Int = 0, samples: Int = 0, wall: Estimate? = nil,
    cpuMedian: Double? = nil, metrics: [MetricID: Int64] = [:], disagreements: [MetricID: [Int64]] = [:]
  ) {
    let noTime = cell.absenceOfTime(in: phase, isUsed: wall != nil)
    let storesNothing = cell.cell.role == .harnessCost && phase == cell.mainPhase
    self.phase = phase
    self.rows = rows
    self.samples = samples
    self.wall = Measured(wall, or: noTime)
    self.cpuMedian = Measured(cpuMedian, or: noTime)
    rowsPerSecond =
      storesNothing
      ? .absent("no row is stored in the phase")
      : Measured(wall.flatMap { $0.median > 0 ? Double(rows) / $0.median : nil }, or: noTime)
    timesReference = .absent(noTime)
    self.metrics = metrics
    self.disagreements = disagreements
    absences = Dictionary(
      uniqueKeysWithValues: Pass.allCases.map { ($0, cell.absence(of: $0, in: phase)) })
    let known = cell.metricAbsences
    metricAbsences = known.isEmpty ? nil : known
  }

  /// The median of a metric, or why it was not measured.
  package subscript(metric: MetricID) -> Measured<Int64> {
    let noOperation = "no such operation was due beside it, or it is made of one request"
    return Measured(
      metrics[metric],
      or: metric.isLatency
        ? noOperation : metricAbsences?[metric] ?? absences[metric.pass] ?? "no sample was taken")
  }

  /// A metric per row of the phase.
  package func perRow(_ metric: MetricID) -> Measured<Double> {
    rows > 0 ? self[metric].map { Double($0) / Double(rows) } : .absent("the phase handled no row")
  }
}

extension PhaseReport {
  /// Summarizes every phase that any sample of a cell has, in order.
  static func all(of cell: CellReport, setAside: SetAsideRounds) -> [PhaseReport] {
    Phase.allCases.compactMap { PhaseReport($0, of: cell, setAside: setAside) }
  }

  /// `nil` if no sample has the phase.
  private init?(_ phase: Phase, of cell: CellReport, setAside: SetAsideRounds) {
    let measured = cell.samples.compactMap { sample in sample.phases.first { $0.phase == phase } }
    guard let rows = measured.first?.rows else { return nil }
    let timed = cell.samples.filter { $0.pass == .timing && !setAside.contains($0) }
      .compactMap { sample in sample.phases.first { $0.phase == phase } }
    let walls = timed.compactMap(\.wallSeconds)
    var (metrics, disagreements) = PhaseReport.metrics(of: phase, in: cell.samples)
    if phase == cell.mainPhase { for latency in cell.allLatencies { metrics.merge(latency.metrics) { $1 } } }
    self.init(
      phase, of: cell, rows: rows, samples: walls.count, wall: Estimate(medianOf: walls),
      cpuMedian: median(timed.compactMap(\.cpuSeconds)), metrics: metrics, disagreements: disagreements)
  }

  /// The median of each metric over the samples of its own pass, and the exact metrics that differ.
  private static func metrics(
    of phase: Phase, in samples: [Sample]
  ) -> (medians: [MetricID: Int64], disagreements: [MetricID: [Int64]]) {
    var medians: [MetricID: Int64] = [:]
    var disagreements: [MetricID: [Int64]] = [:]
    for metric in MetricID.allCases {
      let values = samples.lazy.filter { $0.pass == metric.pass }.compactMap { sample in
        sample.phases.first { $0.phase == phase }?.metrics[metric]
      }
      let sorted = values.sorted()
      guard let first = sorted.first, let last = sorted.last else { continue }
      // For an even number, take the lower of the two middle values, so that it is a measured figure.
      medians[metric] = sorted[(sorted.count - 1) / 2]
      if metric.isExact && first != last { disagreements[metric] = Array(Set(sorted)).sorted() }
    }
    return (medians, disagreements)
  }
}

/// The spread of a phase's wall times in seconds, over the rounds with valid times.
package struct TimeSpread: Sendable, Hashable {
  package let least: Double
  package let lowerQuartile: Double
  package let upperQuartile: Double
  /// The 95th percentile.
  package let percentile95: Double
  package let greatest: Double

  /// `nil` without times.
  init?(_ times: [Double]) {
    let found = [0, 0.25, 0.75, 0.95, 1].compactMap { quantile(times, $0) }
    guard found.count == 5 else { return nil }
    (least, lowerQuartile, upperQuartile) = (found[0], found[1], found[2])
    (percentile95, greatest) = (found[3], found[4])
  }
}

extension ScenarioReport {
  /// The spread of a cell's times in a phase; `nil` without times.
  package func spread(of cell: CellReport, in phase: Phase) -> TimeSpread? {
    TimeSpread(Array(walls(of: cell, in: [phase]).values))
  }
}
