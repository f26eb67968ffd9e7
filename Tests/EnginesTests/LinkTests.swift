// B8: every strategy that links leaves the same relationships, whether it sets them with the values or afterwards.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataModel
import Instruments
import MissionTags
import ObjectGraph
import SQLiteDriver
import Testing
import Harness

@Suite("B8 · linked rows", .tags(.b8))
struct LinkTests {
  private static let model = """
    model:
      Quake:
        attributes:
          code: {type: string}
          net: {type: string, optional: true}
          type: {type: string}
        relationships:
          network: {to: Network, inverse: quakes}
          kind: {to: Kind, inverse: null}
        unique: [[code]]
      Network:
        attributes:
          code: {type: string}
        relationships:
          quakes: {to: Quake, inverse: network, many: true}
        unique: [[code]]
      Kind:
        attributes:
          name: {type: string}
        unique: [[name]]
    entity: Quake
    """

  @Test("Every strategy links every row, whatever the size of its saves and pieces", .tags(.a1))
  func everyStrategy() throws {
    var stores = 0
    let samples = try takeSamples(
      of: """
        scenario: test
        \(LinkTests.model)
        source: {generate: {rows: 300, seed: 3}}
        link: {network: net, kind: type}
        merge_policy: object_trump
        cells:
          - {strategy: save}
          - {strategy: save, save_every: 7}
          - {strategy: save, save_every: 7, after_save: reset}
          - {strategy: save, save_every: 7, after_save: new_context}
          - {strategy: batch-objects}
          - {strategy: batch-objects, request_size: 100, link_every: 1}
          - {strategy: batch-dictionary, link_every: 7}
          - {strategy: batch-dictionary, link_every: all, history: on}
          - {strategy: batch-managed-object, link_every: 300}
          - {strategy: batch-managed-object, link_every: 299, wal_limit: 1 MiB}
          - {engine: sqlite, strategy: insert}
          - {engine: sqlite, strategy: insert-many}
          - {engine: sqlite, strategy: insert-many, rows_per_step: 7}
          - {engine: sqlite, strategy: empty}
        """
    ) { path in
      stores += 1
      let connection = try Connection(path: path, access: .readOnly)
      let linked = """
        SELECT count(*) FROM ZQUAKE JOIN ZNETWORK ON ZNETWORK.Z_PK = ZNETWORK JOIN ZKIND ON ZKIND.Z_PK = ZKIND
        WHERE ZNETWORK.ZCODE = ZNET AND ZKIND.ZNAME = ZTYPE
        """
      #expect(try connection.scalar(linked) == 300)
      for (table, name, entity) in [("ZNETWORK", "ZNET", "Network"), ("ZKIND", "ZTYPE", "Kind")] {
        let names = try connection.scalar("SELECT count(DISTINCT \(name)) FROM ZQUAKE")
        #expect(try connection.scalar("SELECT count(*) FROM \(table)") == names)
        // The key of the next row is free.
        let last = try connection.scalar("SELECT max(Z_PK) FROM \(table)")
        #expect(try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'") == last)
      }
      try connection.close()
    }
    #expect(stores == 14 && samples.count == 14)
    let links = try #require(samples[0].contents.links)
    #expect(links.map(\.relationship) == ["network", "kind"] && links.allSatisfy { $0.linkedRows == 300 })
    #expect(links[0].objects == 10 && (2...4).contains(links[1].objects))
    #expect(samples.allSatisfy { $0.contents.links == links })
  }

  /// Every strategy that links.
  private static let cells = BuiltInEngines.all.flatMap { engine in
    engine.strategies.filter { $0.relationships != .none }.map {
      Cell(scenario: "test", engine: engine.name, strategy: $0.name)
    }
  }

  private static let links = [Link("network", by: "net", to: "Network", named: "code")]

  /// Rows with these nets, stored and linked by the cell; the closure inspects the store.
  private func store(
    _ nets: [String?], by cell: Cell, defaultNet: AttributeValue = .null, inspect: (StoreSetup) throws -> Void
  ) throws {
    let quake = EntityDescription(
      "Quake", attributes: [AttributeDescription("net", .string, isOptional: true, defaultValue: defaultNet)],
      relationships: [RelationshipDescription("network", to: "Network", inverse: "quakes")])
    let network = EntityDescription(
      "Network", attributes: [AttributeDescription("code", .string)],
      relationships: [RelationshipDescription("quakes", to: "Quake", inverse: "network", isToMany: true)],
      uniquenessConstraints: [["code"]])
    let directory = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var setup = StoreSetup(
      path: directory.appending(path: "store.sqlite").path, model: try ManagedObjectModel(entities: [quake, network]),
      entityName: "Quake", pragmas: [], mergePolicy: .error)
    setup.links = LinkTests.links
    var starts = [0]
    for net in nets { starts.append((starts.last ?? 0) + (net?.utf8.count ?? 0)) }
    let rows = ColumnarRows(
      entityName: "Quake", attributes: quake.attributes,
      columns: [
        .text(
          BytesColumn(bytes: nets.flatMap { Array(($0 ?? "").utf8) }, starts: starts, nulls: nets.map { $0 == nil }))
      ], count: nets.count)
    let engine = try #require(BuiltInEngines.all.first { $0.name == cell.engine })
    let session = try engine.openInsert(setup, cell)
    try session.insert(SourceRows(rows))
    try session.checkpoint()
    try session.close()
    let right = ExpectedContents(of: [ExpectedRows(of: rows, entity: quake)], links: LinkTests.links)
    let found = try StoredContents(readingStoreAt: setup.path, entity: quake, links: try setup.linkColumns)
    #expect(found.links == right.links)
    try inspect(setup)
  }

  @Test("A row without a value stays unlinked, and the inverse relationships agree", arguments: cells)
  func nulls(cell: Cell) throws {
    try store(["us", nil, "nc", "us", nil, "", "us"], by: cell) { setup in
      let container = PersistentContainer(
        managedObjectModel: setup.model, store: PersistentStoreDescription(path: setup.path))
      try container.loadPersistentStores()
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let networks = try context.fetch(FetchRequest(entityName: "Network"))
        let counts = try networks.map { network in
          guard case .string(let code) = network["code"] else { return "none" }
          return "\(code) \(try network.objects(forKey: "quakes").count)"
        }
        #expect(counts.sorted() == [" 1", "nc 1", "us 3"])
        for quake in try context.fetch(FetchRequest(entityName: "Quake")) {
          let network = try quake.object(forKey: "network")
          #expect((network?["code"] ?? .null) == quake["net"])
        }
      }
    }
  }

  @Test("Names with different bytes name different objects, even if they look alike", arguments: cells)
  func equalTexts(cell: Cell) throws {
    try store(["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"], by: cell) { setup in
      let connection = try Connection(path: setup.path, access: .readOnly)
      let linked = "SELECT count(*) FROM ZQUAKE JOIN ZNETWORK ON ZNETWORK.Z_PK = ZNETWORK WHERE ZCODE = ZNET"
      #expect(try connection.scalar(linked) == 3)
      #expect(try connection.scalar("SELECT count(*) FROM ZNETWORK") == 2)
      try connection.close()
    }
  }

  @Test("A default is a value: it links like one that the source has", arguments: cells)
  func defaults(cell: Cell) throws {
    try store([nil, "nc", nil], by: cell, defaultNet: "us") { setup in
      let connection = try Connection(path: setup.path, access: .readOnly)
      let linked = "SELECT count(*) FROM ZQUAKE JOIN ZNETWORK ON ZNETWORK.Z_PK = ZNETWORK WHERE ZCODE = 'us'"
      #expect(try connection.scalar(linked) == 2)
      try connection.close()
    }
  }

  @Test("Without any values, nothing is created and nothing is linked", arguments: cells)
  func nothing(cell: Cell) throws {
    try store([nil, nil], by: cell) { setup in
      let connection = try Connection(path: setup.path, access: .readOnly)
      #expect(try connection.scalar("SELECT count(*) FROM ZNETWORK") == 0)
      #expect(try connection.scalar("SELECT count(*) FROM ZQUAKE WHERE ZNETWORK IS NULL") == 2)
      try connection.close()
    }
  }
}
