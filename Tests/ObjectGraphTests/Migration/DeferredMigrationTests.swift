// D11: data that the model no longer has stays in the file until there is time to remove it, and is not accessible
// until then.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("D11 · deferred migration", .tags(.d11))
struct DeferredMigrationTests {
  private static let key = "NSPersistentStoreDeferredLightweightMigrationOptionKey"

  private func isPending(_ fixture: MigrationFixture) throws -> Bool { try fixture.metadata()[Self.key] == true }

  private static func `defer`(_ description: inout PersistentStoreDescription) {
    description.defersLightweightMigration = true
  }

  /// Objects of every entity, saved and inserted in a batch, with history of both.
  private func use(_ fixture: MigrationFixture) throws {
    let context = ManagedObjectContext(.privateQueue, coordinator: fixture.coordinator)
    let token = try #require(try fixture.coordinator.currentPersistentHistoryToken())
    try context.performAndWait { () throws in
      for entity in fixture.model.entities where !entity.isAbstract {
        let attributes = fixture.model.attributes(of: entity.name)
        guard attributes.allSatisfy({ $0.isOptional || !$0.defaultValue.isNull || $0.type == .string }),
          fixture.model.relationships(of: entity.name).allSatisfy(\.isOptional)
        else { continue }
        let required = attributes.filter { !$0.isOptional && $0.type == .string }
        let object = try context.insertNewObject(forEntityName: entity.name)
        for attribute in required { try object.setValue(.string("new \(entity.name)"), forKey: attribute.name) }
        try context.save()
        let row = Dictionary(required.map { ($0.name, AttributeValue.string("batch \(entity.name)")) }) { first, _ in
          first
        }
        _ = try context.execute(BatchInsertRequest(entityName: entity.name, objects: [row]))
        try context.delete(object)
        try context.save()
      }
      let result = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: token))
      #expect(result.transactions.count >= 3 && result.transactions.count % 3 == 0)
    }
    #expect(try fixture.coordinator.integrity().breaches == [])
  }

  @Test(
    "Every change takes effect at once, the store can be used, and finishing gives a new store's layout",
    arguments: MigrationKind.all)
  func kinds(kind: MigrationKind) throws {
    let fixture = try MigrationFixture()
    try fixture.migrateAndCheck(
      kind.applied(to: MigrationFixture.entities), hasFreshLayout: false, Self.defer)
    try use(fixture)
    let before = try MigrationContent.read(fixture.coordinator)
    let wasPending = try isPending(fixture)
    let layout = try MigrationLayout.fresh(fixture.model)
    #expect(try (MigrationLayout.lines(of: fixture.path) == layout) == !wasPending)
    try fixture.coordinator.finishDeferredLightweightMigration()
    #expect(try !isPending(fixture))
    #expect(try MigrationLayout.lines(of: fixture.path) == layout)
    #expect(try MigrationContent.read(fixture.coordinator) == before)
    #expect(try fixture.coordinator.integrity().breaches == [])
    let connection = try Connection(path: fixture.path, access: .readOnly)
    #expect(try connection.integrityCheck() == [])
  }

  @Test("Without deferred work there is no entry, and finishing does nothing")
  func nothing() throws {
    let fixture = try MigrationFixture()
    let before = try fixture.rows("SELECT * FROM Z_METADATA")
    #expect(try !isPending(fixture) && !fixture.coordinator.finishDeferredLightweightMigrationTask())
    #expect(try fixture.rows("SELECT * FROM Z_METADATA") == before)
  }

  /// Removes the breed of dogs, and clubs.
  private static func remove(_ entities: inout [EntityDescription]) {
    entities[3].attributes.removeFirst()
    entities[5].relationships.removeFirst()
    entities.remove(at: 2)
  }

  @Test("Removed columns and tables stay, unread; new rows have no value there; and no row is copied")
  func whatStays() throws {
    let fixture = try MigrationFixture()
    var entities = MigrationFixture.entities
    Self.remove(&entities)
    let statements = Lock<[String]>([])
    try fixture.migrateAndCheck(entities, hasFreshLayout: false) { description in
      Self.defer(&description)
      description.sqlTrace = SQLTrace { line in statements.withLock { $0.append(line) } }
    }
    let copies = statements.withLock {
      $0.filter { $0.contains("INSERT INTO ZANIMAL") || $0.contains("TABLE \"ZCLUB\"") || $0.contains("ZBREED TO") }
    }
    #expect(copies == [])
    #expect(try isPending(fixture))
    #expect(try fixture.rows("SELECT count(*) FROM ZCLUB") == ["2"])
    #expect(try fixture.rows("SELECT ZBREED FROM ZANIMAL WHERE ZBREED NOT NULL") == ["hound"])
    try use(fixture)
    #expect(try fixture.rows("SELECT count(*) FROM ZANIMAL WHERE ZBREED NOT NULL") == ["1"])
    // One table at a time.
    #expect(try fixture.coordinator.finishDeferredLightweightMigrationTask())
    #expect(try isPending(fixture))
    #expect(try fixture.coordinator.finishDeferredLightweightMigrationTask())
    #expect(try !fixture.coordinator.finishDeferredLightweightMigrationTask())
    #expect(try MigrationLayout.lines(of: fixture.path) == MigrationLayout.fresh(fixture.model))
  }

  @Test("An attribute that returns in a later version is empty, and one that now has its name is not confused with it")
  func comingBack() throws {
    let fixture = try MigrationFixture()
    var entities = MigrationFixture.entities
    Self.remove(&entities)
    try fixture.migrateAndCheck(entities, hasFreshLayout: false, Self.defer)
    try fixture.migrateAndCheck(MigrationFixture.entities, hasFreshLayout: false, Self.defer)
    #expect(try fixture.rows("SELECT count(*), count(ZBREED) FROM ZANIMAL") == ["6|0"])
    #expect(try fixture.rows("SELECT count(*) FROM ZCLUB") == ["0"])
    #expect(try MigrationLayout.lines(of: fixture.path) == MigrationLayout.fresh(fixture.model) && !isPending(fixture))
    // A renamed attribute gets the name of a remaining one.
    entities = MigrationFixture.entities
    entities[0].attributes.remove(at: 1)
    try fixture.migrateAndCheck(entities, hasFreshLayout: false, Self.defer)
    entities[1].attributes[0].name = "weight"
    entities[1].attributes[0].renamingIdentifier = "lives"
    try fixture.migrateAndCheck(entities, hasFreshLayout: false, Self.defer)
    #expect(try fixture.rows("SELECT count(*), sum(ZWEIGHT) FROM ZANIMAL WHERE ZWEIGHT NOT NULL") == ["2|18"])
    try fixture.coordinator.finishDeferredLightweightMigration()
    #expect(try MigrationLayout.lines(of: fixture.path) == MigrationLayout.fresh(fixture.model))
  }

  @Test(
    "Deferred work stays through a later migration in place, even under a new table name, and ends with a copy")
  func laterMigrations() throws {
    let fixture = try MigrationFixture()
    var entities = MigrationFixture.entities
    entities[3].attributes.removeFirst()
    try fixture.migrateAndCheck(entities, hasFreshLayout: false, Self.defer)
    entities[0].name = "Beast"
    entities[0].renamingIdentifier = "Animal"
    for index in [1, 3] { entities[index].superentityName = "Beast" }
    entities[5].relationships[3].destinationEntityName = "Beast"
    try fixture.migrateAndCheck(entities, hasFreshLayout: false)
    #expect(try isPending(fixture) && fixture.rows("SELECT count(ZBREED) FROM ZBEAST") == ["1"])
    entities[1].attributes = []
    try fixture.migrateAndCheck(entities)
    #expect(try !isPending(fixture))
  }

  @Test("Several versions are each deferred, and finished at the end", arguments: 0..<8)
  func chains(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let fixture = try MigrationFixture()
    var steps = 0
    for _ in 0..<8 {
      var entities = MigrationFixture.entities
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        MigrationKind.all.randomElement(using: &random)?.apply(&entities)
      }
      guard let model = try? ManagedObjectModel(entities: entities),
        (try? MappingModel(inferringFrom: fixture.model, to: model)) != nil
      else { continue }
      let defers = Int.random(in: 0..<4, using: &random) > 0
      try fixture.migrateAndCheck(entities, hasFreshLayout: false) { $0.defersLightweightMigration = defers }
      steps += 1
    }
    #expect(steps > 0)
    try fixture.coordinator.finishDeferredLightweightMigration()
    #expect(try MigrationLayout.lines(of: fixture.path) == MigrationLayout.fresh(fixture.model))
  }

  @Test("Others that have the store open can use it while it is finished")
  func others() throws {
    let fixture = try MigrationFixture()
    var entities = MigrationFixture.entities
    Self.remove(&entities)
    try fixture.migrate(entities, Self.defer)
    let other = PersistentStoreCoordinator(managedObjectModel: fixture.model)
    try other.addPersistentStore(fixture.description)
    defer { try? other.close() }
    let before = try MigrationContent.read(other)
    let context = ManagedObjectContext(.privateQueue, coordinator: other)
    try context.performAndWait { () throws in
      let house = try context.insertNewObject(forEntityName: "House")
      try house.setValue(.integer(7), forKey: "number")
      try fixture.coordinator.finishDeferredLightweightMigration()
      try context.save()
    }
    #expect(try MigrationContent.read(other).count == before.count + 1)
    #expect(try MigrationContent.read(other) == MigrationContent.read(fixture.coordinator))
  }

  @Test(
    "Finishing does nothing on a read-only store, and on a full disk leaves it as it was until the next attempt")
  func failures() throws {
    let fixture = try MigrationFixture()
    var entities = MigrationFixture.entities
    Self.remove(&entities)
    try fixture.migrate(entities, Self.defer)
    let before = try MigrationContent.read(fixture.coordinator)
    try fixture.close()
    var description = fixture.description
    description.isReadOnly = true
    let reader = PersistentStoreCoordinator(managedObjectModel: fixture.model)
    try reader.addPersistentStore(description)
    try reader.finishDeferredLightweightMigration()
    #expect(try MigrationContent.read(reader) == before && isPending(fixture))
    try reader.close()
    let blocker = try Connection(path: fixture.path)
    try blocker.execute("CREATE VIEW mine AS SELECT ZBREED FROM ZANIMAL; BEGIN IMMEDIATE")
    description.isReadOnly = false
    description.busyTimeout = 0
    let coordinator = PersistentStoreCoordinator(managedObjectModel: fixture.model)
    try coordinator.addPersistentStore(description)
    defer { try? coordinator.close() }
    guard case .store(let cause, _) = objectGraphError({ try coordinator.finishDeferredLightweightMigration() }) else {
      throw TestFailure("another writer was not noticed")
    }
    #expect(cause.code == .busy)
    try blocker.execute("COMMIT; DROP VIEW mine")
    try blocker.close()
    #expect(try MigrationContent.read(coordinator) == before && isPending(fixture))
    try coordinator.finishDeferredLightweightMigration()
    #expect(try MigrationContent.read(coordinator) == before && !isPending(fixture))
  }
}
