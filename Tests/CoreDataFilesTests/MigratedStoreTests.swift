// A8, D10: traces of migrations in a store: other numbers in names, columns in any order, outdated names.
import Foundation
import CoreDataFiles
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("A8 D10 · migrated stores", .tags(.a8, .d10))
struct MigratedStoreTests {
  /// Every value and every end of a relationship of every object, in order.
  private func content(_ file: StoreFile) throws -> [String] {
    try file.read { context in
      let model = file.recoveredModel.model
      var lines: [String] = []
      for entity in model.entities {
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = false
        for object in try context.fetch(request) {
          var parts = ["\(entity.name) \(object.objectID.uriRepresentation().split(separator: "/").last ?? "")"]
          for attribute in model.attributes(of: entity.name) { parts.append(text(object[attribute.name])) }
          for relationship in model.relationships(of: entity.name) {
            parts += try object.objectIDs(forRelationshipNamed: relationship.name).map {
              $0.uriRepresentation().split(separator: "/").suffix(2).joined(separator: " ")
            }
          }
          lines.append(parts.joined(separator: "|"))
        }
      }
      return lines
    }
  }

  private func content(_ store: SampleStore) throws -> [String] { try content(StoreFile(path: store.path)) }

  @Test(
    "Entities whose numbers rose by one are read, with rows, companions and history",
    arguments: SampleStore.all(.library))
  func renumbered(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.dropTriggers()
    try copy.execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT - 1, Z_SUPER = CASE Z_SUPER WHEN 0 THEN 0 ELSE Z_SUPER + 1 END WHERE Z_ENT < 16001;
      UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT WHERE Z_ENT < 0;
      UPDATE ZBOOK SET Z_ENT = Z_ENT + 1; UPDATE ZFEEDBACK SET Z_ENT = Z_ENT + 1; UPDATE ZWRITER SET Z_ENT = Z_ENT + 1;
      UPDATE ZPAGE SET Z_ENT = Z_ENT + 1, Z1_BOOK = Z1_BOOK + 1; UPDATE ACHANGE SET ZENTITY = ZENTITY + 1;
      ALTER TABLE ZPAGE RENAME COLUMN Z1_BOOK TO Z2_BOOK
      """)
    let file = try StoreFile(path: copy.path)
    #expect(try content(file) == content(store))
    let inserted = try file.read { context in
      try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).changes
        .count { $0.changedObjectID.entityName == "Page" }
    }
    #expect(inserted == store.rows(of: "Page"))
    // The companion's number may also be outdated.
    try copy.execute("ALTER TABLE ZPAGE RENAME COLUMN Z2_BOOK TO Z1_BOOK")
    #expect(try content(StoreFile(path: copy.path)) == content(store))
  }

  @Test(
    "Columns in another order, additional columns, duplicate indexes, and triggers do not matter",
    arguments: SampleStore.all(.library))
  func appended(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let columns = "Z_PK, Z_ENT, Z_OPT, ZCONTENT, Z1_BOOK, ZNUMBER, ZISBOOKMARKED, ZBOOK"
    try copy.execute(
      """
      CREATE TABLE MOVED ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCONTENT BLOB, ZNEW VARCHAR, \
      Z1_BOOK INTEGER, ZNUMBER INTEGER, ZISBOOKMARKED INTEGER, ZBOOK INTEGER );
      INSERT INTO MOVED (\(columns)) SELECT \(columns) FROM ZPAGE;
      DROP TABLE ZPAGE; PRAGMA legacy_alter_table = ON; ALTER TABLE MOVED RENAME TO ZPAGE;
      CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK); CREATE INDEX Z_9PAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK);
      CREATE TABLE "Z_24STALE" ( Z_24OLD INTEGER, Z_25STALE INTEGER, PRIMARY KEY (Z_24OLD, Z_25STALE) )
      """)
    #expect(try PlainSQL(copy.path).count("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") > 0)
    #expect(try content(StoreFile(path: copy.path)) == content(store))
  }

  @Test(
    "An entity whose new name is not in Z_PRIMARYKEY yet is recognized by the metadata",
    arguments: SampleStore.all(.cars))
  func laggingName(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'LuxuryCar' WHERE Z_NAME = 'ExpensiveSportCar'")
    #expect(try content(StoreFile(path: copy.path)) == content(store))
    try copy.execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
    let error = try #require(fileError { _ = try StoreFile(path: copy.path) })
    #expect("\(error)".contains("it has no entity ExpensiveSportCar"))
  }
}

extension MigratedStoreTests {
  @Test(
    "A renamed entity and its table are recognized by its renaming identifier; writing needs the names of the model",
    arguments: SampleStore.all(.authors))
  func renamingIdentifier(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.execute(
      """
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME) VALUES (1, 1, 1, 'A');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (7, 2, 1, 'X'), (8, 2, 1, 'Y');
      INSERT INTO Z_1BOOKS (Z_1AUTHORS, Z_2BOOKS) VALUES (1, 7), (1, 8)
      """)
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Writer", attributes: ["firstName", "lastName"].map { .init($0, .string, isOptional: true) },
        relationships: [.init("books", to: "Book", inverse: "authors", isToMany: true)], renamingIdentifier: "Author"),
      EntityDescription(
        "Book", attributes: [.init("title", .string, isOptional: true)],
        relationships: [.init("authors", to: "Writer", inverse: "books", isToMany: true)]),
    ])
    var description = PersistentStoreDescription(path: copy.path)
    let writing = PersistentStoreCoordinator(managedObjectModel: model)
    #expect { try writing.addPersistentStore(description) } throws: {
      "\($0)".contains("Writer: found no such entity in the store")
    }
    let before = try copy.files()
    description.isImmutable = true
    #expect(description.isReadOnly)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(description)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    let titles = try context.performAndWait { () throws in
      let request = FetchRequest(entityName: "Writer", predicate: try FetchPredicate(format: "ANY books.title = 'Y'"))
      return try context.fetch(request).flatMap { try $0.objects(forKey: "books").map { text($0["title"]) } }
    }
    #expect(titles == ["X", "Y"])
    #expect(try copy.files() == before)
  }

  @Test(
    "The leftover number belongs to the leftover entity only if both have the same super-entity", arguments: [0, 1])
  func remainingNumber(superentity: Int) throws {
    let name = [AttributeDescription("name", .string, isOptional: true)]
    let stack = try TestStack([
      EntityDescription("Base", attributes: name), EntityDescription("Other", attributes: name),
      EntityDescription("Sub", superentity: "Base"),
    ])
    try stack.coordinator.close()
    try stack.execute(
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Former', Z_SUPER = \(superentity) WHERE Z_NAME = 'Other'")
    var description = stack.description()
    description.isReadOnly = true
    let error = objectGraphError { try stack.coordinator.addPersistentStore(description) }
    #expect(
      error
        == (superentity == 0
          ? nil : .incompatibleStore(path: stack.path, differences: ["it has no entity Other"])))
  }

  @Test("A store with a key below 1 is not read, because no object can have it", arguments: [0, -3])
  func wrongKey(key: Int) throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    try stack.execute("INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (\(key), 1, 1, 'x')")
    var description = stack.description()
    description.isReadOnly = true
    #expect(
      objectGraphError { try stack.coordinator.addPersistentStore(description) }
        == .incompatibleStore(
          path: stack.path, differences: ["ZQUAKE has a row with the key \(key), expected keys from 1 on"]))
  }

  @Test("Join tables and columns with other numbers are read, even if both ends have one name")
  func joinTables() throws {
    let person = EntityDescription(
      "Person", attributes: [.init("name", .string, isOptional: true)],
      relationships: [
        .init("links", to: "Group", inverse: "links", isToMany: true, isOrdered: true),
        .init("tags", to: "Tag", inverse: "people", isToMany: true),
      ])
    let entities = [
      person,
      EntityDescription("Group", relationships: [.init("links", to: "Person", inverse: "links", isToMany: true)]),
      EntityDescription("Tag", relationships: [.init("people", to: "Person", inverse: "tags", isToMany: true)]),
    ]
    let stack = try TestStack(entities)
    let context = stack.context()
    try context.performAndWait { () throws in
      let people = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Person") }
      let groups = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Group") }
      let tags = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Tag") }
      try context.save()
      try people[0].setObjects([groups[2], groups[0]], forKey: "links")
      try people[1].setObjects([groups[1]], forKey: "links")
      try people[1].setObjects(tags, forKey: "tags")
      try context.save()
    }
    func pairs() throws -> [String] {
      var description = stack.description()
      description.isReadOnly = true
      let coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
      try coordinator.addPersistentStore(description)
      defer { try? coordinator.close() }
      let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
      return try context.performAndWait { () throws in
        var pairs: [String] = []
        for (entity, name) in [("Person", "links"), ("Person", "tags"), ("Group", "links"), ("Tag", "people")] {
          for object in try context.fetch(FetchRequest(entityName: entity)) {
            let ends = try object.objectIDs(forRelationshipNamed: name).map { $0.uriRepresentation().suffix(2) }
            pairs.append("\(object.objectID.uriRepresentation().suffix(2)).\(name) " + ends.joined(separator: " "))
          }
        }
        return pairs
      }
    }
    try stack.coordinator.close()
    let before = try pairs()
    #expect(before.contains { $0.hasSuffix("links p3 p1") || $0.split(separator: " ").count == 3 })
    // The numbers of Group, Person and Tag were 1, 2 and 3; names still show that they once were 4, 6 and 9.
    try stack.execute(
      """
      ALTER TABLE Z_1LINKS RENAME TO Z_4LINKS; ALTER TABLE Z_4LINKS RENAME COLUMN Z_1LINKS TO Z_4LINKS;
      ALTER TABLE Z_4LINKS RENAME COLUMN Z_2LINKS TO Z_6LINKS; ALTER TABLE Z_4LINKS RENAME COLUMN Z_FOK_1LINKS TO Z_FOK_4LINKS;
      ALTER TABLE Z_2TAGS RENAME TO Z_6TAGS; ALTER TABLE Z_6TAGS RENAME COLUMN Z_2PEOPLE TO Z_6PEOPLE;
      ALTER TABLE Z_6TAGS RENAME COLUMN Z_3TAGS TO Z_9TAGS
      """)
    #expect(try pairs() == before)
  }
}
