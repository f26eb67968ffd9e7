// The examples in the reference of scenario files, copied like a new user would.
import CoreDataModel
import MissionTags
import StoreFixtures
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A8 · examples of the scenario reference", .tags(.a8))
struct PageExampleTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for (name, text) in try PageExamples.files(of: "SourceReference") { _ = try directory.write(text, to: name) }
  }

  /// The words for the cells in the examples.
  private static let words = ScenarioSchema(engines: [
    NamedEngine(
      name: "objectgraph",
      strategies: ["save", "batch-objects"].map {
        strategy($0, relationships: .withRows, storesSeveralEntities: true)
      }),
    NamedEngine(
      name: "sqlite",
      strategies: [strategy("insert", relationships: .withRows, storesSeveralEntities: true)]),
  ])

  private func scenario(_ name: String, _ overrides: ScenarioOverride...) throws -> Scenario {
    try ScenarioReader(schema: PageExampleTests.words).read(file: directory.path + "/" + name, overrides: overrides)
  }

  @Test("Two entities and a relationship validate unchanged, and have the requested rows")
  func library() throws {
    let scenario = try scenario("library.yml")
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.entityName) == ["Author", "Book"] && rows.tables.map(\.count) == [500, 10_000])
    let books = rows.tables[1]
    #expect(try Set(books.texts("isbn")).count == 10_000)
    #expect(try books.texts("isbn").allSatisfy { $0?.count == 13 })
    #expect(try books.reals("price").count { $0 == nil } == 500)
    #expect(try rows.tables[0].integers("born").count { $0 == nil } == 50)
    let authors = try #require(rows.relationships.first { $0.relationship.name == "author" })
    #expect(authors.pairs.count == 10_000)
    #expect(try scenario.sourceRows().tables[1].hash(rows: 10_000) == books.hash(rows: 10_000))
  }

  @Test("The same file in CSV and in JSON Lines gives the same rows")
  func feeds() throws {
    let table = try #require(try scenario("books.yml").sourceRows().tables.first)
    let lines = try #require(
      try scenario(
        "books.yml", ScenarioOverride(key: "feed", value: directory.path + "/books.jsonl", origin: "--feed")
      ).sourceRows().tables.first)
    #expect(table.count == 3 && table.hash(rows: 3) == lines.hash(rows: 3))
    #expect(try table.texts("title") == ["Storms, \"and\" after", "Über Wasser", "Tide Tables"])
    #expect(try table.integers("pages") == [312, nil, 96])
    #expect(try table.reals("price") == [12.5, 8, nil])
  }
}
