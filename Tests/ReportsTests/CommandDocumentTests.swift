// A16: the documents for programs, compared with their values.
import Analysis
import BatchmarkEngine
import Harness
import MissionTags
import Testing

@testable import Reports

@Suite("A16 · documents of runs, pairs and machines", .tags(.a16))
struct CommandDocumentTests {
  private let files = ReportFiles(machinesIn: "out")

  @Test("A run's document has each cell's time, ratio, and the samples that failed or are missing")
  func run() throws {
    var fixture = Fixture.standard
    fixture["save"].missing = 3
    fixture["save"].failures = [
      FailedSample(cell: fixture["save"].cell.id, pass: .timing, round: 2, reason: "it died", standardError: "")
    ]
    let results = fixture.results
    let document = RunDocument(results, files)
    let scenario = try #require(document.scenarios.first)
    #expect(scenario.title == fixture.title.filter { $0 != "`" })
    for (cell, report) in zip(scenario.cells, results.scenarios[0].cells) {
      let isSave = report.cell.strategy == "save"
      #expect(cell.cell == report.cell.id && cell.wall == report.main.wall)
      #expect(cell.timesReference == report.main.timesReference)
      #expect(cell.missingSamples == (isSave ? 3 : 0) && cell.failedSamples == (isSave ? 1 : 0))
    }
  }

  @Test("A pair's document has the verdict of each time, its change, and whether the gate fails")
  func pair() throws {
    let reports = PairReportTests()
    let document = PairDocument(reports.results([reports.comparison(1.2), reports.comparison(1, syncs: 9)]), files)
    #expect(document.verdict == .regression && document.cells.count == 2)
    let times = document.cells.compactMap(\.time)
    #expect(times.map(\.verdict) == [.regression, .pass] && times.map(\.fails) == [true, false])
    #expect(times.map(\.pairs) == [180, 180])
    let change = try #require(times[0].change)
    #expect(abs(change.median - 0.2) < 0.001 && (change.low ?? 0) > 0.19 && (change.high ?? 1) < 0.21)
    let syncs = document.cells.map { $0.figures.first { $0.metric == "syncs" } }
    #expect(syncs.map { $0?.head } == [8, 9] && syncs.map { $0?.fails } == [false, true])
  }

  @Test("A document of machines has the orders that they certainly reverse, and no others")
  func machines() {
    func reversals(by factor: Double) -> [[String]] {
      let comparison = MachinePictureTests().reversed(by: factor)
      return MachinesDocument(comparison, [], files).scenarios.flatMap(\.reversals)
    }
    #expect(reversals(by: 0.97).isEmpty)
    #expect(reversals(by: 0.5).map { Set($0) } == [["earthquakes/objectgraph/save", "earthquakes/sqlite/insert"]])
  }
}
