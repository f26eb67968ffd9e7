// Latencies for people and programs: the table, latency.csv, the schema of results, and titles about them.
import Analysis
import BatchmarkEngine
import Charts
import Harness
import MissionTags
import Statistics
import Testing

@testable import Reports

/// The standard run; during its first cell, 1,000 reads took 1 ms, 20 ms and once 300 ms.
enum LatencyFixture {
  static var tally: OperationTally {
    var tally = OperationTally()
    (tally.due, tally.done, tally.late, tally.retries) = (1_000, 999, 12, 7)
    tally.refusals = ["SQLITE_BUSY": 3, "SQLITE_BUSY_SNAPSHOT": 5]
    tally.busySeconds = 0.25
    let milliseconds: [UInt64] = Array(repeating: 1, count: 980) + Array(repeating: 20, count: 18) + [300, 300]
    tally.latency = LatencyHistogram(of: milliseconds.map { $0 * 1_000_000 })
    return tally
  }

  static var results: Report {
    var results = Fixture.standard.results
    let seconds = [0.001, 0.001, 0.02, 0.3, 0.3]
    results.scenarios[0].cells[0].latencies = [
      OperationLatency(
        .read, processes: 2, rate: 100, tally: tally,
        percentiles: zip(LatencyFigure.allCases, seconds).map {
          OperationLatency.Percentile($0, seconds: Estimate(median: $1, low: $1 / 2, high: $1 * 2))
        }, walBytes: 4_194_304, processors: 2)
    ]
    for index in results.scenarios[0].cells[0].samples.indices {
      results.scenarios[0].cells[0].samples[index].concurrent = ConcurrentMeasurement(
        classes: [ConcurrentOperations(.read, processes: 2, rate: 100, tally: tally)], walBytes: 4_194_304,
        course: course)
    }
    return results
  }

  /// Five slices of 20 ms.
  ///
  /// A stall of 300 ms began in the fourth. The WAL grew by 1 MiB per slice, up to 4 MiB.
  static var course: ConcurrentCourse {
    var slices = LatencySlices()
    for start: UInt64 in [0, 10, 20, 30, 60, 70, 80, 90] {
      slices.record(start == 70 ? 300_000_000 : 1_000_000, dueAfter: start * 1_000_000)
    }
    return ConcurrentCourse(
      sliceMilliseconds: 20, seconds: 0.1, classes: [OperationCourse(.read, slices.joined(by: 2), count: 5)],
      walBytes: [1, 2, 3, 4, 4].map { $0 << 20 })
  }
}

@Suite("A15 · latencies in reports", .tags(.a15))
struct LatencyReportTests {
  @Test(
    "latency.csv has a row per class with percentiles, intervals, refusals and the WAL, in seconds and bytes",
    .tags(.a5))
  func csv() throws {
    let lines = LatencyCSV.render(LatencyFixture.results).split(separator: "\r\n")
    #expect(lines.count == 2)
    let names = lines[0].split(separator: ",", omittingEmptySubsequences: false)
    let first = try #require(names.firstIndex(of: "operation"))
    let own = names[first...].prefix { $0 != "comparable" }
    #expect(
      own.joined(separator: ",")
        == "operation,processes,rate_per_s,due,done,late,retries,refusals,busy_s,p50_s,p50_low_s,p50_high_s,p90_s,"
        + "p90_low_s,p90_high_s,p99_s,p99_low_s,p99_high_s,p999_s,p999_low_s,p999_high_s,longest_s,wal_end_bytes,in")
    #expect(
      lines[1].contains(
        ",read,2,100,1000,999,12,7,SQLITE_BUSY 3; SQLITE_BUSY_SNAPSHOT 5,0.250000000,0.001000000,0.000500000,0.002000000,"
      ))
    #expect(lines[1].contains(",0.300000000,4194304,processes,"))
    var threads = LatencyFixture.results
    threads.scenarios[0].cells[0].latencies?[0].place = .threads
    #expect(LatencyCSV.render(threads).contains(",4194304,threads,"))
    #expect(RunReport.html(threads).contains("2 threads of the cell"))
    #expect(!RunReport.html(threads).contains("2 processes"))
    #expect(RunReport.html(LatencyFixture.results).contains("2 processes"))
    #expect(LatencyCSV.render(Fixture.standard.results).split(separator: "\r\n").count == 1)
  }

  @Test(
    "The page has the percentiles and the causes of waiting, and only if there are such cells", .tags(.a5))
  func page() {
    let page = RunReport.html(LatencyFixture.results)
    for words in ["Latency</h", "p99.9", "SQLITE_BUSY_SNAPSHOT 5", "What kept them waiting"] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!RunReport.html(Fixture.standard.results).contains("p99.9"))
    #expect(RunReport.markdown(LatencyFixture.results).contains("Operations beside the cell"))
    #expect(!RunReport.markdown(Fixture.standard.results).contains("Operations beside the cell"))
  }

  @Test(
    "A picture has a line per class with its percentiles, and comes first if the question is about a latency",
    .tags(.a5))
  func picture() throws {
    let results = LatencyFixture.results
    let chart = try #require(LatencyPicture.percentiles(results.scenarios[0])?.chart as? LineChart)
    #expect(chart.series.map(\.label) == [results.scenarios[0].cells[0].label])
    #expect(chart.series[0].points.map { Int($0.x.rounded()) } == [2, 10, 100, 1_000])
    #expect(chart.series[0].points.map(\.y) == [0.001, 0.001, 0.02, 0.3])
    #expect(LatencyPicture.percentiles(Fixture.standard.results.scenarios[0]) == nil)
    var asked = results
    asked.scenarios[0].about = .latency(.read, .p99)
    #expect(RunReport.full(asked).pictures.first?.name.hasSuffix("-latency") == true)
    #expect(RunReport.full(asked).pictures.count { $0.name.hasSuffix("-latency") } == 1)
  }

  @Test("Stored results give the same latencies back")
  func stored() throws {
    try withTemporaryDirectory { directory in
      let written = try ReportWriter(directory: directory).write(LatencyFixture.results)
      let stored = try #require(written.results)
      let cell = try #require(try ResultsFile.read(stored).scenarios.first?.cells.first)
      #expect(cell.latencies == LatencyFixture.results.scenarios[0].cells[0].latencies)
    }
  }
}

extension LatencyReportTests {
  /// The standard run, whose first cell saved three times.
  private var withRequests: Report {
    var results = Fixture.standard.results
    var tally = OperationTally()
    (tally.due, tally.done, tally.latency) = (3, 3, LatencyHistogram(of: [1_000_000, 2_000_000, 40_000_000]))
    results.scenarios[0].cells[0].requests = OperationLatency(
      .request, processes: 0, rate: 0, tally: tally,
      percentiles: [.init(.p50, seconds: Estimate(median: 0.002)), .init(.longest, seconds: Estimate(median: 0.04))],
      walBytes: nil, processors: nil)
    return results
  }

  @Test(
    "The requests of a cell have a table and a row of latency.csv, without columns for readers and writers", .tags(.a5))
  func requests() throws {
    let results = withRequests
    let page = RunReport.html(results)
    #expect(page.contains("Single requests") && !page.contains("Operations beside the cell"))
    #expect(!RunReport.html(Fixture.standard.results).contains("Single requests"))
    let lines = LatencyCSV.render(results).split(separator: "\r\n")
    #expect(lines.count == 2 && lines[1].contains(",request,,,,3,,,,,0.002000000,,,"), "\(lines)")
    try withTemporaryDirectory { directory in
      let written = try ReportWriter(directory: directory).write(results)
      let stored = try #require(written.results)
      let cell = try #require(try ResultsFile.read(stored).scenarios.first?.cells.first)
      #expect(cell.requests == results.scenarios[0].cells[0].requests)
    }
  }
}

extension LatencyReportTests {
  private typealias Reads = (engine: String, strategy: String, mode: String, milliseconds: Double)

  /// Cells in stores with two journal modes, in three rounds, with the times of the slowest concurrent reads.
  ///
  /// `share` is half the width of their intervals, relative to the times.
  private func modes(_ reads: [Reads], within share: Double? = nil) -> Report {
    let cells = reads.map { read in
      CellFixture(read.strategy, ["journal_mode": .word(read.mode)], of: read.engine, seconds: 0.3)
        .with { $0.pragmas = [StorePragma("journal_mode", read.mode)] }
    }
    var results = Fixture(cells: cells).asking(about: .latency(.read, .p99)).rounds(3).results
    for (index, read) in reads.enumerated() {
      let seconds = read.milliseconds / 1_000
      let estimate = Estimate(
        median: seconds, low: share.map { seconds * (1 - $0) }, high: share.map { seconds * (1 + $0) })
      results.scenarios[0].cells[index].latencies = [
        OperationLatency(
          .read, processes: 1, rate: 100, tally: LatencyFixture.tally,
          percentiles: [.init(.p99, seconds: estimate)], walBytes: nil, processors: 2)
      ]
      results.scenarios[0].cells[index].phases[1].metrics[.latency(.read, .p99)] = Int64(read.milliseconds * 1e6)
    }
    return results
  }

  @Test("With too few rounds, title and paragraph name every kind of work, and not only the last")
  func eachWork() {
    let reads: [Reads] = [
      ("objectgraph", "save", "wal", 0.5), ("objectgraph", "batch-objects", "wal", 6),
      ("objectgraph", "save", "delete", 2_000), ("objectgraph", "batch-objects", "delete", 5),
    ]
    let few = RunReport.text(modes(reads))
    #expect(
      few.hasPrefix(
        "# P99 of reads: 500 µs at `journal_mode=wal` to 2.00 s at `journal_mode=delete`; too few rounds\n"), "\(few)")
    #expect(
      few.contains(
        "\n**Too few rounds to rank the p99 of reads**: the shortest of each kind of work is 500 µs with `save` at "
          + "`journal_mode=wal` and 5.00 ms with `batch-objects` at `journal_mode=delete`, perhaps by chance. "
          + "Take 6 rounds or more.\n"),
      "\(few)")
    // Reads were faster during a cell that is not part of the question.
    let beside = RunReport.text(modes(reads + [("sqlite", "insert", "wal", 0.1)]))
    #expect(
      beside.contains("the shortest of each kind of work through the object graph is 500 µs with `save` at "),
      "\(beside)")
    #expect(beside.hasPrefix("# P99 of reads: 100 µs at `journal_mode=wal` to 2.00 s at "), "\(beside)")
    // With a single cell of each kind there is nothing to rank.
    let single = RunReport.text(modes([reads[0], reads[3]]))
    #expect(
      single.hasPrefix("# P99 of reads: 500 µs at `journal_mode=wal` to 5.00 ms at `journal_mode=delete`\n"),
      "\(single)")
    #expect(
      single.contains(
        "\n**No two cells did the same work**: the p99 of reads is 500 µs with `save` at `journal_mode=wal` and 5.00 ms "
          + "with `batch-objects` at `journal_mode=delete`.\n"),
      "\(single)")
  }
}

extension LatencyReportTests {
  @Test("If no kind of work ranks its cells, title and paragraph name every kind")
  func undecidedWorks() {
    let reads: [Reads] = [
      ("objectgraph", "save", "wal", 0.5), ("objectgraph", "batch-objects", "wal", 6),
      ("objectgraph", "save", "delete", 8), ("objectgraph", "batch-objects", "delete", 5),
    ]
    let text = RunReport.text(modes(reads, within: 0.99))
    #expect(
      text.hasPrefix(
        "# P99 of reads: 500 µs at `journal_mode=wal` to 8.00 ms at `journal_mode=delete`; order unclear\n"), "\(text)")
    #expect(
      text.contains(
        "\n**No cell has others wait longer for certain**: the shortest p99 of reads of each kind of work is 500 µs with "
          + "`save` at `journal_mode=wal` and 5.00 ms with `batch-objects` at `journal_mode=delete`, perhaps by chance.\n"
      ), "\(text)")
  }

  @Test("Cells that may have the shortest latency keep their own figures, one of which may be the longest of all")
  func ownFigures() {
    let reads =
      [("save", 3, 2...4), ("batch-objects", 20, 1...30), ("batch-dictionary", 12, 9...14)]
      as [(strategy: String, milliseconds: Double, interval: ClosedRange<Double>)]
    let cells = reads.map { CellFixture("objectgraph", $0.strategy, seconds: 0.3) }
    var results = Fixture(cells: cells).asking(about: .latency(.read, .p99)).results
    for (index, read) in reads.enumerated() {
      let estimate = Estimate(
        median: read.milliseconds / 1_000, low: read.interval.lowerBound / 1_000,
        high: read.interval.upperBound / 1_000)
      results.scenarios[0].cells[index].latencies = [
        OperationLatency(
          .read, processes: 1, rate: 100, tally: LatencyFixture.tally,
          percentiles: [.init(.p99, seconds: estimate)], walBytes: nil, processors: 2)
      ]
      results.scenarios[0].cells[index].phases[1].metrics[.latency(.read, .p99)] = Int64(read.milliseconds * 1e6)
    }
    let text = RunReport.text(results)
    #expect(text.hasPrefix("# P99 of reads: 3.00 ms to 20.0 ms, longer for certain with 1 of 3 ways\n"), "\(text)")
    #expect(
      text.contains(
        "\n**The p99 of reads is shortest with `save`**, 3.00 ms; with `batch-objects`, 20.0 ms, it is not longer for "
          + "certain. `batch-dictionary` has 12.0 ms, 4.00 times as long."), "\(text)")
    // The first table and the terminal's have what the question is about.
    #expect(RunReport.markdown(results).contains("| Cell | P99 of reads, ms [95"))
    #expect(RunReport.html(results).contains(">P99 of reads, ms"))
    let terminal = TerminalTable.render(results, color: false)
    #expect(terminal.contains(#/\ncell +p99 of reads +wall time/#), "\(terminal)")
  }
}

extension LatencyReportTests {
  /// The longest reads during `save` and `batch-objects` in milliseconds; `share` is half the width of their intervals.
  private func longest(_ save: Double, _ batch: Double, within share: Double?) -> Report {
    let cells = ["save", "batch-objects"].map { CellFixture("objectgraph", $0, seconds: 0.3) }
    var results = Fixture(cells: cells).asking(about: .latency(.read, .longest)).results
    for (index, milliseconds) in [save, batch].enumerated() {
      let seconds = milliseconds / 1_000
      let estimate = Estimate(
        median: seconds, low: share.map { seconds * (1 - $0) }, high: share.map { seconds * (1 + $0) })
      results.scenarios[0].cells[index].latencies = [
        OperationLatency(
          .read, processes: 1, rate: 100, tally: LatencyFixture.tally,
          percentiles: [.init(.longest, seconds: estimate)], walBytes: nil, processors: 2)
      ]
      results.scenarios[0].cells[index].phases[1].metrics[.latency(.read, .longest)] = Int64(milliseconds * 1e6)
    }
    return results
  }

  @Test(
    "A question about the longest read is answered with the cell beside which it is shortest",
    arguments: [
      (
        6, 0.1, "Longest read: 3.10 ms with `save`, 6.00 ms with `batch-objects`",
        "**The longest read is shortest with `save`**, 3.10 ms. `batch-objects` has 6.00 ms, "
      ),
      (
        4, 0.5, "Longest read: 3.10 ms to 4.00 ms; no cell has others wait longer for certain",
        "**No cell has others wait longer for certain**: the longest read is shortest with `save`, 3.10 ms."
      ),
      (
        4, nil, "Longest read: 3.10 ms with `save`, or by chance: too few rounds to rank them",
        "**Too few rounds to rank the longest reads**: 3.10 ms with `save`, which may be chance."
      ),
    ] as [(Double, Double?, String, String)])
  func longestRead(batch: Double, share: Double?, title: String, answer: String) {
    let text = RunReport.text(longest(3.1, batch, within: share))
    #expect(text.hasPrefix("# \(title)\n"), "\(text.prefix(300))")
    #expect(text.contains("\n\(answer)"), "\(text.prefix(900))")
  }
}
