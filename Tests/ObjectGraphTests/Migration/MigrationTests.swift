// D11: a store is changed in place to fit its model, and every object follows the mapping.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Testing

@Suite("D11 · migrated stores", .tags(.d11))
struct MigrationTests {
  @Test(
    "A store is migrated to a changed model, and back if a mapping can be inferred",
    arguments: MigrationKind.all)
  func kinds(kind: MigrationKind) throws {
    let fixture = try MigrationFixture()
    let changed = kind.applied(to: MigrationFixture.entities)
    try fixture.migrateAndCheck(changed)
    do {
      _ = try MappingModel(
        inferringFrom: ManagedObjectModel(entities: changed),
        to: ManagedObjectModel(entities: MigrationFixture.entities))
    } catch let error as ObjectGraphError {
      guard case .mappingNotInferred = error else { throw error }
      return
    }
    try fixture.migrateAndCheck(MigrationFixture.entities)
  }

  @Test("New derived attributes have their values, and attributes derived from something else have new ones")
  func derivedAttributes() throws {
    let fixture = try MigrationFixture()
    var entities = MigrationFixture.entities
    entities[5].attributes += [
      .init("petCount", .int64, isOptional: true, derivationExpression: "pets.@count"),
      .init("petWeight", .double, isOptional: true, derivationExpression: "pets.weight.@sum"),
      .init("clubCount", .int64, isOptional: true, derivationExpression: "clubs.@count"),
      .init("loud", .string, isOptional: true, derivationExpression: "uppercase:(email)"),
      .init("changed", .date, derivationExpression: "now()"),
    ]
    entities[0].attributes.append(
      .init("ownerMail", .string, isOptional: true, derivationExpression: "canonical:(owner.email)"))
    try fixture.migrate(entities)
    let rows = "SELECT Z_PK, ZPETCOUNT, ZPETWEIGHT, ZCLUBCOUNT, ZLOUD, ZCHANGED NOT NULL FROM ZPERSON ORDER BY Z_PK"
    for row in try fixture.rows(rows) {
      let values = row.split(separator: "|").map(String.init)
      let key = values[0]
      let wanted = try fixture.rows(
        """
        SELECT (SELECT count(*) FROM ZANIMAL WHERE ZOWNER = \(key)),
        (SELECT total(ZWEIGHT) FROM ZANIMAL WHERE ZOWNER = \(key)),
        (SELECT count(*) FROM Z_4MEMBERS WHERE Z_6MEMBERS = \(key)), upper(ZEMAIL), 1 FROM ZPERSON WHERE Z_PK = \(key)
        """)
      #expect(wanted == [values.dropFirst().joined(separator: "|")])
    }
    let mails = "SELECT count(*) FROM ZANIMAL a JOIN ZPERSON p ON p.Z_PK = a.ZOWNER WHERE a.ZOWNERMAIL = p.ZEMAIL"
    #expect(try fixture.rows(mails) == ["5"])
    entities[5].attributes[entities[5].attributes.count - 2].derivationExpression = "lowercase:(email)"
    entities[5].attributes[entities[5].attributes.count - 2].versionHashModifier = "2"
    try fixture.migrate(entities)
    #expect(
      try fixture.rows("SELECT count(*) FROM ZPERSON WHERE ZLOUD = ZEMAIL")
        == fixture.rows("SELECT count(*) FROM ZPERSON"))
  }

  @Test("The store of a configuration is migrated with its own entities")
  func configurations() throws {
    func entity(_ name: String, _ attributes: String...) -> EntityDescription {
      EntityDescription(name, attributes: attributes.map { .init($0, .string, isOptional: true) })
    }
    let source = try ManagedObjectModel(
      entities: [entity("Map", "title"), entity("Note", "text")], configurations: ["User": ["Note"]])
    let destination = try ManagedObjectModel(
      entities: [
        entity("Atlas", "title"), entity("Map", "title"), entity("Note", "text", "mood"), entity("Tag", "word"),
      ],
      configurations: ["User": ["Note", "Tag"]])
    let folder = try CopiedStore()
    var description = PersistentStoreDescription(path: folder.path)
    description.configuration = "User"
    let first = PersistentStoreCoordinator(managedObjectModel: source)
    try first.addPersistentStore(description)
    let context = ManagedObjectContext(.privateQueue, coordinator: first)
    try context.performAndWait { () throws in
      try context.insertNewObject(forEntityName: "Note").setValue("t", forKey: "text")
      try context.save()
    }
    try first.close()
    description.sourceModels = [source]
    let second = PersistentStoreCoordinator(managedObjectModel: destination)
    try second.addPersistentStore(description)
    defer { try? second.close() }
    #expect(try MigrationContent.read(second, ["Note", "Tag"]).mapValues(\.values) == ["Note/1": ["text": "t"]])
    let connection = try Connection(path: folder.path, access: .readOnly)
    let tables = try connection.prepare("SELECT group_concat(Z_NAME || Z_ENT) FROM Z_PRIMARYKEY")
    #expect(try tables.step() && tables.string(0) == "Note3,Tag4")
  }

  @Test("Several changes at once migrate one random version to the next", arguments: 0..<12)
  func combinations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let fixture = try MigrationFixture()
    var steps = 0
    for _ in 0..<8 {
      var entities = MigrationFixture.entities
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        MigrationKind.all.randomElement(using: &random)?.apply(&entities)
      }
      // Changes that contradict each other make no model or no mapping.
      guard let model = try? ManagedObjectModel(entities: entities),
        (try? MappingModel(inferringFrom: fixture.model, to: model)) != nil
      else { continue }
      try fixture.migrateAndCheck(entities)
      steps += 1
    }
    #expect(steps > 0)
  }
}

extension MigrationTests {
  @Test("A table or column with the word unique in its name is changed in place")
  func uniqueNames() throws {
    let source = [EntityDescription("UniqueThing", attributes: [.init("uniqueID", .string, isOptional: true)])]
    var destination = source
    destination[0].attributes.append(.init("note", .string, isOptional: true))
    let folder = try CopiedStore()
    let first = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: source))
    var description = PersistentStoreDescription(path: folder.path)
    try first.addPersistentStore(description)
    try first.close()
    description.sourceModels = [first.managedObjectModel]
    let log = MigrationLog()
    description.migrationLog = log
    let second = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: destination))
    try second.addPersistentStore(description)
    try second.close()
    let summary = try #require(log.summary)
    #expect(summary.tables.map(\.name) == ["ZUNIQUETHING"] && summary.tables.allSatisfy { !$0.isCopied })
  }
}
