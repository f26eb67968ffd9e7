// The CSV files: columns, quoting, gaps.
import Foundation
import Analysis
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

/// The columns of the metrics, which their instruments declare.
enum MetricColumns {
  static let all = MetricID.allCases.map { metric in
    metric.declaration.unit == .nanoseconds
      ? metric.declaration.column.replacing(/_ns$/, with: "_s") : metric.declaration.column
  }
}

@Suite("A5 · CSV")
struct CSVTests {
  /// The columns, except for those of parameters, which depend on the run.
  private func columns(_ text: String) throws -> [String] {
    try #require(CSVParser.rows(text)?.first).filter { !$0.hasPrefix("parameter_") }
  }

  /// The columns, with `METRICS` in place of those of the metrics.
  private func header(_ text: String) throws -> String {
    let metrics = MetricColumns.all
    var header: [String] = []
    for column in try columns(text) {
      let name = metrics.contains(column) ? "METRICS" : column
      if header.last != name { header.append(name) }
    }
    return header.joined(separator: ", ")
  }

  @Test("The columns of summary.csv are pinned, in groups: times, memory, WAL, files, SQLite, the run", .tags(.a5))
  func summaryColumns() throws {
    #expect(
      try header(SummaryCSV.render(Fixture.standard.results))
        == """
        scenario, cell, engine, strategy, parameters, phase, rows, samples, failed, missing, wall_median_s, \
        wall_low_s, wall_high_s, wall_min_s, wall_p25_s, wall_p75_s, wall_p95_s, wall_max_s, cpu_median_s, rows_per_s, \
        times_reference, times_reference_low, \
        times_reference_high, METRICS, finished_db_bytes, content_hash, comparable, run_id, started, commit, machine
        """)
  }

  @Test("The columns of samples.csv and growth.csv are pinned", .tags(.a5, .a4))
  func otherColumns() throws {
    #expect(
      try header(SamplesCSV.render(Fixture.standard.results))
        == """
        scenario, cell, engine, strategy, parameters, pass, round, phase, rows, wall_s, cpu_s, run_delay_s, steal_s, \
        voluntary_switches, involuntary_switches, major_faults, minor_faults, cpu_pressure_s, io_pressure_s, \
        METRICS, stored_rows, content_hash, status, \
        reason, comparable, run_id, started, commit, machine
        """)
    #expect(
      try columns(GrowthCSV.render(Fixture.standard.results)).joined(separator: ", ")
        == "scenario, cell, engine, strategy, parameters, pass, round, rows, wal_bytes, wal_frames, checkpoints, comparable, "
        + "run_id, started, commit, machine")
  }

  @Test("Every metric has a column in the order in which its instrument declares it", .tags(.a5))
  func metricColumns() throws {
    for text in [SummaryCSV.render(Fixture.standard.results), SamplesCSV.render(Fixture.standard.results)] {
      #expect(try columns(text).filter(MetricColumns.all.contains) == MetricColumns.all)
    }
  }
}

extension CSVTests {
  @Test("Each parameter has a column, with the default if a cell does not set it", .tags(.a5))
  func parameterColumns() throws {
    var fixture = Fixture.standard
    fixture["save"].cell.parameters = ["save_every": .count(100)]
    fixture["batch-dictionary"].cell.defaults = ["request_size": .all]
    for text in [
      SummaryCSV.render(fixture.results), SamplesCSV.render(fixture.results), GrowthCSV.render(fixture.results),
    ] {
      let records = CSVParser.records(text)
      let save = try #require(records.first { $0["strategy"] == "save" })
      #expect(save["parameter_save_every"] == "100" && save["parameter_request_size"] == "")
      let batch = try #require(records.first { $0["strategy"] == "batch-dictionary" })
      #expect(batch["parameter_request_size"] == "all" && batch["parameter_save_every"] == "")
    }
  }

  @Test("Times spread from the least to the greatest, in seconds with nine decimals", .tags(.a5, .a2))
  func spread() throws {
    var fixture = Fixture.standard
    fixture["save"].walls = [5, 1, 2, 3, 4]
    let records = CSVParser.records(SummaryCSV.render(fixture.results))
    let save = try #require(records.first { $0["strategy"] == "save" && $0["phase"] == "ingest" })
    #expect(
      ["wall_min_s", "wall_p25_s", "wall_p75_s", "wall_p95_s", "wall_max_s"].map { save[$0] } == [
        "1.000000000", "2.000000000", "4.000000000", "4.800000000", "5.000000000",
      ])
  }

  @Test("A sample of a round in which another cell failed is set aside, and every other sample is ok", .tags(.a5))
  func status() throws {
    var fixture = Fixture.standard
    fixture["save"].failures = [
      FailedSample(cell: fixture["save"].cell.id, pass: .timing, round: 3, reason: "it died", standardError: "")
    ]
    let records = CSVParser.records(SamplesCSV.render(fixture.results))
    let failed = records.filter { $0["status"] == "failed" }
    #expect(failed.count == 1 && failed.first?["reason"] == "it died" && failed.first?["round"] == "3")
    for record in records where record["status"] != "failed" {
      let isInRound = record["pass"] == "timing" && record["round"] == "3"
      #expect(record["status"] == (isInRound ? "set_aside" : "ok"))
      #expect(record["reason"] == (isInRound ? "another sample failed in this round" : ""))
    }
    #expect(Set(records.compactMap { $0["status"] }) == ["ok", "set_aside", "failed"])
  }

  @Test("The documentation explains every column", .tags(.a5))
  func dictionary() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/BatchmarkCLI/BatchmarkCLI.docc/ReportReference.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(page.firstRange(of: "## Columns").map { page[$0.upperBound...] })
    let results = Fixture.standard.results
    for text in [SummaryCSV.render(results), SamplesCSV.render(results), GrowthCSV.render(results)] {
      for column in try columns(text) {
        #expect(
          section.contains("`\(column)`") || section.contains("`\(column),") || section.contains(" \(column),")
            || section.contains(" \(column)`"), "\(column)")
      }
    }
  }
}

extension CSVTests {
  @Test("Every record names its run; outside of a repository the commit is empty", .tags(.a5))
  func runColumns() throws {
    var results = Fixture.standard.results
    for text in [SummaryCSV.render(results), SamplesCSV.render(results), GrowthCSV.render(results)] {
      for record in CSVParser.records(text) {
        #expect(record["run_id"] == results.run.runID && record["started"] == results.run.started)
        #expect(record["commit"] == "0123456789abcdef0123456789abcdef01234567-dirty")
        #expect(record["machine"] == "Some CPU, 2 online, 7.8 GiB")
      }
    }
    results.run.commit = nil
    #expect(CSVParser.records(SummaryCSV.render(results)).allSatisfy { $0["commit"] == "" })
  }

  @Test("The files have a row per cell and phase, per sample and phase, and per growth point", .tags(.a5, .a4))
  func rowCounts() {
    let results = Fixture.standard.results
    #expect(CSVParser.records(SummaryCSV.render(results)).count == 5 * 2)
    #expect(CSVParser.records(SamplesCSV.render(results)).count == 5 * (8 + 2 + 2) * 2)
    #expect(CSVParser.records(GrowthCSV.render(results)).count == 5 * 2 * 10)
  }

  @Test(
    "Any text is read back unchanged", .tags(.a5),
    arguments: [
      "plain", "a,b", "say \"so\"", "\"", "Þingvellir, 日本 🌋", "e\u{301}", " spaced ", "\"\"\"", ",,,",
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
}

extension CSVTests {
  @Test(
    "A field is never a formula and has one line; a number stays a number", .tags(.a5),
    arguments: [
      ("=1+1", "'=1+1"), ("+A1", "'+A1"), ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
      ("@SUM(A1,A2)", "'@SUM(A1,A2)"),
      (" =1", "' =1"), ("\t=1", "' =1"), ("two\r\nlines", "two lines"), ("one\rreturn", "one return"), ("\r\n", " "),
      ("a\u{1B}[2J", "a [2J"), ("-5", "-5"), ("+1.5E-3", "+1.5E-3"), ("-", "'-"),
    ])
  func harmless(text: String, read: String) {
    var fixture = Fixture.standard
    fixture["save"].failures = [
      FailedSample(cell: "save", pass: .memory, round: 3, reason: text, standardError: "")
    ]
    let samples = SamplesCSV.render(fixture.results)
    #expect(CSVParser.records(samples).filter { $0["status"] == "failed" }.map { $0["reason"] } == [read])
    #expect(samples.contains("\"\(read)\"") || !read.hasPrefix("'"))
  }

  @Test("A missing figure is empty, never zero", .tags(.a5))
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

  @Test("A rate of less than 10 rows a second has three significant digits, any other one decimal", .tags(.a5))
  func rates() throws {
    var results = Fixture.standard.results
    let main = try #require(results.scenarios[0].cells[0].phases.firstIndex { $0.phase == .ingest })
    let rates: [(Double, String)] = [
      (0.041_26, "0.0413"), (0.000_041_26, "0.0000413"), (9.996, "10.0"), (1.5, "1.50"), (12.34, "12.3"),
      (12_345_678.94, "12345678.9"), (0, "0.0"),
    ]
    for (rate, text) in rates {
      results.scenarios[0].cells[0].phases[main].rowsPerSecond = .figure(rate)
      let record = CSVParser.records(SummaryCSV.render(results)).first { $0["phase"] == "ingest" }
      #expect(record?["rows_per_s"] == text)
    }
  }

  @Test("A ratio to the reference has four decimals, or three significant digits if it is small", .tags(.a5))
  func smallRatios() throws {
    var results = Fixture.standard.results
    let main = try #require(results.scenarios[0].cells[0].phases.firstIndex { $0.phase == .ingest })
    results.scenarios[0].cells[0].phases[main].timesReference = .figure(
      Estimate(median: 0.000_512_3, low: 0.000_051_26, high: 1.234_56))
    let record = try #require(CSVParser.records(SummaryCSV.render(results)).first { $0["phase"] == "ingest" })
    let columns = ["times_reference", "times_reference_low", "times_reference_high"]
    #expect(columns.map { record[$0] } == ["0.000512", "0.0000513", "1.2346"])
  }

  @Test("A figure that is not a number is left empty", .tags(.a5))
  func notFinite() throws {
    var results = Fixture.standard.results
    results.scenarios[0].cells[0].phases[1].wall = .figure(
      Estimate(median: .nan, low: -.infinity, high: .infinity))
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
