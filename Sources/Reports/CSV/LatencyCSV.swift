// latency.csv: the latencies of concurrent operations and of the requests of cells.
package import Analysis

/// The operations of each class that ran concurrently with each cell, and the cell's own requests, over all rounds.
package enum LatencyCSV {
  /// The file's text; only its header if no cell has concurrent operations or several requests.
  package static func render(_ results: Report) -> String {
    CSV.render(results, columns) { scenario, run in
      scenario.cells.flatMap { cell in
        cell.allLatencies.map { Record(text: CellText(cell.cell), latency: $0, run: run) }
      }
    }
  }

  private struct Record: RunCellRecord {
    let text: CellText
    let latency: OperationLatency
    /// Whether it ran concurrently with the cell, at a rate; false for the cell's own requests.
    var isBeside: Bool { latency.name != .request }
    let run: RunText
  }

  private static var columns: [CSVColumn<Record>] {
    [
      CSVColumn("operation") { $0.latency.name.rawValue },
      CSVColumn("processes") { $0.isBeside ? "\($0.latency.processes)" : "" },
      CSVColumn("rate_per_s") { $0.isBeside ? "\($0.latency.rate)" : "" },
      CSVColumn("due") { $0.isBeside ? "\($0.latency.tally.due)" : "" },
      CSVColumn("done") { "\($0.latency.tally.done)" },
      CSVColumn("late") { $0.isBeside ? "\($0.latency.tally.late)" : "" },
      CSVColumn("retries") { $0.isBeside ? "\($0.latency.tally.retries)" : "" },
      CSVColumn("refusals") { refusals(in: $0.latency) },
      CSVColumn("busy_s") { $0.isBeside ? CSV.seconds($0.latency.tally.busySeconds) : "" },
    ] + LatencyFigure.allCases.flatMap(columns(of:))
      + [
        CSVColumn("wal_end_bytes") { $0.latency.walBytes.map { "\($0)" } },
        CSVColumn("in") { $0.isBeside ? ($0.latency.place ?? .processes).rawValue : "" },
      ]
  }

  /// A percentile and its interval.
  ///
  /// The maximum has no interval, because it grows with the number of operations.
  private static func columns(of figure: LatencyFigure) -> [CSVColumn<Record>] {
    let value = CSVColumn<Record>("\(figure.rawValue)_s") { CSV.seconds($0.latency[figure]?.median) }
    if figure == .longest { return [value] }
    return [
      value, CSVColumn("\(figure.rawValue)_low_s") { CSV.seconds($0.latency[figure]?.low) },
      CSVColumn("\(figure.rawValue)_high_s") { CSV.seconds($0.latency[figure]?.high) },
    ]
  }

  /// `SQLITE_BUSY 3; SQLITE_BUSY_SNAPSHOT 7`; empty if there are none.
  private static func refusals(in latency: OperationLatency) -> String {
    latency.tally.refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
  }
}
