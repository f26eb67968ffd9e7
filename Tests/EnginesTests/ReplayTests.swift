// Rows of Core Data's stores, stored again by every strategy.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataFiles
import CoreDataModel
import MissionTags
import ObjectGraph
import SQLiteDriver
import Scenarios
import StoreFixtures
import Testing
import Harness

/// A scenario with a store as its source.
private func scenario(_ path: String, entity: String? = nil, cells: [String]) -> String {
  """
  scenario: replay
  source: {store: '\(path)'\(entity.map { ", entity: \($0)" } ?? "")}
  measure: {warm_up: 0}
  cells:
  \(cells.map { "  - " + $0 }.joined(separator: "\n"))
  """
}

@Suite("A8 D10 · copies of stores", .tags(.a8, .d10))
struct ReplayTests {
  @Test(
    "Every strategy stores the rows of all entities of a store, with one hash",
    arguments: SampleStore.all.filter { !$0.isEmpty })
  func everyRow(store: SampleStore) throws {
    // The stores next to the package are large, so only one strategy of each kind stores them, unless there is time for
    // all.
    let kinds = [
      "{strategy: save}", "{strategy: batch-dictionary}", "{engine: sqlite, strategy: insert-many}",
      "{engine: grdb, strategy: statement}",
    ]
    let cells = store.isOwn || isThorough ? cellsOfSeveralEntities : kinds
    let samples = try takeSamples(of: scenario(store.path, cells: cells))
    #expect(samples.count == cells.count)
    #expect(Set(samples.map(\.contents.rows)) == [store.rows])
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
    // Every style relates its rows, with the values or afterwards. The peer's records are not related.
    for sample in samples { #expect((sample.contents.links != nil) == givesRelationships(sample.cell)) }
    #expect(Set(samples.compactMap(\.contents.links)).count == 1)
  }

  @Test(
    "A graph that is saved in pieces of a few roots stays the same, whatever happens to the context",
    arguments: SampleStore.all.filter { $0.isOwn && !$0.isEmpty })
  func pieces(store: SampleStore) throws {
    let cells = [
      "{strategy: save}", "{strategy: save, save_every: 1}", "{strategy: save, save_every: 2, after_save: reset}",
      "{strategy: save, save_every: 3, after_save: new_context}",
    ]
    let samples = try takeSamples(of: scenario(store.path, cells: cells))
    #expect(samples.count == cells.count)
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
    #expect(Set(samples.map(\.contents.links)).count == 1)
  }

  @Test(
    "A cell may leave relationships out", arguments: SampleStore.all(.cars),
    ["save", "batch-objects", "batch-managed-object"])
  func withoutRelationships(store: SampleStore, strategy: String) throws {
    let path = try store.path
    let cells = [
      "{strategy: \(strategy), relationships: none}", "{engine: sqlite, strategy: insert, relationships: none}",
    ]
    let samples = try takeSamples(of: scenario(path, cells: cells))
    #expect(samples.count == 2)
    for sample in samples { #expect(sample.contents.links == nil) }
  }
}

extension ReplayTests {
  @Test(
    "The object path stores every relationship of a store, with the pairs that SQL counts",
    arguments: SampleStore.all(.library))
  func relationships(store: SampleStore) throws {
    let sample = try #require(try takeSamples(of: scenario(store.path, cells: ["{strategy: save}"])).first)
    let links = Dictionary(
      uniqueKeysWithValues: try #require(sample.contents.links).map { ($0.relationship, $0.linkedRows) })
    #expect(
      links == [
        "Book.author": store.rows(of: "Book"), "GraphicNovel.author": store.rows(of: "GraphicNovel"),
        "Page.book": store.rows(of: "Page"),
      ])
  }

  @Test(
    "A one-to-one relationship with only one filled column in a store is stored with both",
    arguments: SampleStore.all.filter { $0.shape == .journal || $0.name == "NoteStore-macOS-12-Monterey.sqlite" })
  func oneToOne(store: SampleStore) throws {
    let other = store.isOwn ? "CloudState.syncObject" : "ICCloudState.cloudSyncingObject"
    let sample = try #require(try takeSamples(of: scenario(store.path, cells: ["{strategy: save}"])).first)
    let links = try #require(sample.contents.links).filter {
      $0.relationship.hasSuffix("loudState") || $0.relationship == other
    }
    let there = links.filter { $0.relationship.hasSuffix(".cloudState") }.map(\.linkedRows).reduce(0, +)
    #expect(there == 16)
    #expect(links.first { $0.relationship == other }?.linkedRows == 16)
  }

  @Test(
    "A single entity can be stored, even one that has a parent", arguments: SampleStore.all(.library),
    ["GraphicNovel", "Feedback"])
  func oneEntity(store: SampleStore, name: String) throws {
    let cells = cellsOfSeveralEntities.filter { !$0.contains("strategy: save") }
    let text = try scenario(store.path, entity: name, cells: cells)
    let samples = try takeSamples(of: text)
    #expect(Set(samples.map(\.contents.rows)) == [store.rows(of: name)])
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
  }

  @Test(
    "A store with wrong rows or relationships is distinguished from the right one",
    arguments: SampleStore.all(.cars))
  func differences(store: SampleStore) throws {
    let entities = try RecoveredModel(storeAt: store.path).model.storedEntities
    let text = scenario(try store.path, cells: ["{strategy: save}"])
    for damage in [
      "UPDATE ZPERSON SET ZFIRSTNAME = 'Nobody' WHERE Z_PK = 1",
      "UPDATE ZCAR SET Z_ENT = 1 WHERE Z_ENT = 2", "DELETE FROM ZPERSON WHERE Z_PK = 2",
      "UPDATE ZCAR SET ZOWNER = NULL WHERE Z_PK = 1",
      "UPDATE ZCAR SET ZOWNER = (SELECT max(Z_PK) FROM ZPERSON WHERE Z_PK <> ZOWNER) WHERE Z_PK = 1",
    ] {
      _ = try takeSamples(of: text) { path in
        let right = try StoredContents(readingStoreAt: path, entities: entities)
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute(damage)
        try connection.close()
        let wrong = try StoredContents(readingStoreAt: path, entities: entities)
        #expect(
          (wrong.contentHash, wrong.links?.map(\.hash)) != (right.contentHash, right.links?.map(\.hash)), "\(damage)")
      }
    }
  }
}

@Suite("A8 D10 · copies of graphs", .tags(.a8, .d10))
struct GraphReplayTests {
  /// Albums with ordered songs, and tags that are ordered at both ends.
  private static func entities() -> [EntityDescription] {
    [
      EntityDescription(
        "Album", attributes: [.init("title", .string)],
        relationships: [
          .init("songs", to: "Song", inverse: "album", isToMany: true, isOrdered: true),
          .init("tags", to: "Tag", inverse: "albums", isToMany: true, isOrdered: true),
        ]),
      EntityDescription(
        "Song", attributes: [.init("title", .string)], relationships: [.init("album", to: "Album", inverse: "songs")]),
      EntityDescription("Live", superentity: "Song", attributes: [.init("date", .date, isOptional: true)]),
      EntityDescription(
        "Tag", attributes: [.init("name", .string)],
        relationships: [.init("albums", to: "Album", inverse: "tags", isToMany: true, isOrdered: true)]),
    ]
  }

  /// A store of two albums whose songs and tags are not in the order of their keys.
  private static func makeStore(_ path: String) throws -> ManagedObjectModel {
    let model = try ManagedObjectModel(entities: entities())
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: path))
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait {
      let songs = try (0..<7).map { number in
        let song = try context.insertNewObject(forEntityName: number % 3 == 0 ? "Live" : "Song")
        song["title"] = .string("song \(number)")
        return song
      }
      let tags = try (0..<4).map { number in
        let tag = try context.insertNewObject(forEntityName: "Tag")
        tag["name"] = .string("tag \(number)")
        return tag
      }
      for number in 0..<2 {
        let album = try context.insertNewObject(forEntityName: "Album")
        album["title"] = .string("album \(number)")
        try album.setObjects(number == 0 ? [songs[5], songs[0], songs[3]] : [songs[6], songs[1]], forKey: "songs")
        try album.setObjects(number == 0 ? [tags[2], tags[0], tags[3]] : [tags[3], tags[2]], forKey: "tags")
      }
      try tags[2].setObjects(try tags[2].objects(forKey: "albums").reversed(), forKey: "albums")
      try context.save()
    }
    try coordinator.close()
    return model
  }

  @Test("A store's row without a required value is refused with its key, like a feed's with its line")
  func missingValue() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/graph-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/quakes.sqlite"
    let quake = EntityDescription(
      "Quake",
      attributes: [
        AttributeDescription("code", .string, isOptional: false),
        AttributeDescription("depth", .double, isOptional: false, defaultValue: .real(1)),
        AttributeDescription("place", .string, isOptional: true),
      ])
    let model = try ManagedObjectModel(entities: [quake])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: path))
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait {
      for number in 1...3 { try context.insertNewObject(forEntityName: "Quake")["code"] = .string("\(number)") }
      try context.save()
    }
    try coordinator.close()
    let scenario = Scenario(
      name: "test", description: "", file: "", fingerprint: "", model: model, entityName: "Quake",
      source: .store(path: path, entity: nil), repeats: 1, mergePolicy: nil, cells: [],
      measure: MeasureSettings(rounds: 1))
    // Attributes that have a default or are optional may be missing.
    func damage(_ sql: String) throws {
      let connection = try Connection(path: path, access: .readWrite)
      try connection.execute(sql)
      try connection.close()
    }
    try damage("UPDATE ZQUAKE SET ZPLACE = NULL, ZDEPTH = NULL")
    #expect(try scenario.sourceRows().count == 3)
    try damage("UPDATE ZQUAKE SET ZCODE = NULL WHERE Z_PK = 2")
    #expect {
      try scenario.sourceRows()
    } throws: { error in
      "\(error)" == "\(path): Quake/p2: found no value for the attribute 'code', which is required; expected text"
        && (error as? SourceError)?.isUnreadable == false
    }
  }

  @Test("Orders at both ends are kept, and another order is another store")
  func orders() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/graph-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/albums.sqlite"
    let model = try GraphReplayTests.makeStore(path)
    var scenario = Scenario(
      name: "test", description: "", file: "", fingerprint: "", model: model, entityName: "Album",
      source: .store(path: path, entity: nil), repeats: 1, mergePolicy: nil, cells: [],
      measure: MeasureSettings(rounds: 1))
    scenario.entityNames = model.storedEntities.map(\.name)
    let rows = try scenario.sourceRows()
    #expect(rows.tables.map(\.entityName) == ["Album", "Song", "Live", "Tag"])
    #expect(rows.count == 2 + 7 + 4)

    let expected = ExpectedContents(
      of: rows.tables.map { ExpectedRows(of: $0) }, relationships: rows.relationships)
    let original = try StoredContents(readingStoreAt: path, entities: model.storedEntities)
    #expect(original.links == expected.links)
    #expect(original.contentHash == expected.contentHash)

    var setup = StoreSetup(
      path: directory + "/again.sqlite", model: model, entityName: "Album", pragmas: [], mergePolicy: .error)
    setup.entityNames = rows.tables.map(\.entityName)
    let engine = try #require(BuiltInEngines.all.first { $0.name == "objectgraph" })
    let session = try engine.openInsert(
      setup, Cell(scenario: "test", engine: "objectgraph", strategy: "save"))
    try session.insert(rows)
    try session.close()
    let again = try StoredContents(readingStoreAt: setup.path, entities: model.storedEntities)
    #expect(again.links == expected.links)
    #expect(again.contentHash == expected.contentHash)

    for (table, order) in [
      ("ZSONG WHERE ZALBUM = 1", "Z_FOK_ALBUM"), ("Z_1TAGS WHERE Z_1ALBUMS = 1", "Z_FOK_4TAGS"),
      ("Z_1TAGS WHERE Z_4TAGS = 3", "Z_FOK_1ALBUMS"),
    ] {
      let copy = "\(directory)/\(order).sqlite"
      try FileManager.default.copyItem(atPath: setup.path, toPath: copy)
      let connection = try Connection(path: copy, access: .readWrite)
      let words = table.split(separator: " ", maxSplits: 1)
      try connection.execute("UPDATE \(words[0]) SET \(order) = -\(order) \(words[1])")
      #expect(connection.changes > 1)
      try connection.close()
      let other = try StoredContents(readingStoreAt: copy, entities: model.storedEntities)
      #expect(other.contentHash == expected.contentHash)
      #expect(other.links != expected.links, "\(order)")
    }
  }
}
