// The WAL, input and output, and the counters that repeat exactly.
internal import Analysis

extension RunReport {
  static func walSection(on scenario: ScenarioReport, level: Int, in document: inout Document) {
    document.heading(level, "WAL and I/O")
    let growth = WALPicture.growth(scenario)
    // If the question asks about it, it is shown above.
    let isShown = scenario.about != .walPeak
    if isShown { document.picture(growth) }
    if growth != nil {
      document.paragraph(
        "\(isShown ? "Flat stretches" : "Flat stretches of the WAL's growth") are real: pages wait in SQLite's page cache until it is full or the transaction commits. The last "
          + "point is taken after the last commit.")
    }
    document.table(walTable(of: scenario))
    document.table(fileTable(of: scenario))
  }

  static func walTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        .bytes("WAL peak"), .bytes("WAL at the end"), .bytes("Written to the WAL"), .bytes("Written over WAL frames"),
        .number("Frames"), .number("Commits"), .number("Largest commit", of: "frames"), .number("Restarts"),
        .number("Checkpoints"), .number("Pages moved"), .time("Longest checkpoint"),
        .number("Largest backlog", of: "frames"),
      ])
    // A store with another journal has no WAL.
    table.leavesOutGaps = true
    for cell in scenario.leastFirst(.walPeak) {
      let main = cell.main
      table.append(
        cell.label,
        [
          .figure(main[.walPeak]), .figure(main[.walFinal]), .figure(main[.walBytesWritten]),
          .figure(main[.walBytesRewritten]), .figure(main[.walFrames]), .figure(main[.walCommits]),
          .figure(main[.walCommitPeak]), .figure(main[.walRestarts]), .figure(main[.checkpoints]),
          .figure(main[.checkpointedPages]), .nanoseconds(main[.longestCheckpoint]), .figure(main[.walBacklogPeak]),
        ])
    }
    return table
  }

  static func fileTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        .bytes("Written in all"), .bytes("Written to the database"), .bytes("Written to a journal"), .bytes("Read"),
        .number("Syncs"),
        .number("Syncs of directories"), .time("Time in syncs"), .time("Longest sync"), .bytes("Database"),
        .ratio("Write amplification, WAL"), .ratio("Write amplification, in all"),
      ])
    for cell in scenario.leastFirst(.bytesWritten) {
      let main = cell.main
      table.append(
        cell.label,
        [
          .figure(main[.bytesWritten]), .figure(main[.databaseBytesWritten]), .figure(main[.journalBytesWritten]),
          .figure(main[.bytesRead]), .figure(main[.syncs]), .figure(main[.directorySyncs]),
          .nanoseconds(main[.syncTime]), .nanoseconds(main[.longestSync]), .figure(cell.databaseBytes),
          .figure(cell.writeAmplification), .figure(cell.fullWriteAmplification),
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

  static func counterTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        .number("VM steps"), .number("VM steps a row"), .number("Statements"), .number("Allocations a row"),
        .number("Heap peak", of: "bytes"), .number("WAL written", of: "bytes"),
        .number("Written over WAL frames", of: "bytes"),
        .number("Written in all", of: "bytes"), .number("Syncs"), .number("Syncs of directories"),
      ])
    for cell in scenario.leastFirst(.vmSteps) {
      let main = cell.main
      table.append(
        cell.label,
        [
          .figure(main[.vmSteps]), .figure(main.perRow(.vmSteps)), .figure(main[.statements]),
          .figure(main.perRow(.allocations)), .figure(main[.heapPeak]), .figure(main[.walBytesWritten]),
          .figure(main[.walBytesRewritten]), .figure(main[.bytesWritten]), .figure(main[.syncs]),
          .figure(main[.directorySyncs]),
        ])
    }
    return table
  }

  /// The figures that SQLite itself reports.
  static func libraryTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        "Pages found in memory", "Pages read", "Pages written", "Pages spilled", "Sorts", "Full scans",
        "Full-scan steps", "Rows of automatic indexes", "Prepared again", "Read calls", "Write calls",
        "Shared-memory calls",
      ].map { .number($0) })
    let metrics: [MetricID] = [
      .cacheHits, .cacheMisses, .cacheWrites, .cacheSpills, .sorts, .fullScans, .fullScanSteps,
      .automaticIndexRows, .repreparations, .readCalls, .writeCalls, .sharedMemoryCalls,
    ]
    for cell in scenario.leastFirst(.vmSteps) { table.append(cell.label, metrics.map { .figure(cell.main[$0]) }) }
    return table
  }

  private static func disagreementTable(of scenario: ScenarioReport) -> Table {
    var table = Table("Cell", [.text("Phase"), .text("Figure"), .text("Values")])
    for cell in scenario.cells {
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

  /// A note on which exact figures agreed, which is only known for those measured more than once.
  private static func agreement(of passes: [Pass]) -> String {
    passes.isEmpty
      ? "No cell was measured twice in an exact pass, so it is not known whether these figures repeat."
      : "Every exact figure was the same in all samples of its cell (\(HumanUnits.list(passes.map(\.rawValue))))."
  }
}
