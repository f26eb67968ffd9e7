// D11: a context whose store another process migrates reads and writes nothing wrong, and gets an error.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D11 · a store migrated while it is open", .tags(.d11))
struct MigratedElsewhereTests {
  /// The fixture's store, open in its coordinator, and migrated by another one.
  private func migrated(
    _ name: String, _ body: (MigrationFixture, ManagedObjectContext) throws -> Void
  ) throws {
    let fixture = try MigrationFixture()
    let kind = try #require(MigrationKind.all.first { $0.testDescription == name })
    let context = ManagedObjectContext(.privateQueue, coordinator: fixture.coordinator)
    _ = try context.performAndWait { () throws in
      try context.count(for: FetchRequest<ManagedObject>(entityName: "Person"))
    }
    let other = PersistentStoreCoordinator(
      managedObjectModel: try ManagedObjectModel(entities: kind.applied(to: MigrationFixture.entities)))
    var description = fixture.description
    description.sourceModels = [fixture.model]
    try other.addPersistentStore(description)
    defer { try? other.close() }
    try context.performAndWait { () throws in try body(fixture, context) }
    #expect(try other.integrity().isSound)
  }

  static let names = [
    "an entity at the beginning, which renumbers the others", "an attribute less of a sub-entity",
    "a renamed root with sub-entities", "an optional attribute of a root",
  ]

  @Test("A fetch ends with a typed error", arguments: names)
  func fetching(name: String) throws {
    try migrated(name) { fixture, context in
      for _ in 0..<2 {
        let error = objectGraphError {
          _ = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
        }
        #expect(error == .storeMigrated(path: fixture.path) && error?.code == 134100)
      }
    }
  }

  @Test("A save ends with a typed error, and stores nothing", arguments: names)
  func saving(name: String) throws {
    try migrated(name) { fixture, context in
      let before = try fixture.rows("SELECT count(*), max(Z_PK) FROM ZPERSON")
      let person = try context.insertNewObject(forEntityName: "Person")
      try person.setValue("new@x.org", forKey: "email")
      for _ in 0..<2 {
        #expect(objectGraphError { try context.save() } == .storeMigrated(path: fixture.path))
      }
      #expect(try fixture.rows("SELECT count(*), max(Z_PK) FROM ZPERSON") == before)
    }
  }

  #if os(macOS) || os(Linux) || os(FreeBSD) || os(Windows)
    @Test("A save ends with a typed error even if statements are profiled")
    func profiled() async {
      // A profile stays attached to its process.
      await #expect(processExitsWith: .success) {
        let profile = try StatementProfile.attach(countsWork: true)
        try MigratedElsewhereTests().migrated(MigratedElsewhereTests.names[0]) { fixture, context in
          let person = try context.insertNewObject(forEntityName: "Person")
          try person.setValue("new@x.org", forKey: "email")
          #expect(objectGraphError { try context.save() } == .storeMigrated(path: fixture.path))
        }
        #expect(profile.costs().contains { $0.work.repreparations > 0 })
      }
    }
  #endif

  @Test("A batch request ends with a typed error")
  func batches() throws {
    try migrated("an entity at the beginning, which renumbers the others") { fixture, context in
      let error = objectGraphError {
        _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Dog")))
      }
      #expect(error == .storeMigrated(path: fixture.path))
    }
  }

  @Test("A change of the schema alone, such as a further index, disturbs no context")
  func otherChanges() throws {
    let fixture = try MigrationFixture()
    let before = try MigrationContent.read(fixture.coordinator)
    let connection = try Connection(path: fixture.path, access: .readWrite)
    try connection.execute("CREATE INDEX mine ON ZPERSON (ZBORN)")
    try connection.close()
    #expect(try MigrationContent.read(fixture.coordinator) == before)
    let context = ManagedObjectContext(.privateQueue, coordinator: fixture.coordinator)
    try context.performAndWait { () throws in
      let club = try context.insertNewObject(forEntityName: "Club")
      try club.setValue("c", forKey: "title")
      try context.save()
    }
    #expect(try MigrationContent.read(fixture.coordinator).count == before.count + 1)
  }
}
