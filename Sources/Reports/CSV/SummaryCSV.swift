// summary.csv: a row per cell and phase.
package import Analysis

/// The summary of every cell's phases.
///
/// Columns are grouped. Missing measurements are empty. A cell without any measured phase has one row, for the main
/// phase, so that its failures are visible.
package enum SummaryCSV {
  /// The file's text.
  package static func render(_ results: Report) -> String {
    CSV.render(results, columns) { scenario, run in
      scenario.cells.flatMap { cell -> [Record] in
        let text = CellText(cell.cell)
        let contentHash = cell.contentHash.figure
        let phases: [(Phase, PhaseReport?)] =
          cell.phases.isEmpty ? [(cell.mainPhase, nil)] : cell.phases.map { ($0.phase, $0) }
        return phases.map { phase, summary in
          Record(
            results: cell, contentHash: contentHash, text: text, phase: phase, summary: summary,
            spread: scenario.spread(of: cell, in: phase), run: run)
        }
      }
    }
  }

  private struct Record: RunCellRecord {
    let results: CellReport
    let contentHash: String?
    let text: CellText
    let phase: Phase
    /// `nil` if the phase was never measured.
    let summary: PhaseReport?
    let spread: TimeSpread?
    let run: RunText
  }

  private static var columns: [CSVColumn<Record>] {
    [
      CSVColumn("phase") { $0.phase.rawValue },
      CSVColumn("rows") { $0.summary.map { "\($0.rows)" } },
      CSVColumn("samples") { "\($0.summary?.samples ?? 0)" },
      CSVColumn("failed") { "\($0.results.failures.count)" },
      CSVColumn("missing") { "\($0.results.missing)" },
      CSVColumn("wall_median_s") { CSV.seconds($0.summary?.wall.figure?.median) },
      CSVColumn("wall_low_s") { CSV.seconds($0.summary?.wall.figure?.low) },
      CSVColumn("wall_high_s") { CSV.seconds($0.summary?.wall.figure?.high) },
      CSVColumn("wall_min_s") { CSV.seconds($0.spread?.least) },
      CSVColumn("wall_p25_s") { CSV.seconds($0.spread?.lowerQuartile) },
      CSVColumn("wall_p75_s") { CSV.seconds($0.spread?.upperQuartile) },
      CSVColumn("wall_p95_s") { CSV.seconds($0.spread?.percentile95) },
      CSVColumn("wall_max_s") { CSV.seconds($0.spread?.greatest) },
      CSVColumn("cpu_median_s") { CSV.seconds($0.summary?.cpuMedian.figure) },
      CSVColumn("rows_per_s") { CSV.significant($0.summary?.rowsPerSecond.figure, decimals: 1) },
      CSVColumn("times_reference") { CSV.significant($0.summary?.timesReference.figure?.median, decimals: 4) },
      CSVColumn("times_reference_low") { CSV.significant($0.summary?.timesReference.figure?.low, decimals: 4) },
      CSVColumn("times_reference_high") { CSV.significant($0.summary?.timesReference.figure?.high, decimals: 4) },
    ] + CSVColumn.ofMetrics { $0.summary?.metrics ?? [:] }
      + [
        CSVColumn("finished_db_bytes") { $0.results.databaseBytes.figure.map { "\($0)" } },
        CSVColumn("content_hash") { $0.contentHash },
      ]
  }
}
