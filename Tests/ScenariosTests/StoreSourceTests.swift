// Stores and model files in scenarios: what is read, and what is refused with its place.
internal import CoreDataModel
import Foundation
import ObjectGraph
import Scenarios
import Testing

/// Stores that Core Data wrote, beside the package; tests that need one are skipped without them.
private let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/stores").path

@Suite(
  "A8 D10 · stores as sources", .tags(.a8, .d10),
  .enabled(if: FileManager.default.fileExists(atPath: directory), "no ../shared/data/stores"))
struct StoreSourceTests {

  private static func text(_ source: String, _ rest: String = "", cells: String = "{engine: sqlite, strategy: insert}")
    -> String
  {
    "scenario: s\nsource: \(source)\n\(rest)cells: [\(cells)]\n"
  }

  private static func source(_ store: String, _ rest: String = "") -> String {
    "{store: '\(directory)/\(store)'\(rest)}"
  }

  @Test("The model, the entities and the rows are the store's")
  func wholeStore() throws {
    let scenario = try read(StoreSourceTests.text(StoreSourceTests.source("SampleModel2_V1.sqlite")))
    #expect(scenario.entityNames == ["Book", "GraphicNovel", "Feedback", "Page", "Author"])
    #expect(scenario.isReplay)
    #expect(scenario.source.summary == "store SampleModel2_V1.sqlite, all entities")
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.count) == [51, 1, 444, 4_970, 2])
    #expect(
      rows.relationships.map { "\(rows.tables[$0.table].entityName).\($0.relationship.name)" } == [
        "Book.author", "GraphicNovel.author", "Page.book",
      ])
    #expect(rows.relationships.map(\.pairs.count) == [51, 1, 4_970])
    // A part of a graph cannot be saved.
    #expect(rows.prefix(10).count == rows.count)
  }

  @Test("One entity's rows lead nowhere, and the command line's store takes the place of any source and model")
  func oneEntity() throws {
    let scenario = try read(
      StoreSourceTests.text(StoreSourceTests.source("SampleModel2_V1.sqlite", ", entity: Author")))
    #expect(scenario.entityNames == ["Author"])
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.count) == [2])
    #expect(rows.tables[0].attributes.map(\.name) == ["alias", "siteURL", "age"])
    #expect(rows.relationships.isEmpty)
    #expect(rows.prefix(1).count == 1)

    let path = directory + "/SampleModel3_V1.sqlite"
    let replaced = try read(validScenario, "store=\(path)")
    #expect(replaced.entityNames == ["User"])
    #expect(replaced.source == .store(path: path, entity: nil))
  }

  @Test("Two entities of one fingerprint are two questions")
  func fingerprints() throws {
    let fingerprints = try ["", ", entity: Author", ", entity: Page"].map {
      try read(StoreSourceTests.text(StoreSourceTests.source("SampleModel2_V1.sqlite", $0))).fingerprint
    }
    #expect(Set(fingerprints).count == 3)
  }

  @Test("What cannot be said of a store's rows is refused where it is written")
  func refusals() throws {
    let store = StoreSourceTests.source("SampleModel2_V1.sqlite")
    let cases: [(text: String, place: String, found: String)] = [
      (StoreSourceTests.text(store, "repeat: 2\n"), ":3:9:", "the key 'repeat' with the rows of several entities"),
      (
        StoreSourceTests.text(store, cells: "{strategy: save, save_every: 10}"), ":3:",
        "save_every: 10 of the cell s/objectgraph/save[save_every=10] with rows that lead to each other"
      ),
      (
        StoreSourceTests.text(StoreSourceTests.source("SampleModel2_V1.sqlite", ", entity: Pag")), ":2:",
        "the entity 'Pag'"
      ),
      (
        StoreSourceTests.text(StoreSourceTests.source("SampleModel2_V1.sqlite", ", entity: Writer")), ":",
        "the abstract entity 'Writer'"
      ),
      (
        StoreSourceTests.text(
          StoreSourceTests.source("SampleModel2_V1.sqlite", ", entity: Page"), cells: "{strategy: save}"), ":3:",
        "the required relationship 'book' of Page"
      ),
      (StoreSourceTests.text("{store: a.sqlite, feed: b.csv}"), ":2:", "two sources, feed and store"),
      (
        StoreSourceTests.text(
          "{generate: {rows: 5}, entity: Page}", "model: {Q: {attributes: {code: {type: string}}}}\n"),
        ":2:", "the key 'entity' beside generate"
      ),
      (StoreSourceTests.text("{store: '\(directory)'}"), ":2:", "directory"),
      (
        StoreSourceTests.text(StoreSourceTests.source("SampleModel2_V1.sqlite", ", entity: Author"), "repeat: 2\n"),
        ":3:9:", "the key 'repeat' with rows that a store has once"
      ),
      (StoreSourceTests.text(store, cells: "{strategy: batch-objects}"), ":3:", "which stores rows of one entity"),
      (StoreSourceTests.text("{store: none.sqlite}"), ":2:", "cannot be read"),
      (
        StoreSourceTests.text("{generate: {rows: 5}}", "model: none.xcdatamodeld\n"), ":3:", "cannot be read"
      ),
    ]
    for (text, place, found) in cases {
      let error = #expect(throws: ScenarioErrors.self) { try read(text) }
      let description = error?.description ?? ""
      #expect(description.contains(found), "\(description)")
      #expect(description.contains("x.yml\(place)"), "\(description)")
    }
  }
}
