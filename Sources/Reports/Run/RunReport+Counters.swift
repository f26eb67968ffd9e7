// The WAL, input and output, and the counters that repeat to the bit.
internal import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

extension RunReport {
  static func walSection(on scenario: ScenarioReport, level: Int, in document: inout Document) {
    document.heading(level, "WAL and I/O")
    document.picture(WALPicture.growth(scenario))
    document.table(walTable(of: scenario))
    document.table(fileTable(of: scenario))
    let growth = growthTable(of: scenario)
    if growth.isEmpty { return }
    document.paragraph(
      "The WAL file's size while the rows of the \(scenario.question.operation.phase.rawValue) phase are handed to SQLite, all cells on one scale. Flat "
        + "stretches are real: frames wait in the page cache until it is full or the transaction commits. The "
        + "last block is taken after the last commit.")
    document.table(growth)
  }

  private static func walTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.question.operation.phase.rawValue)",
      [
        "WAL peak", "WAL at the end", "Written to the WAL", "Of that, over frames", "Frames", "Commits",
        "Largest commit, frames", "Generations", "Checkpoints", "Pages moved", "Longest checkpoint",
        "Largest backlog, frames",
      ])
    for cell in scenario.figures {
      let main = cell.main
      table.append(
        cell.label,
        [
          .bytes(main[.walPeak]), .bytes(main[.walFinal]), .bytes(main[.walBytesWritten]),
          .bytes(main[.walBytesRewritten]), .count(main[.walFrames]), .count(main[.walCommits]),
          .count(main[.walCommitPeak]), .count(main[.walGenerations]), .count(main[.checkpoints]),
          .count(main[.checkpointedPages]), .time(main[.longestCheckpoint]), .count(main[.walBacklogPeak]),
        ])
    }
    return table
  }

  private static func fileTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.question.operation.phase.rawValue)",
      [
        "Written in all", "To the database", "To a journal", "Read", "Syncs", "Of directories", "Time in syncs",
        "Longest sync", "Database", "Write amplification, WAL", "Write amplification, in all",
      ])
    for cell in scenario.figures {
      let main = cell.main
      table.append(
        cell.label,
        [
          .bytes(main[.bytesWritten]), .bytes(main[.databaseBytesWritten]), .bytes(main[.journalBytesWritten]),
          .bytes(main[.bytesRead]), .count(main[.syncs]), .count(main[.directorySyncs]), .time(main[.syncTime]),
          .time(main[.longestSync]), .bytes(cell.databaseBytes), .number(cell.writeAmplification),
          .number(cell.fullWriteAmplification),
        ])
    }
    return table
  }

  /// One line a cell whose WAL was watched; the scale reaches to the peaks.
  private static func growthTable(of scenario: ScenarioReport) -> Table {
    let grown = scenario.figures.compactMap { cell in cell.growth.map { (cell: cell, growth: $0) } }
    let highest = grown.map { max($0.growth.highest, $0.cell.main[.walPeak].figure ?? 0) }.max() ?? 0
    var table = Table("Cell", ["Growth", "Highest point", "WAL peak"], alignment: .left)
    for (cell, growth) in grown {
      table.append(
        cell.label,
        [
          .text(Sparkline.text(growth.points.map(\.walBytes), highest: highest)),
          .text(HumanUnits.bytes(growth.highest)),
          .bytes(cell.main[.walPeak]),
        ])
    }
    return table
  }

  static func counterSection(on scenario: ScenarioReport, level: Int, in document: inout Document) {
    document.heading(level, "Exact counters")
    document.table(counterTable(of: scenario))
    document.table(libraryTable(of: scenario))
    let disagreements = disagreementTable(of: scenario)
    if disagreements.isEmpty {
      document.paragraph(agreement(of: scenario.repeatedPasses))
    } else {
      document.paragraph("**These exact figures differed between samples of one cell, which they should not:**")
      document.table(disagreements)
    }
  }

  private static func counterTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.question.operation.phase.rawValue)",
      [
        "VM steps", "VM steps a row", "Statements", "Allocations a row", "Heap peak, bytes", "WAL written, bytes",
        "Of that, over frames", "Written in all, bytes", "Syncs", "Of directories",
      ])
    for cell in scenario.figures {
      let main = cell.main
      table.append(
        cell.label,
        [
          .count(main[.vmSteps]), .number(main.perRow(.vmSteps)), .count(main[.statements]),
          .number(main.perRow(.allocations)), .count(main[.heapPeak]), .count(main[.walBytesWritten]),
          .count(main[.walBytesRewritten]), .count(main[.bytesWritten]), .count(main[.syncs]),
          .count(main[.directorySyncs]),
        ])
    }
    return table
  }

  /// What SQLite itself tells of its work.
  private static func libraryTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.question.operation.phase.rawValue)",
      [
        "Pages found in memory", "Pages read", "Pages written", "Pages spilled", "Sorts", "Full-scan steps",
        "Read calls", "Write calls", "Shared-memory calls",
      ])
    let metrics: [MetricID] = [
      .cacheHits, .cacheMisses, .cacheWrites, .cacheSpills, .sorts, .fullScanSteps, .readCalls, .writeCalls,
      .sharedMemoryCalls,
    ]
    for cell in scenario.figures { table.append(cell.label, metrics.map { .count(cell.main[$0]) }) }
    return table
  }

  private static func disagreementTable(of scenario: ScenarioReport) -> Table {
    var table = Table("Cell", ["Phase", "Figure", "Values"], alignment: .left)
    for cell in scenario.figures {
      for phase in cell.phases {
        for metric in MetricID.allCases {
          guard let values = phase.disagreements[metric] else { continue }
          table.append(
            cell.label,
            [
              .text(phase.phase.rawValue), .text(metric.rawValue),
              .text(values.map { Digits.grouped($0) }.joined(separator: "; ")),
            ])
        }
      }
    }
    return table
  }

  /// That exact figures agreed can be said only of what was measured more than once.
  private static func agreement(of passes: [Pass]) -> String {
    passes.isEmpty
      ? "No cell was measured twice in an exact pass, so whether these figures repeat was not seen."
      : "Every exact figure was the same in all samples of its cell (\(HumanUnits.list(passes.map(\.rawValue))))."
  }
}
