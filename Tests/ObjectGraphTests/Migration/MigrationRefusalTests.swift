// D11: a store that cannot be migrated does not change, and the error gives the reason; so does one whose migration
// fails.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Synchronization
import Support
import Testing

@Suite("D11 · stores that stay as they were", .tags(.d11))
struct MigrationRefusalTests {
  /// Opens the fixture's closed store with a changed model and returns the error.
  private func error(
    _ fixture: MigrationFixture, _ change: (inout [EntityDescription]) -> Void,
    _ configure: (inout PersistentStoreDescription) throws -> Void
  ) throws -> ObjectGraphError? {
    try fixture.coordinator.checkpoint(.truncate)
    try fixture.close()
    let before = try Data(contentsOf: URL(filePath: fixture.path))
    var entities = MigrationFixture.entities
    change(&entities)
    var description = fixture.description
    try configure(&description)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: entities))
    let found = objectGraphError { () throws(ObjectGraphError) in try coordinator.addPersistentStore(description) }
    try coordinator.close()
    #expect(try Data(contentsOf: URL(filePath: fixture.path)) == before)
    #expect(!FileManager.default.fileExists(atPath: fixture.path + "-wal"))
    return found
  }

  private static func source() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: MigrationFixture.entities)
  }

  private static func addAttribute(_ entities: inout [EntityDescription]) {
    entities[5].attributes.append(.init("zip", .string, isOptional: true))
  }

  @Test("Without migration, or a source model, the store is of another model, and the error suggests a remedy")
  func options() throws {
    for configure in [
      { $0.migratesStoreAutomatically = false }, { $0.infersMappingModelAutomatically = false },
      { $0.sourceModels = [] },
    ] as [(inout PersistentStoreDescription) -> Void] {
      let found = try error(MigrationFixture(), Self.addAttribute) {
        $0.sourceModels = [try Self.source()]
        configure(&$0)
      }
      guard case .incompatibleModel(_, let entities) = found else { throw TestFailure("\(String(describing: found))") }
      #expect(entities.map(\.entity) == ["Person"])
      #expect(found?.code == 134100 && found?.description.contains("sourceModels") == true)
    }
  }

  @Test("A source model that the store was not made with is not used")
  func wrongSource() throws {
    let found = try error(MigrationFixture(), Self.addAttribute) { description in
      var entities = MigrationFixture.entities
      entities[2].attributes.removeAll()
      description.sourceModels = [try ManagedObjectModel(entities: entities)]
    }
    guard case .missingSourceModel(_, let entities) = found else { throw TestFailure("\(String(describing: found))") }
    #expect(entities.map(\.entity) == ["Person"] && found?.code == 134130)
  }

  @Test("Changes that cannot be inferred are reported before anything is written")
  func notInferred() throws {
    let found = try error(MigrationFixture(), { $0[5].attributes[0].type = .int32 }) {
      $0.sourceModels = [try Self.source()]
    }
    guard case .mappingNotInferred(let problems) = found else { throw TestFailure("\(String(describing: found))") }
    #expect(problems.map(\.entity) == ["Person"] && problems.map(\.property) == ["age"])
  }

  struct Content: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let place: String
    let change: @Sendable (inout [EntityDescription]) -> Void
  }
}

extension MigrationRefusalTests {
  @Test(
    "A store whose objects break the new model's rules is refused, and nothing is written",
    arguments: [
      Content(testDescription: "values that are not unique", place: "Cat lives") {
        $0[1].uniquenessConstraints = [["lives"]]
      },
      Content(testDescription: "a required relationship without an object", place: "Animal owner") {
        $0[0].relationships[0].isOptional = false
      },
      Content(testDescription: "a new required relationship", place: "House street") {
        $0[4].relationships.append(.init("street", to: "Club", inverse: "houses", isOptional: false))
        $0[2].relationships.append(.init("houses", to: "House", inverse: "street", isToMany: true))
      },
      Content(testDescription: "objects of an entity that becomes abstract", place: "Animal ") {
        $0[0].isAbstract = true
      },
    ])
  func content(content: Content) throws {
    let found = try error(MigrationFixture(), content.change) { $0.sourceModels = [try Self.source()] }
    guard case .migration(let entity, let property, _, _, _) = found else {
      throw TestFailure("\(String(describing: found))")
    }
    #expect("\(entity ?? "") \(property ?? "")" == content.place && found?.code == 134110)
  }

  @Test("A default under a constraint is refused if two objects would get it, and stored if one does")
  func filledConstraint() throws {
    var entities = [
      EntityDescription(
        "Item", attributes: [.init("code", .string, isOptional: true)], uniquenessConstraints: [["code"]])
    ]
    let source = try ManagedObjectModel(entities: entities)
    entities[0].attributes[0].isOptional = false
    entities[0].attributes[0].defaultValue = "none"
    let destination = try ManagedObjectModel(entities: entities)
    for count in 1...2 {
      let folder = try CopiedStore()
      var description = PersistentStoreDescription(path: folder.path)
      let first = PersistentStoreCoordinator(managedObjectModel: source)
      try first.addPersistentStore(description)
      let context = ManagedObjectContext(.privateQueue, coordinator: first)
      try context.performAndWait { () throws in
        for _ in 0..<count { try context.insertNewObject(forEntityName: "Item") }
        try context.save()
      }
      try first.close()
      let layout = try StoreLayout.entities(of: folder.path)
      description.sourceModels = [source]
      let second = PersistentStoreCoordinator(managedObjectModel: destination)
      let found = objectGraphError { () throws(ObjectGraphError) in try second.addPersistentStore(description) }
      let codes = found == nil ? try MigrationContent.read(second).values.map(\.values) : nil
      try second.close()
      #expect(try StoreLayout.entities(of: folder.path) == layout)
      if count == 1 {
        #expect(found == nil && codes == [["code": "none"]])
        continue
      }
      guard case .migration("Item", "code", _, _, _) = found else { throw TestFailure("\(String(describing: found))") }
      #expect(found?.code == 134110)
    }
  }

  /// Changes that need space in the file.
  static let growing = MigrationKind.all.filter {
    [
      "a one-to-many that becomes many-to-many",
      "a many-to-many relationship more", "a sub-entity that becomes a root",
    ].contains($0.testDescription)
  }

  @Test("A disk that is full after any number of pages leaves the old store intact", arguments: growing)
  func fullDisk(kind: MigrationKind) throws {
    let fixture = try MigrationFixture()
    let model = fixture.model
    try fixture.coordinator.checkpoint(.truncate)
    let before = try MigrationContent.read(fixture.coordinator)
    let layout = try MigrationLayout.lines(of: fixture.path)
    try fixture.close()
    let pages = try #require(Int(fixture.rows("PRAGMA page_count")[0]))
    let destination = try ManagedObjectModel(entities: kind.applied(to: MigrationFixture.entities))
    var failures = 0
    for room in 0... {
      var description = fixture.description
      description.sourceModels = [model]
      description.pragmas = [.init("max_page_count", "\(pages + room)")]
      let coordinator = PersistentStoreCoordinator(managedObjectModel: destination)
      guard
        let error = objectGraphError({ () throws(ObjectGraphError) in try coordinator.addPersistentStore(description) })
      else {
        try coordinator.close()
        break
      }
      guard case .store(let cause, _) = error, cause.code == .full else { throw error }
      failures += 1
      let old = PersistentStoreCoordinator(managedObjectModel: model)
      try old.addPersistentStore(fixture.description)
      #expect(try MigrationContent.read(old) == before)
      try old.close()
      #expect(try MigrationLayout.lines(of: fixture.path) == layout)
    }
    #expect(failures > 0)
    let new = PersistentStoreCoordinator(managedObjectModel: destination)
    try new.addPersistentStore(fixture.description)
    #expect(try new.integrity().isSound)
    try new.close()
  }

  // MARK: - Cost

  /// The statements of a migration of a store with this many rows, and the length of its write-ahead log.
  private func cost(rows: Int, _ change: (inout [EntityDescription]) -> Void) throws -> (statements: [String], wal: Int)
  {
    let folder = try CopiedStore()
    var entities: [EntityDescription] = [
      .quake(), EntityDescription("Region", attributes: [.init("name", .string, isOptional: true)]),
    ]
    let source = try ManagedObjectModel(entities: entities)
    let first = PersistentStoreCoordinator(managedObjectModel: source)
    var description = PersistentStoreDescription(path: folder.path)
    try first.addPersistentStore(description)
    let context = ManagedObjectContext(.privateQueue, coordinator: first)
    try context.performAndWait { () throws in
      _ = try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (0..<rows).map { Quake.row("q\($0)", Double($0)) }))
    }
    try first.checkpoint(.truncate)
    try first.close()
    change(&entities)
    let statements = Lock<[String]>([])
    description.sourceModels = [source]
    description.sqlTrace = SQLTrace { line in
      if line.contains("sql: ") { statements.withLock { $0.append(line) } }
    }
    let second = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: entities))
    try second.addPersistentStore(description)
    let wal = try Data(contentsOf: URL(filePath: folder.path + "-wal")).count
    let count = try MigrationContent.read(second).count
    #expect(count == rows)
    try second.close()
    return (statements.withLock { $0 }, wal)
  }

  @Test(
    "Light changes run the same statements and write as much for 10 rows as for 10,000",
    arguments: [
      MigrationKind("an optional attribute") { $0[0].attributes.append(.init("depth", .double, isOptional: true)) },
      MigrationKind("an attribute with a default") { $0[0].attributes.append(.init("felt", .int32, defaultValue: 3)) },
      MigrationKind("a renamed attribute") {
        $0[0].attributes[2].name = "region"
        $0[0].attributes[2].renamingIdentifier = "place"
      },
      MigrationKind("an entity at the end") {
        $0.append(EntityDescription("Station", attributes: [.init("name", .string)]))
      },
    ])
  func lightChanges(kind: MigrationKind) throws {
    let (few, many) = (try cost(rows: 10, kind.apply), try cost(rows: 10_000, kind.apply))
    #expect(few.statements == many.statements && few.statements.count > 10)
    // The schema takes one page more or less.
    #expect(abs(few.wal - many.wal) <= 2 * 4_120, "\(few.wal) and \(many.wal) bytes")
  }

  @Test("A removed attribute copies its table, which the write-ahead log shows")
  func copiedTable() throws {
    let remove = { (entities: inout [EntityDescription]) in _ = entities[0].attributes.remove(at: 2) }
    #expect(try cost(rows: 10_000, remove).wal > 100 * 4_096 + (try cost(rows: 10, remove).wal))
  }
}
