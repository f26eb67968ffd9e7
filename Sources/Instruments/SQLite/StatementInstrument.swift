// What SQLite computed in a phase: statements, steps of its virtual machine, sorts and scans.
internal import SQLiteDriver

/// Reads what finished statements said of themselves, connection by connection, to SQLite's trace.
struct StatementInstrument: Instrument {
  static let pass = Pass.counters

  static let metrics = [
    MetricDeclaration(.vmSteps, .count, in: pass, "steps of SQLite's virtual machine"),
    MetricDeclaration(.statements, .count, in: pass, "SQL statements run"),
    MetricDeclaration(.sorts, .count, in: pass, "sorts that no index spared"),
    MetricDeclaration(
      .fullScanSteps, .count, in: pass, "steps from row to row of tables that were read through"),
  ]

  private let meter: SQLiteMeter
  private var before: SQLiteCounters?

  private var coverage: MeterCoverage

  init(in context: InstrumentContext) throws {
    meter = try SQLiteMeter.attach()
    coverage = MeterCoverage(meter)
  }

  mutating func engineOpens(storeAt path: String) { coverage.engineOpens(storeAt: path) }

  mutating func engineHasOpened(storeAt path: String) { coverage.engineHasOpened(storeAt: path) }

  mutating func phaseBegins(_ phase: Phase) {
    // There is no store yet.
    before = phase == .load ? nil : meter.counters()
  }

  func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    guard let before else { return [:] }
    let after = meter.counters()
    return [
      .vmSteps: after.vmSteps - before.vmSteps, .statements: after.statements - before.statements,
      .sorts: after.sorts - before.sorts, .fullScanSteps: after.fullScanSteps - before.fullScanSteps,
    ]
  }

  func detach() -> [MetricAbsence] { coverage.statementsAbsence(StatementInstrument.metrics) }
}

extension MetricID {
  /// Steps of SQLite's virtual machine.
  public static let vmSteps = MetricID("vm_steps")
  /// SQL statements run.
  public static let statements = MetricID("statements")
  /// Sorts that no index spared.
  public static let sorts = MetricID("sorts")
  /// Steps from row to row of tables that were read through.
  public static let fullScanSteps = MetricID("full_scan_steps")
}
