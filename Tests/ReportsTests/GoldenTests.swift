// Whole files compared with copies that a person has read: three with prose, which show that it reads well (conclusions
// are tested as values), and the tables. To update the copies after an intended change, run the tests with
// RENEW_GOLDEN=1 and read the changes.
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A5 · every file as a whole")
struct GoldenTests {
  func check(_ text: String, against name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["RENEW_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: golden)
    }
    let expected = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    if text == expected { return }
    let difference = zip(text.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
    Issue.record(
      "\(name) differs: \(difference.map { "found '\($0)', expected '\($1)'" } ?? "one is longer")",
      sourceLocation: sourceLocation)
  }

  @Test("The report of five cells", .tags(.a5, .a2, .a3, .a4))
  func report() throws {
    try check(RunReport.markdown(Fixture.standard.results), against: "report.md")
  }

  @Test("A report with a failure, a gap, an interruption and incomparable cells", .tags(.a5))
  func troubledReport() throws {
    try check(RunReport.text(Fixture.troubled.results), against: "troubled.md")
  }

  @Test("A report on a sweep over rows", .tags(.a5, .a2))
  func sweepReport() throws {
    try check(RunReport.text(Fixture.scaling().results), against: "scaling.md")
  }

  @Test("Another winner changes the answer", .tags(.a5), arguments: Fixture.suites.map(\.name))
  func anotherWinner(name: String) throws {
    let fixture = try #require(Fixture.suites.first { $0.name == name }?.fixture)
    let (label, altered) = fixture.withAnotherWinner
    #expect(altered.answer != fixture.answer)
    // If cells did different work, each kind of work has its own winner.
    let isOneWork = fixture.cells.allSatisfy {
      $0.cell.parameters["rows"] == nil && $0.cell.parameters["duplicates"] == nil
    }
    if isOneWork { #expect(altered.text.contains("**`\(label)` is fastest**")) }
    #expect(!fixture.text.contains("**`\(label)` is fastest**"))
  }

  @Test("The CSV files", .tags(.a5))
  func csv() throws {
    try checkTable(SummaryCSV.render(Fixture.standard.results), against: "summary.csv")
    try checkTable(SamplesCSV.render(Fixture.troubled.results), against: "samples.csv")
    try checkTable(GrowthCSV.render(Fixture.standard.results), against: "growth.csv")
  }

  /// Columns of metrics that are not in the copy yet are ignored.
  private func checkTable(_ text: String, against name: String) throws {
    let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name)")
    let copy = try #require(CSVParser.rows(String(decoding: try Data(contentsOf: golden), as: UTF8.self)))
    let rows = try #require(CSVParser.rows(text))
    let isKnown = try #require(rows.first).map { copy.first?.contains($0) == true || !MetricColumns.all.contains($0) }
    guard isKnown.contains(false) else { return try check(text, against: name) }
    let known = rows.map { (row: [String]) -> [String] in zip(row, isKnown).filter(\.1).map(\.0) }
    #expect(known == copy)
  }
}

extension Fixture {
  /// Every problem that a run can have, at once.
  static var troubled: Fixture {
    var fixture = Fixture.standard
    fixture.isComparable = false
    fixture.isInterrupted = true
    fixture["save"].failures = [
      FailedSample(
        cell: "earthquakes/objectgraph/save", pass: .timing, round: 9, reason: "the worker died of signal 11",
        standardError: "crash in ```a fence```\nat line 3\n")
    ]
    fixture["batch-objects"].withoutPasses = [.memory]
    fixture["batch-objects"].missing = 2
    return fixture
  }
}
