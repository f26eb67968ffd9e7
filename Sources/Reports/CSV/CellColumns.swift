// The columns that every CSV file begins with and ends with.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

/// A record that belongs to a cell.
protocol CellRecord {
  var cell: Cell { get }
  /// False in a debug build, whose figures must not be compared with any.
  var isComparable: Bool { get }
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

  /// One column a metric, in the metrics' order, under their names: those there were from the first.
  static func ofMetrics(_ metrics: @escaping (Record) -> [Metric: Int64]) -> [CSVColumn] {
    columns(of: Metric.allCases.filter { !$0.isAppended }, metrics)
  }

  /// The same for metrics that came later, whose columns stand at the end.
  static func ofAppendedMetrics(_ metrics: @escaping (Record) -> [Metric: Int64]) -> [CSVColumn] {
    columns(of: Metric.allCases.filter(\.isAppended), metrics)
  }

  private static func columns(
    of wanted: [Metric], _ metrics: @escaping (Record) -> [Metric: Int64]
  ) -> [CSVColumn] {
    wanted.map { metric in
      CSVColumn(metric.rawValue) { record in metrics(record)[metric].map { "\($0)" } }
    }
  }
}
