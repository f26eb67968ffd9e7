// A profile as CSV: one row per stage, and one row per statement.
package import Analysis

/// Writes the figures of a profile.
package enum ProfileCSV {
  /// `stages.csv`: for every phase, each stage, the time outside of stages, the tracer's own time, and the total.
  package static func stages(_ results: ProfileResults) -> String {
    let text = CellText(results.cell)
    let records = results.phases.flatMap { phase in
      ProfileStage.lines(of: phase).map {
        StageRecord(text: text, phase: phase, line: $0, isComparable: results.isComparable)
      }
    }
    return CSV.render(stageColumns, records)
  }

  private static var stageColumns: [CSVColumn<StageRecord>] {
    CSVColumn.ofCell
      + [
        CSVColumn("phase") { $0.phase.phase.rawValue },
        CSVColumn("rows") { "\($0.phase.rows)" },
        CSVColumn("kind") { $0.line.kind.rawValue },
        CSVColumn("stage") { $0.line.name },
        CSVColumn("turns") { $0.line.turns.map { "\($0)" } },
        CSVColumn("wall_ns") { CSV.number($0.line.nanoseconds, decimals: 0) },
        CSVColumn("wall_share") { CSV.number($0.line.share, decimals: 6) },
        CSVColumn("wall_ns_per_row") { perRow($0.line.nanoseconds, $0) },
        CSVColumn("allocations") { $0.line.allocations.map { "\($0)" } },
        CSVColumn("allocations_per_row") { perRow($0.line.allocations, $0) },
        CSVColumn("allocated_bytes") { $0.line.allocatedBytes.map { "\($0)" } },
        CSVColumn("allocated_bytes_per_row") { perRow($0.line.allocatedBytes, $0) },
        .comparable,
      ]
  }

  /// `statements.csv`: every SQL text of every phase.
  package static func statements(_ results: ProfileResults) -> String {
    let text = CellText(results.cell)
    let records = results.phases.flatMap { phase in
      (phase.statements ?? []).map {
        StatementRecord(text: text, phase: phase.phase, cost: $0, isComparable: results.isComparable)
      }
    }
    return CSV.render(statementColumns, records)
  }

  private static var statementColumns: [CSVColumn<StatementRecord>] {
    CSVColumn.ofCell
      + [
        CSVColumn("phase") { $0.phase.rawValue },
        CSVColumn("runs") { "\($0.cost.runs)" },
        CSVColumn("vm_steps") { "\($0.cost.vmSteps)" },
        CSVColumn("wall_ns") { "\($0.cost.nanoseconds)" },
        CSVColumn("rows") { $0.cost.work.map { "\($0.rows)" } },
        CSVColumn("full_scan_steps") { $0.cost.work.map { "\($0.fullScanSteps)" } },
        CSVColumn("sorts") { $0.cost.work.map { "\($0.sorts)" } },
        CSVColumn("automatic_index_rows") { $0.cost.work.map { "\($0.automaticIndexRows)" } },
        CSVColumn("preparations") { $0.cost.work.map { "\($0.preparations)" } },
        CSVColumn("repreparations") { $0.cost.work.map { "\($0.repreparations)" } },
        CSVColumn("plan") { $0.cost.work?.plan },
        CSVColumn("sql") { $0.cost.sql },
        .comparable,
      ]
  }

  /// The name of ``heap(_:)``'s file.
  static let heapFile = "heap.csv"

  /// `heap.csv`: the heap over a phase, at most 64 moments with the stage of each, with the peak marked.
  static func heap(_ phase: ProfiledPhase) -> String {
    let highest = phase.heapTimeline.map(\.liveBytes).max()
    return CSV.render(
      [
        CSVColumn("phase") { _ in phase.phase.rawValue },
        CSVColumn("seconds") { CSV.number($0.seconds, decimals: 6) },
        CSVColumn("live_bytes") { "\($0.liveBytes)" },
        CSVColumn("sqlite_bytes") { "\($0.sqliteBytes)" },
        CSVColumn("stage") { $0.stage },
        CSVColumn("is_peak") { $0.liveBytes == highest ? "true" : "false" },
      ], phase.heapTimeline)
  }

  private struct StageRecord: CellRecord {
    let text: CellText
    let phase: ProfiledPhase
    let line: ProfileStage
    let isComparable: Bool
  }

  private struct StatementRecord: CellRecord {
    let text: CellText
    let phase: Phase
    let cost: SQLCost
    let isComparable: Bool
  }

  private static func perRow(_ count: Int64?, _ record: StageRecord) -> String? {
    perRow(count.map { Double($0) }, record)
  }

  private static func perRow(_ value: Double?, _ record: StageRecord) -> String? {
    record.phase.rows > 0 ? CSV.number(value.map { $0 / Double(record.phase.rows) }, decimals: 3) : nil
  }
}
