// Notices above the figures: debug builds, interruptions, failures, disagreements.
import Analysis
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A5 · warnings to readers")
struct WarningTests {
  @Test("A debug build marks every output", .tags(.a5))
  func debugStamp() throws {
    var fixture = Fixture.standard
    #expect(!RunReport.text(fixture.results).contains("Not comparable"))
    #expect(!TerminalTable.render(fixture.results, color: false).contains("Not comparable"))
    fixture.isComparable = false
    let results = fixture.results
    #expect(RunReport.text(results).hasPrefix("**Not comparable: debug build**\n"))
    #expect(TerminalTable.render(results, color: false).hasPrefix("Not comparable: debug build\n"))
    #expect(try ResultsFile.render(results).contains("\"isComparable\" : false"))
    for csv in [SummaryCSV.render(results), SamplesCSV.render(results), GrowthCSV.render(results)] {
      let records = CSVParser.records(csv)
      #expect(!records.isEmpty)
      #expect(records.allSatisfy { $0["comparable"] == "false" })
    }
  }

  @Test("An interrupted run says what is missing", .tags(.a5))
  func interrupted() {
    var fixture = Fixture.standard
    fixture.isInterrupted = true
    #expect(RunReport.text(fixture.results).contains("**The run was interrupted**, after every sample"))
    fixture["save"].missing = 3
    fixture["insert"].missing = 1
    let results = fixture.results
    let text = RunReport.text(results)
    #expect(text.contains("**Interrupted: 4 of 64 samples were not taken** (`save` 3, `sqlite/insert` 1)."))
    #expect(text.contains("`--resume`"))
    fixture["insert"].missing = 0
    fixture["save"].missing = 1
    #expect(RunReport.text(fixture.results).contains(" of 61 samples was not taken** (`save` 1)."))
    // The last line of an interrupted run says so.
    #expect(WarningLines.render(results).allSatisfy { !$0.contains("not taken") })
    #expect(CSVParser.records(SummaryCSV.render(results)).map { $0["missing"] }.contains("3"))
  }

  @Test("A page of an interrupted run begins with the rounds that were taken", .tags(.a5))
  func roundsTaken() {
    var fixture = Fixture.standard
    fixture.isInterrupted = true
    fixture.cells = fixture.cells.map { cell in
      var cell = cell.with(walls: Array(cell.walls.prefix(3)))
      cell.missing = 5
      return cell
    }
    #expect(RunReport.text(fixture.results).contains(" · 3 rounds · "))
    fixture["save"].walls = Array(fixture["save"].walls.prefix(2))
    #expect(RunReport.text(fixture.results).contains(" · 2 to 3 rounds · "))
    // A failed round counts as taken.
    fixture["save"].failures = [
      FailedSample(
        cell: fixture["save"].cell.id, pass: .timing, round: 3, reason: "it died", standardError: "")
    ]
    #expect(RunReport.text(fixture.results).contains(" · 3 rounds · "))
  }

  @Test("Failures come first, with equal ones grouped and the worker's output", .tags(.a5))
  func failures() throws {
    var fixture = Fixture.standard
    let cell = fixture["save"].cell.id
    fixture["save"].failures = [2, 5].map { round in
      FailedSample(
        cell: cell, pass: .timing, round: round, reason: "it stored *7* rows | expected 8",
        standardError: "Fatal\u{1B}[31m\r\nsecond ``` line\n")
    }
    let text = RunReport.text(fixture.results)
    #expect(text.contains("**2 samples failed.** The times of 2 rounds are set aside for every cell"))
    #expect(text.contains("- `save`, timing pass, rounds 2 and 5: it stored \\*7\\* rows \\| expected 8\n"))
    #expect(text.contains("````text\nFatal\u{FFFD}[31m\nsecond ``` line\n````"))
    let warned = try #require(text.firstRange(of: "samples failed"))
    let told = try #require(text.firstRange(of: "## Findings"))
    #expect(warned.upperBound < told.lowerBound)
  }

  @Test("Exact figures that differ are flagged; only repeated figures are reported to agree", .tags(.a5))
  func disagreements() {
    var results = Fixture.standard.results
    #expect(RunReport.text(results).contains("Every exact figure was the same in all samples of its cell"))
    results.scenarios[0].cells[1].phases[1].disagreements = [.heapPeak: [1000, 2000]]
    let text = RunReport.text(results)
    #expect(text.contains("**These exact figures differed between samples of one cell"))
    #expect(text.contains("| batch-objects | ingest | heap_peak_bytes | 1,000; 2,000 |"))
    #expect(!text.contains("Every exact figure"))

    for index in results.scenarios[0].cells.indices {
      results.scenarios[0].cells[index].phases[1].disagreements = [:]
      results.scenarios[0].cells[index].samples.removeAll { $0.round > 1 && $0.pass != .timing }
    }
    #expect(RunReport.text(results).contains("so it is not known whether these figures repeat"))
  }

  @Test("Notes of samples are reported, and explain a missing figure", .tags(.a3))
  func notes() {
    var results = Fixture.standard.results
    for index in results.scenarios[0].cells[0].samples.indices
    where results.scenarios[0].cells[0].samples[index].pass == .memory {
      results.scenarios[0].cells[0].samples[index].notes = ["no allocation meter: it is not built"]
    }
    let cell = results.scenarios[0].cells[0]
    results.scenarios[0].cells[0].phases[1] = PhaseReport(
      .ingest, of: cell, rows: cell.main.rows, samples: cell.main.samples, wall: cell.main.wall.figure,
      metrics: cell.main.metrics.filter { $0.key != .heapPeak })
    let text = RunReport.text(results)
    #expect(
      text.contains("- Heap peak of `save`: the worker did not measure it (no allocation meter: it is not built)."))
    #expect(text.contains("no allocation meter: it is not built (2 samples)"))
  }
}
