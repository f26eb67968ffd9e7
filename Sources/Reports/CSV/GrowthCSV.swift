// growth.csv: the WAL over the rows of the main phase.
package import Analysis

/// The growth of the WAL in every sample that recorded it.
package enum GrowthCSV {
  /// The file's text.
  package static func render(_ results: Report) -> String {
    CSV.render(results, columns) { scenario, run in
      scenario.cells.flatMap { cell -> [Record] in
        let text = CellText(cell.cell)
        return cell.samples.flatMap { sample in
          sample.growth.map { Record(text: text, pass: sample.pass, round: sample.round, point: $0, run: run) }
        }
      }
    }
  }

  private struct Record: RunCellRecord {
    let text: CellText
    let pass: Pass
    let round: Int
    let point: GrowthPoint
    let run: RunText
  }

  private static var columns: [CSVColumn<Record>] {
    [
      CSVColumn("pass") { $0.pass.rawValue },
      CSVColumn("round") { "\($0.round)" },
      CSVColumn("rows") { "\($0.point.rows)" },
      CSVColumn("wal_bytes") { "\($0.point.walBytes)" },
      CSVColumn("wal_frames") { "\($0.point.walFrames)" },
      CSVColumn("checkpoints") { "\($0.point.checkpoints)" },
    ]
  }
}
