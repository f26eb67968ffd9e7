// A5: a figure in summary.csv and on a page has the same value in both, or is missing in both.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

@Suite("A5 · figures of CSV and page", .tags(.a5))
struct FiguresAgreeTests {
  /// A column of a page's table of main phases, and the column of summary.csv with the same figure.
  private static let main: [(title: String, column: String)] = [
    ("Wall time", "wall_median_s"), ("CPU time", "cpu_median_s"), ("Rows a second", "rows_per_s"),
    ("Times the reference", "times_reference"),
    ("Heap peak", "heap_peak_bytes"), ("Resident peak", "rss_peak_bytes"), ("WAL peak", "wal_peak_bytes"),
    ("SQLite's part", "heap_peak_sqlite_bytes"), ("jemalloc allocated", "jemalloc_allocated_peak_bytes"),
    ("jemalloc resident", "jemalloc_resident_peak_bytes"), ("Allocations", "allocations"),
    ("Allocated", "allocated_bytes"), ("Resident after a purge", "jemalloc_resident_after_bytes"),
    ("WAL at the end", "wal_final_bytes"), ("Written to the WAL", "wal_bytes_written"),
    ("Written over WAL frames", "wal_bytes_rewritten"), ("Frames", "wal_frames"), ("Commits", "wal_commits"),
    ("Largest commit", "wal_commit_peak_frames"), ("Restarts", "wal_restarts"), ("Checkpoints", "checkpoints"),
    ("Pages moved", "checkpointed_pages"), ("Longest checkpoint", "longest_checkpoint_s"),
    ("Largest backlog", "wal_backlog_peak_frames"), ("Written in all", "bytes_written"),
    ("Written to the database", "db_bytes_written"), ("Written to a journal", "journal_bytes_written"),
    ("Read", "bytes_read"), ("Syncs", "syncs"), ("Syncs of directories", "directory_syncs"),
    ("Time in syncs", "sync_time_s"), ("Longest sync", "longest_sync_s"), ("Database", "finished_db_bytes"),
    ("VM steps", "vm_steps"), ("Statements", "statements"), ("WAL written", "wal_bytes_written"),
    ("Pages found in memory", "cache_hits"), ("Pages read", "cache_misses"), ("Pages written", "cache_writes"),
    ("Pages spilled", "cache_spills"), ("Sorts", "sorts"), ("Full-scan steps", "full_scan_steps"),
    ("Full scans", "full_scans"), ("Rows of automatic indexes", "automatic_index_rows"),
    ("Prepared again", "repreparations"), ("Read calls", "read_calls"), ("Write calls", "write_calls"),
    ("Shared-memory calls", "shm_calls"),
  ]

  private static let phases: [(title: String, column: String)] = [
    ("Rows", "rows"), ("Samples", "samples"), ("Wall time", "wall_median_s"), ("CPU time", "cpu_median_s"),
    ("Rows a second", "rows_per_s"),
  ]

  private func runs() throws -> [Report] {
    let fixtures: [Fixture] = [.standard, .troubled, .overhead, .update]
    return try fixtures.map(\.results) + [KeptResults.read()]
  }

  @Test("Each figure is the same in the main phase of every cell, including sqlite/empty")
  func mainPhases() throws {
    var compared: Set<String> = []
    for results in try runs() {
      let scenario = RunAnalysis(results).results.scenarios[0]
      let records = CSVParser.records(SummaryCSV.render(results))
      for cell in scenario.cells {
        let record = try #require(
          records.first { $0["cell"] == cell.cell.id && $0["phase"] == cell.mainPhase.rawValue })
        let tables = [
          RunReport.mainTable, RunReport.memoryTable, RunReport.walTable, RunReport.fileTable, RunReport.counterTable,
          RunReport.libraryTable, RunReport.contentsTable,
        ].map { $0(scenario) }
        for table in tables {
          let row = try #require(table.rows.first { $0.name == cell.label })
          for (column, value) in zip(table.columns.dropFirst(), row.values) {
            guard let pair = FiguresAgreeTests.main.first(where: { $0.title == column.title }) else { continue }
            let field = try #require(record[pair.column])
            #expect(isSame(value, field), "\(cell.cell.id) \(pair.column): \(field), and on the page \(value)")
            compared.insert(pair.title)
          }
        }
      }
    }
    #expect(compared == Set(FiguresAgreeTests.main.map(\.title)))
  }

  @Test("Each figure is the same in every phase of every cell")
  func allPhases() throws {
    for results in try runs() {
      let scenario = RunAnalysis(results).results.scenarios[0]
      let records = CSVParser.records(SummaryCSV.render(results))
      let table = RunReport.phaseTable(of: scenario)
      let titles = table.columns.dropFirst().map(\.title)
      #expect(!table.rows.isEmpty)
      for cell in scenario.cells {
        for phase in cell.phases {
          let row = try #require(
            table.rows.first { $0.name == cell.label && $0.values[0] == .text(phase.phase.rawValue) })
          let record = try #require(
            records.first { $0["cell"] == cell.cell.id && $0["phase"] == phase.phase.rawValue })
          for (title, column) in FiguresAgreeTests.phases {
            let value = row.values[try #require(titles.firstIndex(of: title))]
            let field = try #require(record[column])
            #expect(isSame(value, field), "\(cell.cell.id) \(phase.phase) \(column): \(field), on the page \(value)")
          }
        }
      }
    }
  }

  @Test("If no row is stored, there is no rate in CSV, on the page or in other tools' formats")
  func noRate() throws {
    let results = try KeptResults.read()
    let empty = try #require(results.scenarios[0].cells.first { $0.cell.role == .harnessCost })
    #expect(empty.main.wall.figure != nil && empty.main.rowsPerSecond.reason == "no row is stored in the phase")
    let records = CSVParser.records(SummaryCSV.render(results)).filter { $0["cell"] == empty.cell.id }
    #expect(records.first { $0["phase"] == "ingest" }?["rows_per_s"] == "")
    #expect(records.first { $0["phase"] == "load" }?["rows_per_s"] != "")
  }

  /// Whether both are gaps or the same number.
  private func isSame(_ value: Table.Value, _ field: String) -> Bool {
    switch value {
    case .absent: field.isEmpty
    case .whole(let count): field == "\(count)"
    case .estimate(let estimate):
      Double(field).map { abs($0 - estimate.median) <= precision(of: field) } ?? false
    case .text(let text): text == "1 (the reference)" && Double(field) == 1
    case .shift: false
    }
  }

  /// Half a unit of the field's last decimal.
  private func precision(of field: String) -> Double {
    0.501 * pow(10, -Double(field.split(separator: ".").dropFirst().first?.count ?? 0))
  }
}
