// D8, A5: reports on updates and deletes mention those, and never stored rows.
import Analysis
import BatchmarkEngine
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("D8 A5 · reports on updates and deletes", .tags(.d8, .a5))
struct OperationTests {
  @Test("An update's report has its own headings, rows and reference")
  func update() {
    let report = RunReport.text(Fixture.update.results)
    for part in [
      "The update changes 31,000 of 100,000 rows, those where `magnitude >= 0.5`, and sets `place = \"x\"`.\n",
      "## Time\n", "**`sqlite/update` is fastest**, 100 ms",
      "**Against the reference**, `sqlite/update`: `save` takes 4.00 times as long",
      "| Cell, update |", "Flat stretches are real", "## What the stores held in the end\n",
      "| Operation | update |", "| Where | magnitude >= 0.5 |", "| Set | place = \"x\" |", "| Rows updated | 31,000 |",
      "that ratio to `sqlite/update`: plain SQLite",
      "| 9.12 | 1.36 |", "Where rows are updated, prepare and update take the place of ingest", "1 (the reference)",
    ] {
      #expect(report.contains(part), "\(part)")
    }
    for part in ["Ingest", "sqlite/insert", "What was stored"] {
      #expect(!report.contains(part), "\(part)")
    }
  }

  @Test("A delete of every row says so")
  func delete() {
    let report = RunReport.text(Fixture.delete.results)
    for part in [
      "The delete removes 100,000 rows.\n", "## Time\n", "| Where | every row |", "| Rows deleted | 100,000 |",
      "**Against the reference**, `sqlite/delete`: `save` takes 4.00 times as long",
    ] {
      #expect(report.contains(part), "\(part)")
    }
    #expect(!report.contains("| Set |"))
  }

  @Test(
    "How rows are read is said in words",
    arguments: [
      ("by code from 10, at most 50", ", by code from 10, at most 50.\n"),
      ("with tracks.artist", ", with tracks.artist.\n"),
      ("count by net", ", as `count by net`.\n"),
    ])
  func manner(_ manner: String, words: String) throws {
    var results = Fixture.delete.results
    results.scenarios[0].change?.manner = manner
    let report = RunReport.text(results)
    #expect(report.contains("The delete removes 100,000 rows\(words)"), "\(report)")
  }

  @Test("The closing table shows how many rows were changed, of how many")
  func terminal() {
    let update = TerminalTable.render(Fixture.update.results, color: false)
    #expect(update.contains("\n\nearthquakes: 31,000 of 100,000 rows, update phase\n"))
    let delete = TerminalTable.render(Fixture.delete.results, color: false)
    #expect(delete.contains("\n\nearthquakes: 100,000 rows, delete phase\n"))
  }

  @Test("In CSV the phase has the operation's name, even if nothing succeeded")
  func csv() {
    var fixture = Fixture.delete
    fixture["save"].withoutPasses = [.timing, .counters, .memory]
    let records = CSVParser.records(SummaryCSV.render(fixture.results))
    #expect(records.map { $0["phase"] } == ["delete", "load", "delete"])
    #expect(records.last?["rows"] == "100000")
    #expect(records.last?["times_reference"] == "1.0000")
  }

  @Test("Without a reference the report says so")
  func noReference() {
    var fixture = Fixture.delete
    fixture.cells.removeLast()
    #expect(RunReport.text(fixture.results).contains("this run has no reference cell"))
  }
}
