// Latencies over time, for people and programs: latency-over-time.csv, the picture of the middle round, and the page.
import Analysis
import Charts
import Harness
import MissionTags
import Testing

@testable import Reports

@Suite("A15 · latencies over time in reports", .tags(.a15, .a5))
struct LatencyCourseReportTests {
  private let results = LatencyFixture.results

  @Test("latency-over-time.csv has a row for each slice of every round, without figures if nothing was due")
  func csv() throws {
    let records = CSVParser.records(LatencyCourseCSV.render(results))
    let samples = results.scenarios[0].cells[0].samples
    #expect(records.count == samples.count * 5)
    let first = records.prefix(5)
    #expect(first.map { $0["operation"] } == Array(repeating: "read", count: 5))
    #expect(first.map { $0["from_s"] } == [0, 2, 4, 6, 8].map { "0.0\($0)0000000" })
    #expect(first.map { $0["to_s"] } == ["0.020000000", "0.040000000", "0.060000000", "0.080000000", "0.100000000"])
    #expect(first.map { $0["due"] } == ["2", "2", "0", "2", "2"])
    let usual = "0.001000000"
    #expect(first.map { $0["longest_s"] } == [usual, usual, "", "0.300000000", usual])
    #expect(first.map { $0["p99_s"] } == [usual, usual, "", "0.300000000", usual])
    #expect(first.map { $0["wal_bytes"] } == ["1048576", "2097152", "3145728", "4194304", "4194304"])
    #expect(records.allSatisfy { $0["run_id"] == results.run.runID })
    #expect(Set(records.compactMap { $0["round"] }) == Set(samples.map { "\($0.round)" }))
    #expect(CSVParser.records(LatencyCourseCSV.render(Fixture.standard.results)).isEmpty)
  }

  @Test("The picture has the stall in its slice with the WAL beneath, names the round, and keeps the engine's look")
  func picture() throws {
    let scenario = results.scenarios[0]
    let chart = try #require(LatencyPicture.course(scenario)?.chart as? CourseChart)
    let panel = try #require(chart.panels.first)
    #expect(chart.panels.count == 1 && panel.label == "reads beside \(scenario.cells[0].label)")
    #expect(panel.slices.map(\.largest) == [0.001, 0.001, nil, 0.3, 0.001])
    #expect(panel.slices.map(\.amount) == [1, 2, 3, 4, 4].map { $0 * 1_048_576 })
    #expect(panel.appearance == EngineAppearances(scenario)[scenario.cells[0].cell])
    let round = try #require(scenario.latencyCourses(of: scenario.cells[0]).first).round
    #expect(panel.figure == "longest 300 ms at 60 ms, round \(round), slices of 20 ms")
    #expect(chart.summary == "\(panel.label): \(panel.figure).")
    #expect(chart.title == "Latency over time and the size of the WAL")
    #expect(LatencyPicture.course(Fixture.standard.results.scenarios[0]) == nil)
  }

  @Test(
    "Of many cells, the ones with the longest operations have a panel, and the title says how many there are")
  func many() throws {
    var scenario = results.scenarios[0]
    let cell = scenario.cells[0]
    scenario.cells = (0..<8).map { index in
      var cell = cell
      cell.cell.parameters["save_every"] = .count(index + 1)
      for sample in cell.samples.indices {
        cell.samples[sample].concurrent?.course?.walBytes = nil
        cell.samples[sample].concurrent?.course?.classes[0].longest[3] = UInt64(400 - index) * 1_000_000
      }
      return cell
    }
    let chart = try #require(LatencyPicture.course(scenario)?.chart as? CourseChart)
    #expect(chart.panels.map(\.label) == scenario.cells.prefix(6).map { "reads beside \($0.label)" })
    #expect(chart.title == "Latency over time, the 6 longest of 8")
  }

  @Test("The page has the picture once, and none if no sample was followed, as in results of earlier builds")
  func page() throws {
    #expect(RunReport.html(results).contains("When operations had to wait"))
    #expect(RunReport.full(results).pictures.count { $0.name.hasSuffix("-latency-over-time") } == 1)
    var earlier = results
    for index in earlier.scenarios[0].cells[0].samples.indices {
      earlier.scenarios[0].cells[0].samples[index].concurrent?.course = nil
    }
    #expect(!RunReport.html(earlier).contains("When operations had to wait"))
    #expect(RunReport.html(earlier).contains("What kept them waiting"))
  }
}
