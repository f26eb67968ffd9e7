// A5: results in the previous format can be read, and their figures are computed from the samples again.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

/// A small run that version 0.2.0 wrote in format 1, with its tables.
enum KeptResults {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Kept")

  static func path(_ name: String) -> String { folder.appending(path: name).path }

  static func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  /// Columns and parameters that have been renamed.
  static let names = [
    "heap_peak_rest_bytes": "heap_peak_non_sqlite_bytes", "wal_generations": "wal_restarts", "stolen_s": "steal_s",
    "parameter_rows_a_step": "parameter_rows_per_step",
  ]

  static func read() throws -> Report { try ResultsFile.read(path("results-1.json")) }
}

@Suite("A5 · results in the previous format", .tags(.a5))
struct EarlierResultsTests {
  @Test("Figures stay the same, except the rate of a phase without rows, and more digits in small ratios")
  func figures() throws {
    let results = try KeptResults.read()
    #expect(results.schemaVersion == Report.currentSchemaVersion)
    let now = CSVParser.records(SummaryCSV.render(results))
    let before = CSVParser.records(try KeptResults.text("summary-1.csv"))
    #expect(now.count == before.count && before.count > 12)
    for (record, old) in zip(now, before) {
      for (column, field) in old {
        let isWithoutRate = column == "rows_per_s" && old["strategy"] == "empty" && old["phase"] == "ingest"
        let found = record[KeptResults.names[column] ?? column]
        let place = "\(old["cell"] ?? "") \(old["phase"] ?? "") \(column)"
        // Earlier versions wrote four decimals.
        if column.hasPrefix("times_reference"), found != field, let ratio = found.flatMap(Double.init) {
          #expect(ratio < 0.1 && abs(ratio - (Double(field) ?? .nan)) <= 0.000_051, "\(place)")
        } else {
          #expect(found == (isWithoutRate ? "" : field), "\(place)")
        }
      }
    }
    // Later counters have their own columns.
    let samples = CSVParser.records(SamplesCSV.render(results))
    let earlier = CSVParser.records(try KeptResults.text("samples-1.csv"))
    #expect(samples.count == earlier.count && earlier.count > 12)
    for (record, old) in zip(samples, earlier) {
      for (column, field) in old {
        #expect(record[KeptResults.names[column] ?? column] == field, "\(old["cell"] ?? "") \(column)")
      }
    }
  }

  @Test("The conclusions stay the same, and a rewritten file has the current format")
  func conclusions() throws {
    let results = try KeptResults.read()
    #expect(RunReport.markdown(results) == (try KeptResults.text("report-1.md")))
    try withTemporaryDirectory { directory in
      let path = directory + "/results.json"
      try Data(try ResultsFile.render(results).utf8).write(to: URL(filePath: path))
      let again = try ResultsFile.read(path)
      #expect(try ResultsFile.render(again) == (try ResultsFile.render(results)))
      #expect(again.scenarios[0].findings == RunAnalysis(results).results.scenarios[0].findings)
    }
  }

  @Test("A mistake inside is reported with its place, and a figure that no run has is refused")
  func damaged() throws {
    let text = try KeptResults.text("results-1.json")
    for (found, damage, words) in [
      ("\"isQuick\" : false", "\"isQuick\" : 1", "at run.isQuick: "),
      ("\"missing\" : 0", "\"missing\" : 9223372036854775807", "the figure 9223372036854775807, which no run has"),
      ("\"fingerprint\"", "\"print\"", "no key 'fingerprint'"),
    ] {
      #expect(text.contains(found))
      try withTemporaryDirectory { directory in
        let path = directory + "/results.json"
        try Data(text.replacing(found, with: damage).utf8).write(to: URL(filePath: path))
        let error = try #require(throws: ReportError.self) { try ResultsFile.read(path) }
        #expect(error.description.contains("not a results file") && error.description.contains(words), "\(error)")
      }
    }
  }

  @Test("Figures of two rounds with a sum beyond any run are refused, because reading adds them up")
  func excessTogether() throws {
    var tally = OperationTally()
    (tally.due, tally.refusals) = (1 << 62, ["SQLITE_BUSY": 1 << 62])
    let concurrent = ConcurrentMeasurement(
      classes: [ConcurrentOperations(.read, processes: 1, rate: 1, tally: tally)], walBytes: nil)
    let encoded = String(decoding: try JSONEncoder().encode(concurrent), as: UTF8.self)
    let text = try KeptResults.text("results-1.json")
    let mark = "\"pass\" : \"timing\","
    #expect(text.contains(mark))
    try withTemporaryDirectory { directory in
      let path = directory + "/results.json"
      try Data(text.replacing(mark, with: "\"concurrent\" : \(encoded), \(mark)").utf8).write(to: URL(filePath: path))
      let error = try #require(throws: ReportError.self) { try ResultsFile.read(path) }
      #expect(error.description.contains("the figure 4611686018427387904, which no run has"), "\(error)")
    }
  }
}
