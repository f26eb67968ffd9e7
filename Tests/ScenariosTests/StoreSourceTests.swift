// Stores and model files in scenarios: what is read, and what is refused with its position.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import StoreFixtures
import Testing

@Suite("A8 D10 · stores as sources", .tags(.a8, .d10))
struct StoreSourceTests {
  private static func text(_ source: String, _ rest: String = "", cells: String = "{engine: sqlite, strategy: insert}")
    -> String
  {
    "scenario: s\nsource: \(source)\n\(rest)cells: [\(cells)]\n"
  }

  private static func source(_ store: SampleStore, _ rest: String = "") throws -> String {
    "{store: '\(try store.path)'\(rest)}"
  }

  @Test("The model, the entities and the rows come from the store", arguments: SampleStore.all(.library))
  func wholeStore(store: SampleStore) throws {
    let scenario = try read(StoreSourceTests.text(StoreSourceTests.source(store)))
    #expect(scenario.entityNames == ["Book", "GraphicNovel", "Feedback", "Page", "Author"])
    #expect(scenario.isReplay)
    #expect(scenario.source.summary == "store \(store.name), all entities")
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.count) == scenario.entityNames.map(store.rows(of:)))
    #expect(
      rows.relationships.map { "\(rows.tables[$0.table].entityName).\($0.relationship.name)" } == [
        "Book.author", "GraphicNovel.author", "Page.book",
      ])
    #expect(rows.relationships.map(\.pairs.count) == ["Book", "GraphicNovel", "Page"].map(store.rows(of:)))
    // A part of a graph cannot be saved on its own.
    #expect(rows.prefix(10).count == rows.count)
  }

  @Test(
    "The rows of one entity have no destinations, and the command line's store replaces any source and model",
    arguments: zip(SampleStore.all(.library), SampleStore.all(.users)))
  func oneEntity(library: SampleStore, users: SampleStore) throws {
    let scenario = try read(StoreSourceTests.text(StoreSourceTests.source(library, ", entity: Author")))
    #expect(scenario.entityNames == ["Author"])
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.count) == [2])
    #expect(rows.tables[0].attributes.map(\.name) == ["alias", "siteURL", "age"])
    #expect(rows.relationships.isEmpty)
    #expect(rows.prefix(1).count == 1)

    let path = try users.path
    let replaced = try read(validScenario, "store=\(path)")
    #expect(replaced.entityNames == ["User"])
    #expect(replaced.source == .store(path: path, entity: nil))
  }
}

extension StoreSourceTests {
  @Test(
    "If no row is related, leaving out relationships makes no other cell",
    arguments: SampleStore.all(.library))
  func sameWork(store: SampleStore) throws {
    let cells =
      "{strategy: save}, {strategy: save, relationships: none}, {strategy: batch-objects, relationships: none}"
    let words = ScenarioSchema(engines: [
      NamedEngine(
        name: "objectgraph",
        strategies: ["save", "batch-objects"].map {
          strategy(
            $0, parameters: [ParameterKey.relationships], relationships: .withRows, storesSeveralEntities: true)
        })
    ])
    func read(_ text: String) throws -> Scenario {
      try ScenarioReader(schema: words).read(text: text, file: "Scenarios/x.yml")
    }
    let model = "model: {Quake: {attributes: {code: {type: string}}}}\n"
    let source = "{synthetic: {entities: {Quake: {rows: 5, attributes: {code: {}}}}}}"
    let single = try read(StoreSourceTests.text(source, model, cells: cells))
    #expect(single.cells.map(\.id) == ["s/objectgraph/save", "s/objectgraph/batch-objects[relationships=none]"])
    let swept = try read(
      StoreSourceTests.text(source, model + "sweep: {relationships: [all, none]}\n", cells: "{strategy: save}"))
    #expect(swept.cells.map(\.id) == ["s/objectgraph/save"])
    let related = try read(
      StoreSourceTests.text(
        StoreSourceTests.source(store), cells: "{strategy: save}, {strategy: save, relationships: none}"))
    #expect(related.cells.count == 2)
  }

  @Test("The selected entity of a store is part of the fingerprint", arguments: SampleStore.all(.library))
  func fingerprints(store: SampleStore) throws {
    let fingerprints = try ["", ", entity: Author", ", entity: Page"].map {
      try read(StoreSourceTests.text(StoreSourceTests.source(store, $0))).fingerprint
    }
    #expect(Set(fingerprints).count == 3)
  }

  @Test(
    "Settings that do not fit the rows of a store are refused at their location", arguments: SampleStore.all(.library))
  func refusals(library: SampleStore) throws {
    let store = try StoreSourceTests.source(library)
    let folder = URL(filePath: try library.path).deletingLastPathComponent().path
    let cases: [(text: String, place: String, found: String)] = [
      (StoreSourceTests.text(store, "repeat: 2\n"), ":3:9:", "the key 'repeat' with the rows of several entities"),
      (
        StoreSourceTests.text(try StoreSourceTests.source(library, ", entity: Pag")), ":2:",
        "the entity 'Pag'"
      ),
      (
        StoreSourceTests.text(try StoreSourceTests.source(library, ", entity: Writer")), ":",
        "the abstract entity 'Writer'"
      ),
      (
        StoreSourceTests.text(
          try StoreSourceTests.source(library, ", entity: Page"), cells: "{strategy: save}"), ":3:",
        "the required relationship 'book' of Page"
      ),
      (StoreSourceTests.text("{store: a.sqlite, feed: b.csv}"), ":2:", "two sources, feed and store"),
      (
        StoreSourceTests.text(
          "{generate: {rows: 5}, entity: Page}", "model: {Q: {attributes: {code: {type: string}}}}\n"),
        ":2:", "the key 'entity' beside generate"
      ),
      (StoreSourceTests.text("{store: '\(folder)'}"), ":2:", "directory"),
      (
        StoreSourceTests.text(try StoreSourceTests.source(library, ", entity: Author"), "repeat: 2\n"),
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
