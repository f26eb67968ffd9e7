// results.json: the same bytes for the same results, and reading them back.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import Testing

@Suite("A5 · results.json")
struct ResultsFileTests {
  private func reading(_ text: String) throws -> Report {
    try withTemporaryDirectory { directory in
      let path = directory + "/results.json"
      try Data(text.utf8).write(to: URL(filePath: path))
      return try ResultsFile.read(path)
    }
  }

  @Test("Reading and writing keeps the bytes the same", .tags(.a5))
  func roundTrip() throws {
    for fixture in [Fixture.standard, Fixture.troubled] {
      let text = try ResultsFile.render(fixture.results)
      let read = try reading(text)
      #expect(try ResultsFile.render(read) == text)
      #expect(RunReport.text(read) == RunReport.text(fixture.results))
    }
  }

  @Test("Keys are sorted, slashes are not escaped, and metrics have their column names", .tags(.a5))
  func shape() throws {
    var results = Fixture.standard.results
    results.run.seed = .max
    results.scenarios[0].cells[0].phases[1].wall = .figure(Estimate(median: 1, low: 1, high: .infinity))
    let text = try ResultsFile.render(results)
    #expect(text.hasSuffix("}\n"))
    #expect(text.contains("\"schemaVersion\" : 3"))
    #expect(text.contains("\"file\" : \"Scenarios/earthquakes.yml\""))
    #expect(text.contains("\"heap_peak_bytes\" : 47394816"))
    let read = try reading(text)
    #expect(read.run.seed == .max)
    #expect(read.scenarios[0].cells[0].phases[1].wall.figure?.high == .infinity)
  }

  @Test("The file has the findings as values, and the groups of equal work", .tags(.a5, .a7))
  func findings() throws {
    let written = try reading(try ResultsFile.render(Fixture.standard.results)).scenarios[0]
    let report = RunAnalysis(Fixture.standard.results).results.scenarios[0]
    #expect(written.findings == report.findings && written.groups == report.groups)
    let fastest = try #require(written.findings.first)
    #expect(fastest.kind == .fastest && fastest.certainty == .certain)
    #expect(fastest.cells == ["earthquakes/sqlite/insert", "earthquakes/objectgraph/batch-managed-object"])
    let text = try ResultsFile.render(Fixture.standard.results)
    #expect(text.contains("\"kind\" : \"fastest\""))
    // Each suite's findings are read back unchanged.
    for (name, fixture) in Fixture.suites {
      let again = try reading(try ResultsFile.render(fixture.results)).scenarios[0]
      #expect(again.findings == RunAnalysis(fixture.results).results.scenarios[0].findings, "\(name)")
    }
  }
}

extension ResultsFileTests {
  @Test("Another schema version is refused by its number", .tags(.a5))
  func otherSchema() throws {
    let text = try ResultsFile.render(Fixture.standard.results)
      .replacingOccurrences(of: "\"schemaVersion\" : 3", with: "\"schemaVersion\" : 7")
    let error = try #require(throws: ReportError.self) { try reading(text) }
    #expect(error.problem == .otherSchema(found: 7, expected: 3))
    #expect(error.description.contains("results.json: results of schema version 7, expected 3; read it with"))
    // Nothing else in a file of another version is read.
    let bare = try #require(throws: ReportError.self) { try reading("{\"schemaVersion\": 4}") }
    #expect(bare.problem == .otherSchema(found: 4, expected: 3))
  }

  @Test(
    "A file that is not a results file is refused", .tags(.a5),
    arguments: [
      "", "{", "[]", "null", "{}", "{\"schemaVersion\": \"one\"}", "{\"schemaVersion\": 2}", "\u{0}\u{1}",
      "scenario,cell",
    ])
  func notResults(text: String) throws {
    let error = try #require(throws: ReportError.self) { try reading(text) }
    guard case .notResults(let details) = error.problem else {
      Issue.record("\(error)")
      return
    }
    #expect(!details.isEmpty && !details.hasSuffix("."))
    #expect(error.description.contains("not a results file"))
  }

  @Test("A mistake inside is reported with its place", .tags(.a5))
  func mistakeInside() throws {
    let text = try ResultsFile.render(Fixture.standard.results)
      .replacingOccurrences(of: "\"isQuick\" : false", with: "\"isQuick\" : \"no\"")
    let error = try #require(throws: ReportError.self) { try reading(text) }
    #expect(error.description.contains("at run.isQuick: "))
  }
}

extension ResultsFileTests {
  @Test("A missing file and a folder are refused with the system's message", .tags(.a5))
  func unreadable() throws {
    try withTemporaryDirectory { directory in
      let missing = try #require(throws: ReportError.self) { try ResultsFile.read(directory + "/none.json") }
      #expect(missing.description.contains("none.json: cannot read: no such file or directory"))
      let folder = try #require(throws: ReportError.self) { try ResultsFile.read(directory) }
      #expect(folder.description.contains("cannot read: it is a folder and no plain file; name another file"))
    }
  }

  @Test("A pipe is refused as results and not waited for", .tags(.a5), .timeLimit(.minutes(10)))
  func pipe() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/results.json"
      try #require(mkfifo(path, 0o600) == 0)
      #expect(throws: ReportError(file: path, problem: .unreadable(reason: "it is a named pipe and no plain file"))) {
        try ResultsFile.read(path)
      }
    }
  }

  @Test("An impossible whole number is refused with its location, and an impossible time is shown", .tags(.a5))
  func excess() throws {
    typealias Change = (inout Report) -> Void
    let changes: [(place: String, change: Change)] = [
      ("earthquakes has", { $0.scenarios[0].leftOut = .max }),
      ("earthquakes/objectgraph/save has", { $0.scenarios[0].cells[0].missing = .min }),
      ("earthquakes/objectgraph/save has", { $0.scenarios[0].cells[0].phases[1].metrics[.heapPeak] = .max }),
      ("earthquakes/objectgraph/save has", { $0.scenarios[0].cells[0].samples[0].round = .max }),
      ("earthquakes/objectgraph/save has", { $0.scenarios[0].cells[0].samples[0].contents.databaseBytes = .min }),
      ("earthquakes/objectgraph/save has", { $0.scenarios[0].cells[0].latencies?[0].processes = .max }),
      ("earthquakes/objectgraph/save has", { $0.scenarios[0].cells[0].latencies?[0].tally.due = .min }),
      (
        "earthquakes/objectgraph/save has",
        { $0.scenarios[0].cells[0].samples[0].concurrent?.classes[0].tally.refusals = ["SQLITE_BUSY": .max] }
      ),
      (
        "earthquakes/objectgraph/save has",
        { $0.scenarios[0].cells[0].samples[0].concurrent?.course?.classes[0].counts[0] = .max }
      ),
    ]
    for (place, change) in changes {
      var results = LatencyFixture.results
      change(&results)
      // A report on it would overflow, so write the file directly.
      let text = try StoredJSON.render(results, file: "results.json")
      let error = try #require(throws: ReportError.self) { try reading(text) }
      #expect(error.description.contains("not a results file: \(place) the figure "), "\(error)")
    }
    for seconds in [Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, .nan, -1] {
      var results = Fixture.standard.results
      for cell in results.scenarios[0].cells.indices {
        let wall = results.scenarios[0].cells[cell].phases[1].wall
        results.scenarios[0].cells[cell].phases[1].wall = wall.map {
          Estimate(median: seconds, low: $0.low, high: $0.high)
        }
        for sample in results.scenarios[0].cells[cell].samples.indices {
          results.scenarios[0].cells[cell].samples[sample].phases[1].wallSeconds = seconds
          for point in results.scenarios[0].cells[cell].samples[sample].heap.indices {
            results.scenarios[0].cells[cell].samples[sample].heap[point].seconds = seconds
          }
        }
      }
      #expect(!RunReport.text(try reading(try ResultsFile.render(results))).isEmpty)
    }
  }

  @Test("Endlessly nested results are refused with a sentence", .tags(.a5))
  func nesting() throws {
    for (opening, count) in [("[", 257), ("{\"a\":", 257), ("[", 100_000)] {
      let error = try #require(throws: ReportError.self) { try reading(String(repeating: opening, count: count)) }
      #expect(error.problem == .notResults(details: "values nested more than 256 deep"))
    }
  }
}
