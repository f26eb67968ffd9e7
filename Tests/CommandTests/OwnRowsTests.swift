// A new user's first scenario with their own rows: from the article to a ranked report, and to a file and back.
import Analysis
import Foundation
import MissionTags
import Reports
import StoreFixtures
import Testing

@Suite("A1 A8 · your own rows", .tags(.a1, .a8))
struct OwnRowsTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    for (name, text) in try PageExamples.files(of: "SourceReference") { try workspace.write(text, to: name) }
  }

  private func run(_ arguments: String...) async throws -> ScenarioReport {
    let result = try await Program.batchmark.run(["run", "--quick", "--out", "out"] + arguments, in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
  }

  @Test("The article's example of two entities and a relationship validates and runs, every cell with equal work")
  func library() async throws {
    let valid = try await Program.batchmark.run(["validate", "library.yml"], in: workspace.path)
    #expect(valid.status == 0 && valid.output == "library.yml: ok, scenario library, 3 cells, 10,500 rows\n")
    #expect(valid.errors.isEmpty)
    let results = try await run("library.yml")
    #expect(results.rows == 10_500 && results.contentHash != nil)
    #expect(results.groups.map(\.cells.count) == [3])
    // Every book is linked to its author, in every store.
    let links = try #require(results.groups.first?.ending?.relationships)
    #expect(links.map(\.name) == ["Book.author"] && links.map(\.linkedRows) == [10_000])
  }

  @Test("The article's feed runs with its file in CSV and with the one in JSON Lines, to the same contents")
  func books() async throws {
    let csv = try await run("books.yml")
    try FileManager.default.removeItem(atPath: workspace.path + "/out")
    let lines = try await run("books.yml", "--feed", "books.jsonl")
    #expect(csv.rows == 3 && csv.contentHash != nil && csv.contentHash == lines.contentHash)
  }
}

extension OwnRowsTests {
  @Test("A value that its attribute cannot hold ends with 65 and is named with file, line and column")
  func conversions() async throws {
    let wrong = try workspace.text(of: "books.jsonl").replacing(": 312", with: ": 3.5")
    try workspace.write(wrong, to: "wrong.jsonl")
    let result = try await Program.batchmark.run(
      ["run", "books.yml", "--feed", "wrong.jsonl", "--out", "out"], in: workspace.path)
    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix(
        "batchmark: wrong.jsonl: line 1, column 75: found 3.5 for the attribute 'pages'; expected a whole number from "),
      "\(result.errors)")
  }

  @Test("A scenario's rows, written as a feed, are stored like the scenario's own", arguments: ["csv", "jsonl"])
  func generated(format: String) async throws {
    let file = "made." + format
    let written = try await Program.batchmark.run(
      ["generate", "library.yml", "--entity", "Book", "--format", format, "--seed", "7", "--out", file],
      in: workspace.path)
    #expect(written.status == 0, "\(written.errors)")
    try workspace.write(
      """
      scenario: made
      model:
        Book:
          attributes:
            isbn: {type: string}
            title: {type: string}
            pages: {type: int32}
            price: {type: decimal, optional: true}
            published: {type: date}
            language: {type: string}
            inPrint: {type: boolean}
      source:
        synthetic:
          seed: 7
          entities:
            Book:
              rows: 10_000
              attributes:
                isbn: {lengths: 13, alphabet: digits, distinct: 10_000}
                title: {lengths: [5, 60], distribution: normal, mean: 22, deviation: 8, alphabet: printable}
                pages: {range: [20, 1_500], distribution: normal, mean: 320, deviation: 120}
                price: {range: [1, 90], decimals: 2, nulls: 5%}
                published: {range: [1950-01-01, 2025-01-01]}
                language: {values: [en, es, fr, de, ja], distribution: zipf}
                inPrint: {trues: 70%}
      cells: [{engine: sqlite, strategy: insert}]
      """, to: "made.yml")
    let own = try await run("made.yml")
    try FileManager.default.removeItem(atPath: workspace.path + "/out")
    let fed = try await run("made.yml", "--feed", file)
    #expect(own.contentHash != nil && own.contentHash == fed.contentHash)
  }

  @Test("generate asks for the entity if there are several, and for a format that can hold the rows")
  func generateRefusals() async throws {
    for (arguments, words) in [
      (["library.yml"], "found rows of 2 entities; expected --entity and one of Author, Book"),
      (["library.yml", "--entity", "Writer"], "--entity Writer: found no rows of it in library.yml"),
      (["library.yml", "--format", "geojson"], "found --format geojson with a scenario; expected csv or jsonl"),
      (["--entity", "Book"], "found --entity without a scenario"),
      (["library.yml", "--entity", "Book", "--duplicates", "5%"], "found the setting 'duplicates' of the generator"),
    ] {
      let result = try await Program.batchmark.run(["generate"] + arguments, in: workspace.path)
      #expect(result.status == 64 && result.errors.contains(words), "\(result.status): \(result.errors)")
      #expect(result.output.isEmpty)
    }
  }
}
