// The WAL, input and output, and the counters that repeat to the bit.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension MarkdownReport {
  static func walSection(on scenario: ScenarioResults, level: Int, in document: inout MarkdownDocument) {
    document.heading(level, "WAL and I/O")
    document.table(walTable(of: scenario))
    document.table(fileTable(of: scenario))
    let growth = growthTable(of: scenario)
    if growth.isEmpty { return }
    document.paragraph(
      "The WAL file's size while the rows of the \(scenario.operation.phase.rawValue) phase are handed to SQLite, all cells on one scale. Flat "
        + "stretches are real: frames wait in the page cache until it is full or the transaction commits. The "
        + "last block is taken after the last commit.")
    document.table(growth)
  }

  private static func walTable(of scenario: ScenarioResults) -> MarkdownTable {
    let phase = scenario.operation.phase
    var table = MarkdownTable(
      "Cell, \(phase.rawValue)",
      [
        "WAL peak", "WAL at the end", "Written to the WAL", "Frames", "Commits", "Largest commit, frames",
        "Generations", "Checkpoints", "Pages moved", "Longest checkpoint", "Largest backlog, frames",
      ])
    for cell in scenario.cells {
      table.append(
        cell.label,
        [
          bytes(.walPeak, of: cell, in: phase), bytes(.walFinal, of: cell, in: phase),
          bytes(.walBytesWritten, of: cell, in: phase), count(.walFrames, of: cell, in: phase),
          count(.walCommits, of: cell, in: phase), count(.walCommitPeak, of: cell, in: phase),
          count(.walGenerations, of: cell, in: phase), count(.checkpoints, of: cell, in: phase),
          count(.checkpointedPages, of: cell, in: phase), time(.longestCheckpoint, of: cell, in: phase),
          count(.walBacklogPeak, of: cell, in: phase),
        ])
    }
    return table
  }

  private static func fileTable(of scenario: ScenarioResults) -> MarkdownTable {
    let phase = scenario.operation.phase
    var table = MarkdownTable(
      "Cell, \(phase.rawValue)",
      [
        "Written in all", "To the database", "To a journal", "Read", "Syncs", "Time in syncs", "Longest sync",
        "Database", "Write amplification, WAL", "Write amplification, in all",
      ])
    for cell in scenario.cells {
      let absence = MarkdownTable.Value.absent(cell.absence(of: .bytesWritten, in: phase))
      let database = cell.storeSample.map { MarkdownTable.Value.text(HumanUnits.bytes($0.contents.databaseBytes)) }
      let inWAL = cell.writeAmplification.map { MarkdownTable.Value.text(Digits.significant($0)) }
      let inAll = cell.fullWriteAmplification.map { MarkdownTable.Value.text(Digits.significant($0)) }
      table.append(
        cell.label,
        [
          bytes(.bytesWritten, of: cell, in: phase), bytes(.databaseBytesWritten, of: cell, in: phase),
          bytes(.journalBytesWritten, of: cell, in: phase), bytes(.bytesRead, of: cell, in: phase),
          count(.syncs, of: cell, in: phase), time(.syncTime, of: cell, in: phase),
          time(.longestSync, of: cell, in: phase), database ?? absence,
          inWAL ?? .absent(cell.absence(of: .walBytesWritten, in: phase)), inAll ?? absence,
        ])
    }
    return table
  }

  /// One line a cell whose WAL was watched, from the first sample that has points; the scale reaches to the peaks.
  private static func growthTable(of scenario: ScenarioResults) -> MarkdownTable {
    let grown = scenario.cells.compactMap { cell in
      cell.samples.first { !$0.growth.isEmpty }.map { (cell: cell, points: $0.growth.map(\.walBytes)) }
    }
    let highest = grown.flatMap { $0.points + [$0.cell.main?.metrics[.walPeak] ?? 0] }.max() ?? 0
    var table = MarkdownTable("Cell", ["Growth", "Highest point", "WAL peak"], alignment: .left)
    for (cell, points) in grown {
      table.append(
        cell.label,
        [
          .text(Sparkline.text(points, highest: highest)), .text(HumanUnits.bytes(points.max() ?? 0)),
          bytes(.walPeak, of: cell, in: cell.mainPhase),
        ])
    }
    return table
  }

  static func counterSection(on scenario: ScenarioResults, level: Int, in document: inout MarkdownDocument) {
    document.heading(level, "Exact counters")
    document.table(counterTable(of: scenario))
    document.table(libraryTable(of: scenario))
    let disagreements = disagreementTable(of: scenario)
    if disagreements.isEmpty {
      document.paragraph(agreement(of: scenario))
    } else {
      document.paragraph("**These exact figures differed between samples of one cell, which they should not:**")
      document.table(disagreements)
    }
  }

  private static func counterTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        "VM steps", "VM steps a row", "Statements", "Allocations a row", "Heap peak, bytes", "WAL written, bytes",
        "Written in all, bytes",
      ])
    for cell in scenario.cells {
      let perRow = { (value: Int64, rows: Int) in HumanUnits.perRow(value, rows: rows) ?? "" }
      table.append(
        cell.label,
        [
          count(.vmSteps, of: cell, in: cell.mainPhase),
          figure(.vmSteps, of: cell, in: cell.mainPhase, perRow),
          count(.statements, of: cell, in: cell.mainPhase),
          figure(.allocations, of: cell, in: cell.mainPhase, perRow),
          count(.heapPeak, of: cell, in: cell.mainPhase),
          count(.walBytesWritten, of: cell, in: cell.mainPhase),
          count(.bytesWritten, of: cell, in: cell.mainPhase),
        ])
    }
    return table
  }

  /// What SQLite itself tells of its work.
  private static func libraryTable(of scenario: ScenarioResults) -> MarkdownTable {
    let phase = scenario.operation.phase
    var table = MarkdownTable(
      "Cell, \(phase.rawValue)",
      [
        "Pages found in memory", "Pages read", "Pages written", "Pages spilled", "Sorts", "Full-scan steps",
        "Read calls", "Write calls", "Shared-memory calls",
      ])
    let metrics: [Metric] = [
      .cacheHits, .cacheMisses, .cacheWrites, .cacheSpills, .sorts, .fullScanSteps, .readCalls, .writeCalls,
      .sharedMemoryCalls,
    ]
    for cell in scenario.cells {
      table.append(cell.label, metrics.map { count($0, of: cell, in: phase) })
    }
    return table
  }

  private static func disagreementTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable("Cell", ["Phase", "Figure", "Values"], alignment: .left)
    for cell in scenario.cells {
      for summary in cell.phases {
        for metric in Metric.allCases {
          guard let values = summary.disagreements[metric] else { continue }
          table.append(
            cell.label,
            [
              .text(summary.phase.rawValue), .text(metric.rawValue),
              .text(values.map { Digits.grouped($0) }.joined(separator: "; ")),
            ])
        }
      }
    }
    return table
  }

  /// That exact figures agreed can be said only of what was measured more than once.
  private static func agreement(of scenario: ScenarioResults) -> String {
    let passes = [Pass.counters, .memory].filter { pass in
      scenario.cells.contains { cell in cell.samples.filter { $0.pass == pass }.count > 1 }
    }
    return passes.isEmpty
      ? "No cell was measured twice in an exact pass, so whether these figures repeat was not seen."
      : "Every exact figure was the same in all samples of its cell (\(HumanUnits.list(passes.map(\.rawValue))))."
  }
}
