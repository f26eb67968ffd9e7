// The figures of files, log and library in a report, compared with those that the scenario must cause.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A4 · the counters of a run", .tags(.a4))
struct CounterTests {
  private func cells(_ cells: [String], rows: Int, store: String) async throws -> [CellReport] {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: cells, source: "{generate: {rows: \(rows)}}", store: store)
    let result = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
  }

  @Test("A pinned reader starves checkpoints, whichever strategy writes: the backlog is the whole log")
  func starvation() async throws {
    let cells = try await cells(
      [
        "{strategy: save, save_every: 20}", "{strategy: save, save_every: 20, reader: pinned}",
        "{strategy: batch-dictionary, request_size: 20}",
        "{strategy: batch-dictionary, request_size: 20, reader: pinned}",
      ], rows: 800, store: "{journal_mode: wal, wal_autocheckpoint: 10}")
    let figures = try cells.map { try #require($0.summary(of: .ingest)).metrics }
    for (fed, starved) in [(figures[0], figures[1]), (figures[2], figures[3])] {
      #expect(fed[.walCommits] == 40 && starved[.walCommits] == 40)
      #expect(fed[.walFrames] == starved[.walFrames])
      #expect(starved[.walBacklogPeak] == starved[.walFrames])
      #expect(try #require(fed[.walBacklogPeak]) < #require(starved[.walBacklogPeak]) / 3)
      // The log continues where it was when the reader began, at its very beginning.
      #expect(starved[.walRestarts] == 1)
      #expect(try #require(fed[.walRestarts]) > 3)
      #expect(try #require(fed[.checkpointedPages]) > #require(starved[.checkpointedPages]))
    }
    for cell in cells {
      let growth = try #require(cell.samples.first { $0.pass == .counters }).growth
      let checkpoints = try #require(cell.summary(of: .ingest)).metrics[.checkpoints]
      #expect(
        growth.last?.checkpoints == checkpoints && growth.map(\.checkpoints).max() == checkpoints, "\(cell.cell.id)")
      #expect(Set(growth.map(\.checkpoints)).count > 2 || cell.cell[.reader] == .pinned, "\(cell.cell.id)")
    }
  }

  @Test("The heap timeline reaches the exact peak, and is never below SQLite's part")
  func heapCourse() async throws {
    let cells = try await cells(
      ["{strategy: save}", "{strategy: batch-objects}", "{engine: grdb, strategy: statement}"], rows: 2_000, store: "{}"
    )
    try #require(!cells.isEmpty)
    for cell in cells {
      let sample = try #require(cell.samples.first { $0.pass == .memory })
      let peak = try #require(cell.summary(of: .ingest)).metrics[.heapPeak]
      #expect(sample.heap.map(\.liveBytes).max() == peak, "\(cell.cell.id)")
      #expect(sample.heap.first == HeapPoint(seconds: 0, liveBytes: 0, sqliteBytes: 0))
      #expect(sample.heap.contains { $0.sqliteBytes > 0 })
      #expect(sample.heap.allSatisfy { $0.sqliteBytes <= max($0.liveBytes, 0) })
      #expect(sample.heap.count <= 66 && cell.samples.filter { $0.pass != .memory }.allSatisfy(\.heap.isEmpty))
    }
  }

  @Test("Syncs and bytes add up over the files, and sync time is zero without syncs")
  func sums() async throws {
    for synchronous in ["off", "normal", "full"] {
      let cell = try #require(
        try await cells(
          ["{strategy: save, save_every: 50}"], rows: 200,
          store: "{journal_mode: wal, synchronous: \(synchronous), wal_autocheckpoint: 1000}"
        ).first)
      let ingest = try #require(cell.summary(of: .ingest)).metrics
      func value(_ metric: MetricID) throws -> Int64 { try #require(ingest[metric], "\(metric.rawValue)") }
      #expect(try value(.walCommits) == 4)
      // One for the log's header, and one per commit if requested.
      #expect(try value(.walSyncs) == (synchronous == "off" ? 0 : synchronous == "full" ? 5 : 1))
      #expect(try value(.syncs) == value(.walSyncs) + value(.databaseSyncs) + value(.journalSyncs))
      #expect(
        try value(.bytesWritten) == value(.walBytesWritten) + value(.databaseBytesWritten)
          + value(.journalBytesWritten) + value(.temporaryBytesWritten))
      #expect(try (value(.syncTime) > 0) == (synchronous != "off"))
      #expect(try value(.longestSync) <= value(.syncTime))
      #expect(try value(.cacheWrites) == value(.walFrames))
      let checkpoint = try #require(cell.summary(of: .checkpoint)).metrics
      #expect(checkpoint[.checkpoints] == 1)
      #expect(try #require(checkpoint[.longestCheckpoint]) > 0)
      let resident = try #require(ingest[.jemallocResidentAfter] ?? (passes == 2 ? 1 : nil))
      #expect(resident > 0)
      #expect((ingest[.jemallocActiveAfter] ?? 0) >= (ingest[.jemallocAllocatedAfter] ?? 0))
    }
  }
}

extension CounterTests {
  @Test("Without a WAL its figures are absent, and the rollback journal has figures of its own")
  func journal() async throws {
    let cell = try #require(
      try await cells(["{strategy: save, save_every: 50}"], rows: 200, store: "{journal_mode: delete}").first)
    let ingest = try #require(cell.summary(of: .ingest)).metrics
    for metric in MetricID.allCases where metric.isOfWAL { #expect(ingest[metric] == nil, "\(metric.rawValue)") }
    #expect(try #require(ingest[.journalBytesWritten]) > 0)
    #expect(try #require(ingest[.journalSyncs]) == 8, "two a commit, as synchronous is full")
    #expect(ingest[.databaseSyncs] == 4)
  }

  @Test("Every counter works for GRDB too, and its statements take as many steps as the reference's")
  func peers() async throws {
    let cells = try await cells(
      ["insert, engine: sqlite", "statement, engine: grdb", "record, engine: grdb", "codable, engine: grdb"]
        .map { "{strategy: \($0)}" }, rows: 500, store: "{journal_mode: wal}")
    let figures = try cells.map { try #require($0.summary(of: .ingest)).metrics }
    #expect(figures.count == 4)
    for (cell, metrics) in zip(cells, figures) {
      #expect(Set(metrics.keys) == Set(figures[0].keys), "\(cell.cell.id)")
      #expect(metrics[.statements] == figures[0][.statements], "\(cell.cell.id)")
      #expect(try #require(metrics[.vmSteps]) >= #require(figures[0][.vmSteps]), "\(cell.cell.id)")
      #expect(metrics[.walFrames] == figures[0][.walFrames], "\(cell.cell.id)")
      #expect(cell.samples.first { $0.pass == .counters }?.growth.count == 51, "\(cell.cell.id)")
      // The note on an upsert that increments versions is GRDB's own.
      let notes = cell.samples.map { $0.notes.filter { !$0.contains("upsertAndFetch") } }
      #expect(notes == cells[0].samples.map(\.notes), "\(cell.cell.id)")
    }
    #expect(figures[0][.vmSteps] == figures[1][.vmSteps])
  }

  @Test("Several rows a step need no statement journal, however many index pages they touch")
  func statementJournal() async throws {
    for rows in ["50", "1000"] {
      let cell = try #require(
        try await cells(
          ["{engine: sqlite, strategy: insert-many, rows_per_step: \(rows)}"], rows: 8_000, store: "{cache_size: -64}"
        ).first)
      let ingest = try #require(cell.summary(of: .ingest)).metrics
      #expect(ingest[.temporaryBytesWritten] == 0)
      #expect(try #require(ingest[.cacheSpills]) > 0)
    }
  }

  @Test("The backlog is unknown in exclusive locking mode, and the report says why")
  func exclusive() async throws {
    let cell = try #require(
      try await cells(
        ["{engine: sqlite, strategy: insert}"], rows: 100, store: "{locking_mode: exclusive, journal_mode: wal}"
      ).first)
    let ingest = try #require(cell.summary(of: .ingest)).metrics
    #expect(ingest[.walBacklogPeak] == nil)
    #expect(ingest[.walCommits] == 1)
    let reason = "this locking mode takes no locks, which say when to look"
    #expect(cell.summary(of: .ingest)?[.walBacklogPeak].reason == reason)
  }
}
