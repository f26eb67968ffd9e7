// The columns at the beginning and at the end of every CSV file.
internal import Analysis

/// A cell's own fields, computed once for all of its records.
final class CellText: Sendable {
  let cell: Cell
  fileprivate let id: String
  fileprivate let parameters: String
  fileprivate let resolved: [String: String]

  init(_ cell: Cell) {
    self.cell = cell
    id = cell.id
    parameters = cell.parametersText
    resolved = cell.resolvedParameters.mapValues(\.description)
  }
}

/// The fields of a cell's run, computed once for all of its records.
final class RunText: Sendable {
  fileprivate let isComparable: Bool
  fileprivate let runID: String
  fileprivate let started: String
  fileprivate let commit: String?
  fileprivate let machine: String

  init(_ run: RunRecord) {
    isComparable = run.isComparable
    runID = run.runID
    started = run.started
    commit = run.commit?.description
    machine = run.machine
  }
}

/// A record that belongs to a cell.
protocol CellRecord {
  var text: CellText { get }
  /// False in a debug build: its figures must not be compared with any others.
  var isComparable: Bool { get }
}

/// A record of a cell that was measured in a run.
protocol RunCellRecord: CellRecord {
  var run: RunText { get }
}

extension RunCellRecord {
  var isComparable: Bool { run.isComparable }
}

extension CSVColumn where Record: CellRecord {
  /// `scenario, cell, engine, strategy, parameters`.
  static var ofCell: [CSVColumn] {
    [
      CSVColumn("scenario") { $0.text.cell.scenario },
      CSVColumn("cell") { $0.text.id },
      CSVColumn("engine") { $0.text.cell.engine },
      CSVColumn("strategy") { $0.text.cell.strategy },
      CSVColumn("parameters") { $0.text.parameters },
    ]
  }

  /// Whether the figures may be compared with others.
  static var comparable: CSVColumn { CSVColumn("comparable") { $0.isComparable ? "true" : "false" } }

  /// `parameter_rows, parameter_save_every`: one column for each parameter of a cell in the run.
  ///
  /// It has the default for cells that do not set the parameter, and is empty for cells without it.
  static func ofParameters(_ results: Report) -> [CSVColumn] {
    let keys = Set(results.scenarios.flatMap(\.cells).flatMap(\.cell.resolvedParameters.keys))
    return keys.sorted().map { key in
      CSVColumn("parameter_\(key)") { $0.text.resolved[key] }
    }
  }

  /// One column per metric, grouped as the instruments declare them; times are in seconds.
  static func ofMetrics(_ metrics: @escaping (Record) -> [MetricID: Int64]) -> [CSVColumn] {
    MetricID.allCases.map { metric in
      let isTime = metric.declaration.unit == .nanoseconds
      return CSVColumn(column(of: metric)) { record in
        metrics(record)[metric].flatMap { isTime ? CSV.seconds(Double($0) / 1e9) : "\($0)" }
      }
    }
  }

  /// The metric's name, with its unit in the file.
  static func column(of metric: MetricID) -> String {
    let name = metric.declaration.column
    return name.hasSuffix("_ns") ? name.dropLast(2) + "s" : name
  }
}

extension CSVColumn where Record: RunCellRecord {
  /// Whether the figures may be compared with others, and the identity of their run: `run_id, started, commit,
  /// machine`.
  static var ofRun: [CSVColumn] {
    [
      .comparable,
      CSVColumn("run_id") { $0.run.runID },
      CSVColumn("started") { $0.run.started },
      CSVColumn("commit") { $0.run.commit },
      CSVColumn("machine") { $0.run.machine },
    ]
  }
}

extension CSV {
  /// Records of cells.
  ///
  /// Their columns are between those of the cell and those of the run.
  ///
  /// It renders one scenario after the other, because there may be very many records.
  static func render<Record: RunCellRecord>(
    _ results: Report, _ columns: [CSVColumn<Record>], records: @escaping (ScenarioReport, RunText) -> [Record]
  ) -> String {
    let first = CSVColumn<Record>.ofCell + CSVColumn<Record>.ofParameters(results)
    return render(
      first + columns + CSVColumn<Record>.ofRun,
      results.scenarios.lazy.flatMap { records($0, RunText(results.run(of: $0))) })
  }
}
