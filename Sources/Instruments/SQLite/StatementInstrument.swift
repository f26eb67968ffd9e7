// SQLite's work in a phase: statements, steps of its virtual machine, sorts and scans.
package import BatchmarkEngine
internal import SQLiteDriver

/// Reads the counters of finished statements for each connection, from SQLite's trace hook.
struct StatementInstrument: MeterInstrument {
  static let metrics = [
    MetricDeclaration(.vmSteps, .count, in: pass, "steps of SQLite's virtual machine"),
    MetricDeclaration(.statements, .count, in: pass, "SQL statements run"),
    MetricDeclaration(.sorts, .count, in: pass, "sorts that no index spared"),
    MetricDeclaration(
      .fullScanSteps, .count, in: pass, "steps from row to row of tables that were read through"),
    MetricDeclaration(
      .fullScans, .count, in: pass, "runs of statements that read a table through, beyond its first row"),
    MetricDeclaration(
      .automaticIndexRows, .count, in: pass, "rows put into indexes that SQLite made for one run of a statement"),
    MetricDeclaration(.repreparations, .count, in: pass, "times that SQLite prepared a statement again by itself"),
  ]

  var readings: MeterReadings<SQLiteCounters>

  func figures(from before: SQLiteCounters, to after: SQLiteCounters) -> [MetricID: Int64] {
    [
      .vmSteps: after.vmSteps - before.vmSteps, .statements: after.statements - before.statements,
      .sorts: after.sorts - before.sorts, .fullScanSteps: after.fullScanSteps - before.fullScanSteps,
      .fullScans: after.fullScans - before.fullScans,
      .automaticIndexRows: after.automaticIndexRows - before.automaticIndexRows,
      .repreparations: after.repreparations - before.repreparations,
    ]
  }

  func detach() -> [MetricAbsence] { readings.statementsAbsence(StatementInstrument.metrics) + processAbsence }
}

extension MetricID {
  /// Steps of SQLite's virtual machine.
  package static let vmSteps = MetricID("vm_steps")
  /// SQL statements run.
  package static let statements = MetricID("statements")
  /// Sorts that no index avoided.
  package static let sorts = MetricID("sorts")
  /// Steps from row to row in full table scans.
  package static let fullScanSteps = MetricID("full_scan_steps")
  /// Runs of statements that scanned a table beyond its first row.
  package static let fullScans = MetricID("full_scans")
  /// Rows put into automatic indexes, which SQLite builds for one run of a statement.
  package static let automaticIndexRows = MetricID("automatic_index_rows")
  /// How often SQLite itself prepared a statement again.
  package static let repreparations = MetricID("repreparations")
}
