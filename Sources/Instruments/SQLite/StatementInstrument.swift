// What SQLite computed in a phase: statements, steps of its virtual machine, sorts and scans.
package import BatchmarkEngine
internal import SQLiteDriver

/// Reads what finished statements said of themselves, connection by connection, to SQLite's trace.
struct StatementInstrument: MeterInstrument {
  static let metrics = [
    MetricDeclaration(.vmSteps, .count, in: pass, "steps of SQLite's virtual machine"),
    MetricDeclaration(.statements, .count, in: pass, "SQL statements run"),
    MetricDeclaration(.sorts, .count, in: pass, "sorts that no index spared"),
    MetricDeclaration(
      .fullScanSteps, .count, in: pass, "steps from row to row of tables that were read through"),
  ]

  var readings: MeterReadings<SQLiteCounters>

  func figures(from before: SQLiteCounters, to after: SQLiteCounters) -> [MetricID: Int64] {
    [
      .vmSteps: after.vmSteps - before.vmSteps, .statements: after.statements - before.statements,
      .sorts: after.sorts - before.sorts, .fullScanSteps: after.fullScanSteps - before.fullScanSteps,
    ]
  }

  func detach() -> [MetricAbsence] { readings.statementsAbsence(StatementInstrument.metrics) }
}

extension MetricID {
  /// Steps of SQLite's virtual machine.
  package static let vmSteps = MetricID("vm_steps")
  /// SQL statements run.
  package static let statements = MetricID("statements")
  /// Sorts that no index spared.
  package static let sorts = MetricID("sorts")
  /// Steps from row to row of tables that were read through.
  package static let fullScanSteps = MetricID("full_scan_steps")
}
