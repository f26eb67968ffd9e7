// growth.csv: the WAL over the rows of the main phase.
package import Analysis

/// How the WAL grew in every sample that watched it.
package enum GrowthCSV {
  /// The file's text.
  package static func render(_ results: Report) -> String {
    CSV.render(columns(of: results), records(of: results))
  }

  private struct Record: RunCellRecord {
    let text: CellText
    let pass: Pass
    let round: Int
    let point: GrowthPoint
    let run: RunText
  }

  /// Those of one scenario after the other: of all there may be very many.
  private static func records(of results: Report) -> some Sequence<Record> {
    results.scenarios.lazy.flatMap { scenario -> [Record] in
      let run = RunText(results.run(of: scenario))
      return scenario.cells.flatMap { cell -> [Record] in
        let text = CellText(cell.cell)
        return cell.samples.flatMap { sample in
          sample.growth.map { Record(text: text, pass: sample.pass, round: sample.round, point: $0, run: run) }
        }
      }
    }
  }

  private static func columns(of results: Report) -> [CSVColumn<Record>] {
    CSVColumn.ofCell + CSVColumn.ofParameters(results)
      + [
        CSVColumn("pass") { $0.pass.rawValue },
        CSVColumn("round") { "\($0.round)" },
        CSVColumn("rows") { "\($0.point.rows)" },
        CSVColumn("wal_bytes") { "\($0.point.walBytes)" },
        CSVColumn("wal_frames") { "\($0.point.walFrames)" },
        CSVColumn("checkpoints") { "\($0.point.checkpoints)" },
      ] + CSVColumn.ofRun
  }
}
