// latency-over-time.csv: the latencies of concurrent operations over the phase, and the WAL's size at the same time.
package import Analysis

/// The operations of each class that ran concurrently with each cell, by slice, for every round that recorded them.
package enum LatencyCourseCSV {
  /// The file's text; only its header if no cell has concurrent operations.
  package static func render(_ results: Report) -> String {
    CSV.render(results, columns) { scenario, run in
      scenario.cells.flatMap { cell -> [Record] in
        let text = CellText(cell.cell)
        return cell.samples.flatMap { LatencyCourse.all(of: $0) }.flatMap { course in
          course.slices.map { Record(text: text, course: course, slice: $0, run: run) }
        }
      }
    }
  }

  private struct Record: RunCellRecord {
    let text: CellText
    let course: LatencyCourse
    let slice: LatencyCourse.Slice
    let run: RunText
  }

  private static var columns: [CSVColumn<Record>] {
    [
      CSVColumn("round") { "\($0.course.round)" },
      CSVColumn("operation") { $0.course.name.rawValue },
      CSVColumn("from_s") { CSV.seconds($0.slice.start) },
      CSVColumn("to_s") { CSV.seconds($0.slice.end) },
      CSVColumn("due") { "\($0.slice.count)" },
      CSVColumn("p50_s") { CSV.seconds($0.slice.p50) },
      CSVColumn("p99_s") { CSV.seconds($0.slice.p99) },
      CSVColumn("longest_s") { CSV.seconds($0.slice.longest) },
      CSVColumn("wal_bytes") { $0.slice.walBytes.map { "\($0)" } },
    ]
  }
}
