// growth.csv: the WAL over the rows of the main phase.
package import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

/// How the WAL grew in every sample that watched it.
package enum GrowthCSV {
  /// The file's text.
  package static func render(_ results: RunResults) -> String {
    CSV.render(columns(of: results), records(of: results))
  }

  private struct Record: RunCellRecord {
    let cell: Cell
    let pass: Pass
    let round: Int
    let point: GrowthPoint
    let run: RunRecord
  }

  private static func records(of results: RunResults) -> [Record] {
    results.scenarios.flatMap { scenario in scenario.cells.map { ($0, results.run(of: scenario)) } }.flatMap {
      cell, run in
      cell.samples.flatMap { sample in
        sample.growth.map { point in
          Record(
            cell: cell.cell, pass: sample.pass, round: sample.round, point: point,
            run: run)
        }
      }
    }
  }

  private static func columns(of results: RunResults) -> [CSVColumn<Record>] {
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
