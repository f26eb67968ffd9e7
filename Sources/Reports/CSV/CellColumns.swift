// The columns that every CSV file begins with and ends with.
internal import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

/// A record that belongs to a cell.
protocol CellRecord {
  var cell: Cell { get }
  /// False in a debug build, whose figures must not be compared with any.
  var isComparable: Bool { get }
}

/// A record of a cell that was measured in a run.
protocol RunCellRecord: CellRecord {
  var run: RunRecord { get }
}

extension RunCellRecord {
  var isComparable: Bool { run.isComparable }
}

extension CSVColumn where Record: CellRecord {
  /// `scenario, cell, engine, strategy, parameters`.
  static var ofCell: [CSVColumn] {
    [
      CSVColumn("scenario") { $0.cell.scenario },
      CSVColumn("cell") { $0.cell.id },
      CSVColumn("engine") { $0.cell.engine },
      CSVColumn("strategy") { $0.cell.strategy },
      CSVColumn("parameters") { $0.cell.parametersText },
    ]
  }

  /// Whether the figures may be compared with others.
  static var comparable: CSVColumn { CSVColumn("comparable") { $0.isComparable ? "true" : "false" } }

  /// One column a metric, group by group as the instruments declare them.
  static func ofMetrics(_ metrics: @escaping (Record) -> [MetricID: Int64]) -> [CSVColumn] {
    MetricID.allCases.map { metric in
      CSVColumn(metric.declaration.column) { record in metrics(record)[metric].map { "\($0)" } }
    }
  }
}

extension CSVColumn where Record: RunCellRecord {
  /// Whether the figures may be compared with others, and what tells their run from other runs: `run_id, started,
  /// commit, machine`.
  static var ofRun: [CSVColumn] {
    [
      .comparable,
      CSVColumn("run_id") { $0.run.runID },
      CSVColumn("started") { $0.run.started },
      CSVColumn("commit") { $0.run.commit?.description },
      CSVColumn("machine") { $0.run.machine },
    ]
  }
}
