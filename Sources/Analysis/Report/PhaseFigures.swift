// What tables show of one phase of one cell.
internal import Harness
package import Instruments
internal import Scenarios

/// The figures of a phase over all samples of a cell.
package struct PhaseFigures: Codable, Sendable {
  package var phase: Phase
  /// Rows the phase handled in each sample; 0 where no sample has the phase.
  package var rows: Int
  /// Timed samples behind the times.
  package var samples: Int
  /// Seconds.
  package var wall: Measured<Estimate>
  /// Seconds.
  package var cpuMedian: Measured<Double>
  package var rowsPerSecond: Measured<Double>
  /// Exact metrics that differed between samples, with the values seen.
  package var disagreements: [MetricID: [Int64]]
  private var metrics: [MetricID: Int64]
  /// Why a metric of a pass is missing, where one is.
  private var absences: [Pass: String]

  init(of cell: CellResults, in phase: Phase) {
    let summary = cell.summary(of: phase)
    let noTime = cell.absenceOfTime(in: phase)
    self.phase = phase
    rows = summary?.rows ?? 0
    samples = summary?.samples ?? 0
    wall = Measured(summary?.wall, or: noTime)
    cpuMedian = Measured(summary?.cpuMedian, or: noTime)
    let storesNothing = cell.cell.role == .harnessCost && phase == cell.mainPhase
    rowsPerSecond =
      storesNothing ? .absent("no row is stored in the phase") : Measured(summary?.rowsPerSecond, or: noTime)
    metrics = summary?.metrics ?? [:]
    disagreements = summary?.disagreements ?? [:]
    absences = Dictionary(
      uniqueKeysWithValues: Pass.allCases.map { ($0, cell.absence(of: $0, in: phase)) })
  }

  /// The median of a metric, or why it was not measured.
  package subscript(metric: MetricID) -> Measured<Int64> {
    Measured(metrics[metric], or: absences[metric.pass] ?? "no sample was taken")
  }

  /// A metric for each row of the phase.
  package func perRow(_ metric: MetricID) -> Measured<Double> {
    rows > 0 ? self[metric].map { Double($0) / Double(rows) } : .absent("the phase handled no row")
  }
}

extension CellResults {
  /// The figures of the phase that the cell is about.
  package var mainFigures: PhaseFigures { PhaseFigures(of: self, in: mainPhase) }
}
