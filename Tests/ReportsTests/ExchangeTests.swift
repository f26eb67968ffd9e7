// A run in the formats of other tools: structure and units, as values. The oracles check them with the tools' own
// readers.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@testable import Reports

@Suite("A5 A7 · formats of other tools", .tags(.a5, .a7))
struct ExchangeTests {
  private let save = "earthquakes/objectgraph/save"

  private func json(_ format: ExchangeFormat, _ results: Report = Fixture.standard.results) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(format.text(results).utf8), options: .fragmentsAllowed)
  }

  /// Two rounds of 0.2 s and 0.4 s.
  private var twoRounds: Report {
    var fixture = Fixture.standard
    fixture.cells = [fixture["save"].with(walls: [0.4, 0.2])]
    return fixture.results
  }

  @Test("Bencher's format has latency in nanoseconds with its interval, throughput, and every figure by its name")
  func bencher() throws {
    let benchmarks = try #require(try json(.bencher) as? [String: [String: [String: Double]]])
    #expect(benchmarks.count == 5)
    let measures = try #require(benchmarks[save])
    let wall = try #require(Fixture.standard.results.scenarios[0].cells[0].main.wall.figure)
    let latency = try #require(measures["latency"])
    #expect(abs((latency["value"] ?? 0) / 1e9 - wall.median) < 1e-9)
    #expect(abs((latency["lower_value"] ?? 0) / 1e9 - (wall.low ?? 1)) < 1e-9)
    #expect(abs((latency["upper_value"] ?? 0) / 1e9 - (wall.high ?? 1)) < 1e-9)
    #expect(abs((measures["throughput"]?["value"] ?? 0) - 100_000 / wall.median) < 1e-6)
    #expect(measures["heap-peak-bytes"] == ["value": 47_394_816] && measures["syncs"] == ["value": 8])
    #expect(measures.keys.allSatisfy { $0.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil })
    // A cell without a sample is no benchmark, and its figures are not zero.
    var fixture = Fixture.standard
    fixture.cells[0].withoutPasses = Set(Pass.allCases)
    let rest = try #require(try json(.bencher, fixture.results) as? [String: Any])
    #expect(rest.count == 4 && rest[save] == nil)
  }

  @Test("github-action-benchmark gets figures for which smaller is better, each with its unit")
  func github() throws {
    let entries = try #require(try json(.githubActionBenchmark) as? [[String: Any]])
    #expect(entries.allSatisfy { $0["name"] is String && $0["unit"] is String && $0["value"] is Double })
    let names = entries.compactMap { $0["name"] as? String }
    #expect(Set(names).count == names.count)
    let wall = try #require(entries.first { $0["name"] as? String == save + " ingest wall" })
    #expect(wall["unit"] as? String == "s" && (wall["range"] as? String)?.hasSuffix(", 95 %") == true)
    #expect(wall["extra"] as? String == "100,000 rows, 8 rounds")
    let heap = try #require(entries.first { $0["name"] as? String == save + " ingest heap_peak_bytes" })
    #expect(heap["unit"] as? String == "B" && heap["value"] as? Double == 47_394_816)
    // Each figure makes a chart, so there are only a few unless more are requested.
    #expect(!names.contains { $0.hasSuffix("statements") })
    let some = try ExchangeFormat.githubActionBenchmark.text(Fixture.standard.results, metrics: [.statements])
    #expect(some.contains("ingest statements") && !some.contains("heap_peak_bytes") && some.contains("ingest wall"))
    let all = try ExchangeFormat.bencher.text(Fixture.standard.results)
    let one = try ExchangeFormat.bencher.text(Fixture.standard.results, metrics: [.walPeak])
    #expect(all.contains("heap-peak-bytes") && one.contains("wal-peak-bytes") && !one.contains("heap-peak-bytes"))
    // Pages found in memory are no loss, and neither are rows per second.
    #expect(!names.contains { $0.hasSuffix("cache_hits") || $0.contains("rows_per_s") })
  }

  @Test("Google Benchmark's format has each round as a repetition, and aggregates in nanoseconds")
  func google() throws {
    let root = try #require(try json(.googleBenchmark, twoRounds) as? [String: Any])
    let context = try #require(root["context"] as? [String: Any])
    #expect(
      context["date"] as? String == "2024-05-01T10:00:00Z" && context["library_build_type"] as? String == "release")
    #expect(context["SQLite"] as? String == "3.40.1")
    let lines = try #require(root["benchmarks"] as? [[String: Any]])
    #expect(
      lines.map { $0["run_type"] as? String } == ["iteration", "iteration"] + Array(repeating: "aggregate", count: 4))
    #expect(lines.allSatisfy { $0["run_name"] as? String == save && $0["time_unit"] as? String == "ns" })
    #expect(lines.prefix(2).map { $0["real_time"] as? Double } == [4e8, 2e8])
    #expect(lines.prefix(2).map { $0["cpu_time"] as? Double } == [3.6e8, 1.8e8])
    #expect(lines.prefix(2).map { $0["repetition_index"] as? Int } == [0, 1])
    #expect(lines.allSatisfy { $0["repetitions"] as? Int == 2 && $0["threads"] as? Int == 1 })
    let aggregates = Dictionary(
      lines.dropFirst(2).map { ($0["aggregate_name"] as? String ?? "", $0) }
    ) { first, _ in first }
    #expect(aggregates["mean"]?["real_time"] as? Double == 3e8 && aggregates["median"]?["real_time"] as? Double == 3e8)
    #expect(abs((aggregates["stddev"]?["real_time"] as? Double ?? 0) - 141_421_356.237) < 0.01)
    #expect(abs((aggregates["cv"]?["real_time"] as? Double ?? 0) - 0.471_404_5) < 1e-6)
    #expect(aggregates["cv"]?["aggregate_unit"] as? String == "percentage")
    #expect(aggregates["mean"]?["name"] as? String == save + "_mean")
    // A single repetition has no aggregates.
    var fixture = Fixture.standard
    fixture.cells = [fixture["save"].with(walls: [0.4])]
    let single = try #require(try json(.googleBenchmark, fixture.results) as? [String: Any])
    #expect((single["benchmarks"] as? [Any])?.count == 1)
  }

  @Test("hyperfine's format has seconds, all times, and null for the deviation of one")
  func hyperfine() throws {
    let root = try #require(try json(.hyperfine, twoRounds) as? [String: Any])
    let results = try #require(root["results"] as? [[String: Any]])
    #expect(root.count == 1 && results.count == 1)
    let result = try #require(results.first)
    #expect(result["command"] as? String == save && result["times"] as? [Double] == [0.4, 0.2])
    let numbers = ["mean", "median", "min", "max"].map { result[$0] as? Double ?? 0 }
    #expect(zip(numbers, [0.3, 0.3, 0.2, 0.4]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(abs((result["stddev"] as? Double ?? 0) - 0.141_421_356) < 1e-8)
    #expect(abs((result["user"] as? Double ?? 0) - 0.27) < 1e-12 && result["system"] as? Double == 0)
    #expect(result["exit_codes"] as? [Int] == [0, 0])
    var fixture = Fixture.standard
    fixture.cells = [fixture["save"].with(walls: [0.4])]
    let single = try #require(try json(.hyperfine, fixture.results) as? [String: Any])
    #expect((single["results"] as? [[String: Any]])?.first?["stddev"] is NSNull)
  }
}

extension ExchangeTests {
  @Test("OpenMetrics has a gauge for each figure, in base units, with escaped labels and the mark at its end")
  func openMetrics() throws {
    let text = try ExchangeFormat.openmetrics.text(Fixture.standard.results)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.last == "# EOF" && text.hasSuffix("# EOF\n") && lines.count { $0 == "# EOF" } == 1)
    let labels = "{scenario=\"earthquakes\",cell=\"\(save)\",engine=\"objectgraph\",strategy=\"save\",phase=\"ingest\"}"
    #expect(lines.contains("batchmark_heap_peak_bytes\(labels) 47394816.0"))
    #expect(lines.contains("batchmark_syncs\(labels) 8.0"))
    #expect(lines.contains("# UNIT batchmark_heap_peak_bytes bytes"))
    // Nanoseconds become seconds.
    let time = lines.first { $0.hasPrefix("batchmark_sync_time_seconds\(labels)") }
    #expect(time?.split(separator: " ").last.flatMap { Double($0) }.map { abs($0 - 0.008_400_123) < 1e-12 } == true)
    for (index, line) in lines.enumerated() where line.hasPrefix("# UNIT") {
      let parts = line.split(separator: " ")
      #expect(parts[2].hasSuffix("_" + parts[3]) && lines[index - 1] == "# TYPE \(parts[2]) gauge")
    }
    let names = lines.filter { $0.hasPrefix("# TYPE") }
    #expect(Set(names).count == names.count)
    var results = Fixture.standard.results
    results.run.machine = "a \\ \"b\"\nc"
    // On one line, like all foreign text.
    #expect(try ExchangeFormat.openmetrics.text(results).contains(#"machine="a \\ \"b\" c""#))
  }

  @Test("JUnit has a case for each cell and each budget; a budget that is broken or undecidable fails")
  func junit() throws {
    var results = Fixture.standard.results
    func budget(_ text: String, _ bytes: Double, cell: String) -> Budget {
      Budget(
        text: text,
        figure: BudgetFigure(
          cells: [cell], phase: Phase.ingest.rawValue, column: MetricID.heapPeak.rawValue),
        comparison: .atMost, limit: BudgetLimit(bytes))
    }
    results.scenarios[0].budgets = [
      budget("save.heap_peak <= 45 MiB", 47_185_920, cell: save),
      budget("save.heap_peak <= 1 GiB", 1_073_741_824, cell: save),
      budget("gone.heap_peak <= 1 GiB & \"more\"", 1_073_741_824, cell: "gone"),
    ]
    results.scenarios[0].cells[1].failures = [
      FailedSample(cell: "x", pass: .timing, round: 1, reason: "it <died>", standardError: "")
    ]
    results.scenarios[0].cells[2].missing = 3
    let text = try ExchangeFormat.junit.text(results)
    #expect(text.contains("<testsuites name=\"batchmark\" tests=\"8\" failures=\"2\" errors=\"0\" skipped=\"2\">"))
    #expect(text.contains("<testsuite name=\"earthquakes\" tests=\"8\" failures=\"2\" errors=\"0\" skipped=\"2\">"))
    #expect(
      text.contains(
        "name=\"budget save.heap_peak &lt;= 45 MiB for \(save)\">\n      <failure type=\"BROKEN\" message=\"47,394,816 B"
      ))
    #expect(text.contains("name=\"budget save.heap_peak &lt;= 1 GiB for \(save)\"/>"))
    #expect(text.contains("<skipped message=\"gone was not measured\"/>"))
    #expect(text.contains("<failure type=\"FAILED\" message=\"1 sample failed: it &lt;died&gt;\"/>"))
    #expect(text.contains("<skipped message=\"3 samples not taken, since the run was interrupted\"/>"))
  }

  @Test("No text of a run breaks the form of a format", arguments: ExchangeFormat.allCases, HostileText.all)
  func hostile(format: ExchangeFormat, text: String) throws {
    let output = try format.text(HostileText.results(with: text))
    #expect(!output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    switch format {
    case .openmetrics:
      for line in output.split(separator: "\n") {
        #expect(line.hasPrefix("# ") || line.hasPrefix("batchmark_"), "\(line)")
      }
    case .junit: #expect(output.split(separator: "\n").allSatisfy { $0.drop { $0 == " " }.hasPrefix("<") })
    default: _ = try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }
  }

  @Test("Files of every format are kept for other readers")
  func kept() throws {
    guard let folder = ProcessInfo.processInfo.environment["BATCHMARK_EXCHANGED_FILES"] else { return }
    for format in ExchangeFormat.allCases {
      for (name, results) in [
        ("standard", Fixture.standard.results), ("two", twoRounds), ("troubled", Fixture.troubled.results),
      ] {
        let text = try format.text(results)
        let path = "\(folder)/\(format.rawValue).\(name)"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
      }
    }
  }
}
