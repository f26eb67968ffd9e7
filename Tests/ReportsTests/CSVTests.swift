// The CSV files: their columns, their quoting, their gaps.
import Analysis
import Harness
import Reports
import Scenarios
import Testing
import Workloads

@Suite("A5 · CSV")
struct CSVTests {
  private func header(_ text: String) throws -> String {
    try #require(CSVParser.rows(text)?.first).joined(separator: ", ")
  }

  @Test("The columns of summary.csv are pinned, new ones at the end", .tags(.a5))
  func summaryColumns() throws {
    #expect(
      try header(SummaryCSV.render(Fixture.standard.results))
        == """
        scenario, cell, engine, strategy, parameters, phase, rows, samples, failed, wall_median_s, wall_low_s, \
        wall_high_s, cpu_median_s, rows_per_s, times_reference, heap_peak_bytes, heap_peak_sqlite_bytes, \
        jemalloc_allocated_peak_bytes, jemalloc_resident_peak_bytes, rss_peak_bytes, allocations, allocated_bytes, \
        wal_peak_bytes, wal_final_bytes, wal_bytes_written, wal_frames, checkpoints, syncs, bytes_written, vm_steps, \
        statements, db_bytes, content_hash, times_reference_low, times_reference_high, comparable, missing, \
        heap_peak_rest_bytes, allocations_sqlite, bytes_read, read_calls, write_calls, db_bytes_written, \
        journal_bytes_written, temp_bytes_written, db_syncs, wal_syncs, journal_syncs, sync_time_ns, longest_sync_ns, \
        wal_generations, wal_commits, wal_commit_peak_frames, wal_backlog_peak_frames, checkpointed_pages, \
        checkpoint_time_ns, longest_checkpoint_ns, shm_calls, cache_hits, cache_misses, cache_writes, cache_spills, \
        sorts, full_scan_steps, jemalloc_active_peak_bytes, jemalloc_retained_peak_bytes, \
        jemalloc_allocated_after_bytes, jemalloc_active_after_bytes, jemalloc_resident_after_bytes
        """)
  }

  @Test("The columns of samples.csv and growth.csv are pinned", .tags(.a5, .a4))
  func otherColumns() throws {
    #expect(
      try header(SamplesCSV.render(Fixture.standard.results))
        == """
        scenario, cell, engine, strategy, parameters, pass, round, phase, rows, wall_s, cpu_s, heap_peak_bytes, \
        heap_peak_sqlite_bytes, jemalloc_allocated_peak_bytes, jemalloc_resident_peak_bytes, rss_peak_bytes, \
        allocations, allocated_bytes, wal_peak_bytes, wal_final_bytes, wal_bytes_written, wal_frames, checkpoints, \
        syncs, bytes_written, vm_steps, statements, db_bytes, stored_rows, content_hash, status, reason, comparable, \
        heap_peak_rest_bytes, allocations_sqlite, bytes_read, read_calls, write_calls, db_bytes_written, \
        journal_bytes_written, temp_bytes_written, db_syncs, wal_syncs, journal_syncs, sync_time_ns, longest_sync_ns, \
        wal_generations, wal_commits, wal_commit_peak_frames, wal_backlog_peak_frames, checkpointed_pages, \
        checkpoint_time_ns, longest_checkpoint_ns, shm_calls, cache_hits, cache_misses, cache_writes, cache_spills, \
        sorts, full_scan_steps, jemalloc_active_peak_bytes, jemalloc_retained_peak_bytes, \
        jemalloc_allocated_after_bytes, jemalloc_active_after_bytes, jemalloc_resident_after_bytes
        """)
    #expect(
      try header(GrowthCSV.render(Fixture.standard.results))
        == "scenario, cell, engine, strategy, parameters, pass, round, rows, wal_bytes, wal_frames, comparable")
  }

  @Test("A row a cell and phase, a row a sample and phase, a row a growth point", .tags(.a5, .a4))
  func rowCounts() {
    let results = Fixture.standard.results
    #expect(CSVParser.records(SummaryCSV.render(results)).count == 5 * 2)
    #expect(CSVParser.records(SamplesCSV.render(results)).count == 5 * (8 + 2 + 2) * 2)
    #expect(CSVParser.records(GrowthCSV.render(results)).count == 5 * 2 * 10)
  }

  @Test(
    "Any text survives", .tags(.a5),
    arguments: [
      "plain", "a,b", "say \"so\"", "\"", "two\r\nlines", "one\nfeed", "one\rreturn", "Þingvellir, 日本 🌋", "e\u{301}",
      " spaced ", "", "\"\"\"", ",,,", "\r\n",
    ])
  func anyText(nasty: String) throws {
    var fixture = Fixture.standard
    fixture["save"].cell.engine = nasty
    fixture["save"].cell.parameters = [nasty: .count(1), "b": .all]
    fixture["save"].failures = [
      FailedSample(cell: "save", pass: .memory, round: 3, reason: nasty, standardError: nasty)
    ]
    let cell = fixture["save"].cell
    let results = fixture.results
    let summary = CSVParser.records(SummaryCSV.render(results)).filter { $0["strategy"] == "save" }
    #expect(summary.count == 2)
    #expect(summary.allSatisfy { Array(($0["engine"] ?? "").utf8) == Array(nasty.utf8) })
    #expect(summary.allSatisfy { $0["parameters"] == cell.parametersText && $0["cell"] == cell.id })
    let failed = CSVParser.records(SamplesCSV.render(results)).filter { $0["status"] == "failed" }
    #expect(failed.map { $0["reason"] } == [nasty])
    #expect(failed.map { $0["phase"] } == [""])
    #expect(failed.map { $0["round"] } == ["3"])
    #expect(!CSVParser.records(GrowthCSV.render(results)).isEmpty)
  }

  @Test("What was not measured is empty, never zero", .tags(.a5))
  func gaps() throws {
    var fixture = Fixture.standard
    fixture["save"].withoutPasses = [.memory, .timing]
    fixture.cells.removeAll { $0.cell.engine == "sqlite" }
    let records = CSVParser.records(SummaryCSV.render(fixture.results))
    let record = try #require(records.first { $0["strategy"] == "save" && $0["phase"] == "ingest" })
    for column in [
      "wall_median_s", "wall_low_s", "wall_high_s", "cpu_median_s", "rows_per_s", "times_reference", "heap_peak_bytes",
      "rss_peak_bytes", "allocations", "times_reference_low", "times_reference_high",
    ] { #expect(record[column] == "", "\(column)") }
    #expect(record["samples"] == "0")
    #expect(record["wal_frames"] == "3156")
  }

  @Test("A figure that is not a number is left empty", .tags(.a5))
  func notFinite() throws {
    var results = Fixture.standard.results
    results.scenarios[0].cells[0].phases[1].wall = Estimate(median: .nan, low: -.infinity, high: .infinity)
    let record = try #require(CSVParser.records(SummaryCSV.render(results)).first { $0["phase"] == "ingest" })
    #expect(record["wall_median_s"] == "")
    #expect(record["wall_low_s"] == "")
    #expect(record["wall_high_s"] == "")
  }

  @Test("A cell that never succeeded still has a row that counts its failures", .tags(.a5))
  func neverSucceeded() throws {
    var fixture = Fixture.standard
    fixture["save"].withoutPasses = Set(Pass.allCases)
    fixture["save"].failures = [1, 2].map {
      FailedSample(cell: "save", pass: .timing, round: $0, reason: "died", standardError: "")
    }
    let rows = CSVParser.records(SummaryCSV.render(fixture.results)).filter { $0["strategy"] == "save" }
    #expect(rows.map { $0["failed"] } == ["2"])
    #expect(rows.map { $0["samples"] } == ["0"])
    #expect(rows.map { $0["rows"] } == [""])
    #expect(rows.map { $0["content_hash"] } == [""])
  }
}
