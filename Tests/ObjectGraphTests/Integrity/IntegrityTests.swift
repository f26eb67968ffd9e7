// D13: stores damaged on purpose, and the findings of the check for each; valid stores have none.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

/// One or two statements that damage a filled ``Workshop``, and all rules that they break.
struct Damage: Sendable, CustomTestStringConvertible {
  /// A rule that is broken, with its rows as `Part/p1`.
  struct Breach: Sendable {
    let rule: StoreIntegrity.Rule
    /// As `Part.owner`.
    let relationship: String
    let count: Int
    let rows: [String]

    init(_ rule: StoreIntegrity.Rule, _ relationship: String, _ rows: String..., count: Int? = nil) {
      (self.rule, self.relationship, self.rows) = (rule, relationship, rows)
      self.count = count ?? rows.count
    }

    /// The breach in the check's form.
    func breach(inStore uuid: String) -> StoreIntegrity.Breach {
      let names = relationship.split(separator: ".").map(String.init)
      return StoreIntegrity.Breach(
        rule: rule, entity: names[0], relationship: names[1], count: count,
        examples: rows.map { "x-coredata://\(uuid)/\($0)" })
    }
  }

  let name: String
  let sql: String
  let breaches: [Breach]

  init(_ name: String, _ sql: String, _ breaches: Breach...) {
    (self.name, self.sql, self.breaches) = (name, sql, breaches)
  }

  var testDescription: String { name }

  static let all = [
    // Keys of to-one relationships.
    Damage(
      "a key to no row", "UPDATE ZITEM SET ZOWNER = 99 WHERE Z_PK = 1", Breach(.keyLeadsToRow, "Part.owner", "Part/p1")),
    Damage(
      "the key 0", "UPDATE ZDRAWER SET ZDESK = 0 WHERE Z_PK = 3", Breach(.keyLeadsToRow, "Drawer.desk", "Drawer/p3")),
    Damage(
      "a negative key", "UPDATE ZDRAWER SET ZDESK = -1 WHERE Z_PK = 3",
      Breach(.keyLeadsToRow, "Drawer.desk", "Drawer/p3")),
    Damage(
      "a text as a key", "UPDATE ZDRAWER SET ZDESK = 'first' WHERE Z_PK = 3",
      Breach(.keyLeadsToRow, "Drawer.desk", "Drawer/p3")),
    Damage(
      "more keys than examples", "UPDATE ZITEM SET ZOWNER = 99 WHERE Z_ENT = 4",
      Breach(.keyLeadsToRow, "Part.owner", "Part/p1", "Part/p2", "Part/p3", count: 5)),
    Damage(
      "a deleted row that parts and friends lead to", "DELETE FROM ZOWNER WHERE Z_PK = 3",
      Breach(.keyLeadsToRow, "Part.owner", "Part/p4", "Part/p5"),
      Breach(.keyLeadsToRow, "Owner.friends", "Owner/p1", "Owner/p1")),
    Damage(
      "a deleted row of an ordered relationship", "DELETE FROM ZDESK WHERE Z_PK = 1",
      Breach(.keyLeadsToRow, "Drawer.desk", "Drawer/p1", "Drawer/p2"),
      Breach(.keyLeadsToRow, "Owner.desk", "Owner/p1")),
    // Entities.
    Damage(
      "a key to a row of another entity of the hierarchy", "UPDATE ZDRAWER SET ZTOOL = 1 WHERE Z_PK = 3",
      Breach(.keyLeadsToEntity, "Drawer.tool", "Drawer/p3")),
    Damage(
      "a row that became one of another entity", "UPDATE ZITEM SET Z_ENT = 4, ZOWNER = 1 WHERE Z_PK = 7",
      Breach(.keyLeadsToEntity, "Drawer.tool", "Drawer/p2"), Breach(.keyLeadsToEntity, "Kit.tools", "Kit/p1")),
    Damage(
      "a row of no known entity", "UPDATE ZITEM SET Z_ENT = 99 WHERE Z_PK = 6",
      Breach(.keyLeadsToEntity, "Drawer.tool", "Drawer/p1"), Breach(.keyLeadsToEntity, "Note.item", "Note/p2"),
      Breach(.keyLeadsToEntity, "Item.tags", "99/p6"), Breach(.keyLeadsToEntity, "Kit.tools", "Kit/p1")),
    Damage(
      "a row without an entity", "UPDATE ZITEM SET Z_ENT = NULL WHERE Z_PK = 6",
      Breach(.keyLeadsToEntity, "Drawer.tool", "Drawer/p1"), Breach(.keyLeadsToEntity, "Note.item", "Note/p2"),
      Breach(.keyLeadsToEntity, "Item.tags", "0/p6"), Breach(.keyLeadsToEntity, "Kit.tools", "Kit/p1")),
    Damage(
      "the number of another entity beside a key", "UPDATE ZNOTE SET Z3_ITEM = 5 WHERE Z_PK = 1",
      Breach(.entityNumberOfKey, "Note.item", "Note/p1")),
    // Required relationships.
    Damage(
      "required objects missing in a sub-entity", "UPDATE ZITEM SET ZOWNER = NULL WHERE Z_PK IN (2, 4)",
      Breach(.requiredObject, "Part.owner", "Part/p2", "Part/p4")),
    Damage(
      "all required objects missing", "UPDATE ZITEM SET ZOWNER = NULL",
      Breach(.requiredObject, "Part.owner", "Part/p1", "Part/p2", "Part/p3", count: 5)),
    Damage(
      "two rules broken in one relationship",
      "UPDATE ZITEM SET ZOWNER = NULL WHERE Z_PK = 1; UPDATE ZITEM SET ZOWNER = 99 WHERE Z_PK = 2",
      Breach(.keyLeadsToRow, "Part.owner", "Part/p2"), Breach(.requiredObject, "Part.owner", "Part/p1")),
    // One-to-one relationships.
    Damage(
      "one end of a one-to-one empty", "UPDATE ZDESK SET ZOWNER = NULL WHERE Z_PK = 1",
      Breach(.bothEnds, "Owner.desk", "Owner/p1")),
    Damage(
      "the other end of a one-to-one empty", "UPDATE ZOWNER SET ZDESK = NULL WHERE Z_PK = 1",
      Breach(.bothEnds, "Desk.owner", "Desk/p1")),
    Damage(
      "two owners of one desk", "UPDATE ZOWNER SET ZDESK = 2 WHERE Z_PK = 1",
      Breach(.bothEnds, "Desk.owner", "Desk/p1"),
      Breach(.bothEnds, "Owner.desk", "Owner/p1")),
    Damage(
      "one end of a one-to-one leads to no row", "UPDATE ZDESK SET ZOWNER = 50 WHERE Z_PK = 1",
      Breach(.keyLeadsToRow, "Desk.owner", "Desk/p1"), Breach(.bothEnds, "Owner.desk", "Owner/p1")),
    Damage(
      "a partner who knows nothing", "UPDATE ZOWNER SET ZPARTNER = NULL WHERE Z_PK = 2",
      Breach(.bothEnds, "Owner.partner", "Owner/p1")),
    Damage(
      "a partner who has another", "UPDATE ZOWNER SET ZPARTNER = 3 WHERE Z_PK = 2",
      Breach(.bothEnds, "Owner.partner", "Owner/p1", "Owner/p2")),
    // Join tables.
    Damage(
      "a friend who knows nothing", "DELETE FROM Z_8FRIENDS WHERE Z_8FRIENDS = 2 AND REFLEXIVE = 1",
      Breach(.bothEnds, "Owner.friends", "Owner/p2")),
    Damage(
      "three friends who know nothing, and one who is a friend of their own",
      "INSERT INTO Z_8FRIENDS VALUES (1, 1), (2, 3); DELETE FROM Z_8FRIENDS WHERE REFLEXIVE = 1 AND Z_8FRIENDS > 1",
      Breach(.bothEnds, "Owner.friends", "Owner/p2", "Owner/p3", "Owner/p3")),
    Damage(
      "a pair whose second end is no row", "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (1, 99)",
      Breach(.keyLeadsToRow, "Item.tags", "Part/p1")),
    Damage(
      "a pair whose first end is no row", "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (99, 1)",
      Breach(.keyLeadsToRow, "Item.tags", "Tag/p1")),
    Damage(
      "a pair of two rows that are not there", "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (0, -1)",
      Breach(.keyLeadsToRow, "Item.tags", count: 1)),
    Damage(
      "a pair with a row of another entity", "INSERT INTO Z_6TOOLS (Z_6KITS, Z_5TOOLS) VALUES (1, 1)",
      Breach(.keyLeadsToEntity, "Kit.tools", "Kit/p1")),
    Damage(
      "pairs of an ordered relationship without their row", "DELETE FROM ZKIT",
      Breach(.keyLeadsToRow, "Kit.tools", "Tool/p6", "Tool/p7")),
  ]
}

@Suite("D13 · the check of an object graph's rules", .tags(.d13))
struct IntegrityTests {
  /// The broken rules in a stack's store.
  private func breaches(_ stack: TestStack, _ breaches: [Damage.Breach]) throws -> [StoreIntegrity.Breach] {
    let uuid = try #require(try stack.rows("SELECT Z_UUID FROM Z_METADATA").first)
    return breaches.map { $0.breach(inStore: uuid) }
  }

  @Test("A sound store breaks no rule, and the check reports how much it examined")
  func sound() throws {
    let filled = try Workshop.stack()
    let integrity = try filled.coordinator.integrity()
    #expect(integrity.isSound && integrity.breaches.isEmpty)
    #expect(integrity.relationships == 10 && integrity.keys == 18 && integrity.pairs == 8)
    let stack = try TestStack(Workshop.entities)
    let empty = try stack.coordinator.integrity()
    #expect(empty.isSound && empty.relationships == 10 && empty.keys == 0 && empty.pairs == 0)
  }

  @Test("Damage is reported with its relationship, the number of rows and the first of them", arguments: Damage.all)
  func damage(_ damage: Damage) throws {
    let stack = try Workshop.stack()
    try stack.execute(damage.sql)
    let integrity = try stack.coordinator.integrity()
    #expect(try integrity.breaches == breaches(stack, damage.breaches))
    #expect(!integrity.isSound)
    let copy = try JSONDecoder().decode(StoreIntegrity.self, from: JSONEncoder().encode(integrity))
    #expect(copy == integrity)
  }

  @Test("A plain connection finds the same damage, as a benchmark's verification needs", arguments: Damage.all)
  func plain(_ damage: Damage) throws {
    let stack = try Workshop.stack()
    try stack.execute(damage.sql)
    let connection = try Connection(path: stack.path, access: .readOnly)
    let integrity = try StoreIntegrity(reading: connection, model: stack.coordinator.managedObjectModel)
    #expect(integrity == (try stack.coordinator.integrity()))
  }
}

extension IntegrityTests {
  @Test("A store with history, and one with damage in its write-ahead log only, are checked")
  func historyAndLog() throws {
    let stack = try Workshop.stack { $0.tracksPersistentHistory = true }
    #expect(try stack.coordinator.integrity().isSound)
    try stack.coordinator.checkpoint(.truncate)
    let file = try Data(contentsOf: URL(filePath: stack.path))
    try stack.execute("UPDATE ZOWNER SET ZDESK = NULL WHERE Z_PK = 1")
    #expect(try Data(contentsOf: URL(filePath: stack.path)) == file)
    #expect(
      try stack.coordinator.integrity().breaches == breaches(stack, [.init(.bothEnds, "Desk.owner", "Desk/p1")]))
  }

  @Test("Each store of a coordinator is checked for the entities of its configuration")
  func configurations() throws {
    let files = try SeveralStores(3) { number, description in
      description.configuration = ["Library", "Notes", "Books"][number]
    }
    let context = files.context()
    try context.performAndWait { () throws in
      let book = try context.make("Book", ["code": "a"])
      try context.assign(book, to: files.stores[2])
      _ = try context.make("Note", ["text": "n"])
      let novel = try context.make("Novel", ["code": "b"])
      novel[ToOneKey<ManagedObject>("author")] = try context.make("Author", ["name": "c"])
      try context.save()
    }
    for (store, relationships) in zip(files.stores, [2, 0, 1]) {
      let integrity = try files.coordinator.integrity(of: store)
      #expect(integrity.isSound && integrity.relationships == relationships)
    }
    // Only the first store has authors.
    let connection = try Connection(path: files.path(2), access: .readWrite)
    try connection.execute("UPDATE ZBOOK SET ZAUTHOR = 1")
    try connection.close()
    let breach = try #require(try files.coordinator.integrity(of: files.stores[2]).breaches.first)
    #expect("\(breach)".hasPrefix("1 key of Book.author leads to no row: x-coredata://"))
    #expect(breach.examples.first?.hasSuffix("/Book/p1") == true)
    #expect(try files.coordinator.integrity(of: files.stores[0]).isSound)
    #expect(try files.coordinator.integrity() == files.coordinator.integrity(of: files.stores[0]))
  }

  @Test("A key stays if the delete rule is noAction and there is no inverse")
  func staysBehind() throws {
    let stack = try TestStack([
      EntityDescription(
        "Author",
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .noAction)
        ]),
      EntityDescription(
        "Book",
        relationships: [
          RelationshipDescription("author", to: "Author", inverse: "books"),
          RelationshipDescription("reviewer", to: "Author", inverse: nil),
        ]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let authors = try (0..<2).map { _ in
        let author = try context.insertNewObject(forEntityName: "Author")
        try context.obtainPermanentIDs(for: [author])
        return author
      }
      let book = try context.insertNewObject(forEntityName: "Book")
      book[ToOneKey<ManagedObject>("author")] = authors[0]
      book[ToOneKey<ManagedObject>("reviewer")] = authors[1]
      try context.save()
      #expect(try stack.coordinator.integrity().isSound)
      for author in authors { try context.delete(author) }
      try context.save()
    }
    #expect(
      try stack.coordinator.integrity().breaches
        == breaches(
          stack,
          [.init(.keyLeadsToRow, "Book.author", "Book/p1"), .init(.keyLeadsToRow, "Book.reviewer", "Book/p1")]))
  }

  @Test("A breach is one sentence, in the singular for one row")
  func sentences() {
    func sentence(_ rule: StoreIntegrity.Rule, _ count: Int, _ rows: [String] = []) -> String {
      StoreIntegrity.Breach(rule: rule, entity: "Part", relationship: "owner", count: count, examples: rows).description
    }
    #expect(sentence(.keyLeadsToRow, 1, ["a"]) == "1 key of Part.owner leads to no row: a")
    #expect(sentence(.keyLeadsToRow, 4, ["a", "b", "c"]) == "4 keys of Part.owner lead to no row: a, b, c, …")
    #expect(sentence(.keyLeadsToEntity, 1) == "1 key of Part.owner leads to a row of another entity")
    #expect(sentence(.keyLeadsToEntity, 2) == "2 keys of Part.owner lead to rows of other entities")
    #expect(sentence(.entityNumberOfKey, 1) == "1 key of Part.owner has the number of another entity beside it")
    #expect(sentence(.entityNumberOfKey, 2) == "2 keys of Part.owner have the numbers of other entities beside them")
    #expect(sentence(.requiredObject, 1) == "1 row has no object in Part.owner, which is required")
    #expect(sentence(.requiredObject, 2) == "2 rows have no object in Part.owner, which is required")
    #expect(sentence(.bothEnds, 1) == "1 pair of Part.owner is known to one of its ends only")
    #expect(sentence(.bothEnds, 2) == "2 pairs of Part.owner are known to one of their ends only")
  }
}
