// A8, D10: the destinations of every relationship of every store are those in SQL, from both ends.
import Foundation
import CoreDataFiles
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

/// Follows the relationships of a store's objects and counts the same with SQL.
private struct StoreWalk {
  let file: StoreFile
  let sql: PlainSQL
  var model: ManagedObjectModel { file.recoveredModel.model }

  /// The store's numbers of the entity and all its subentities, as an SQL list.
  func numbers(_ entity: String) throws -> String {
    let names = ([entity] + model.subentities(of: entity).map(\.name)).map { "'\($0)'" }.joined(separator: ", ")
    return "(" + (try sql.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN (\(names))")).joined(separator: ", ")
      + ")"
  }

  /// The number of destinations of a relationship over all objects, and how many of them have no row.
  func walked(_ relationship: String, of entity: String) throws -> [Int] {
    try file.read { context in
      var ends = 0
      var dangling = 0
      for object in try context.fetch(FetchRequest(entityName: entity)) {
        let objectIDs = try object.objectIDs(forRelationshipNamed: relationship)
        ends += objectIDs.count
        dangling += objectIDs.count { (try? context.existingObject(with: $0)) == nil }
      }
      return [ends, dangling]
    }
  }

  func counted(_ relationship: RelationshipDescription, of entity: String) throws -> [Int] {
    let destination = relationship.destinationEntityName
    let table = try #require(model.tableName(of: entity))
    let destinationTable = try #require(model.tableName(of: destination))
    let sources = try numbers(entity)
    let own = "\(table) s WHERE s.Z_ENT IN \(sources)"
    if !relationship.isToMany {
      let key = try #require(model.columnName(of: relationship.name, in: entity))
      let all = "SELECT count(*) FROM \(own) AND s.\(key) NOT NULL"
      let dangling = "\(all) AND s.\(key) NOT IN (SELECT Z_PK FROM \(destinationTable))"
      return [try sql.count(all), try sql.count(dangling)]
    }
    let inverse = try #require(relationship.inverseName)
    if let key = model.columnName(of: inverse, in: destination) {
      let rows = "\(destinationTable) d JOIN \(table) s ON s.Z_PK = d.\(key)"
      return [try sql.count("SELECT count(*) FROM \(rows) WHERE s.Z_ENT IN \(sources)"), 0]
    }
    let join = try #require(
      try sql.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'").first { name in
        name.hasSuffix(relationship.name.uppercased()) || name.hasSuffix(inverse.uppercased())
      })
    let columns = try sql.rows("SELECT name FROM pragma_table_info('\(join)')").filter { !$0.hasPrefix("Z_FOK") }
    let source = try #require(columns.first { $0.hasSuffix(inverse.uppercased()) })
    let pairs = "\(join) j JOIN \(table) s ON s.Z_PK = j.\(source)"
    return [try sql.count("SELECT count(*) FROM \(pairs) WHERE s.Z_ENT IN \(sources)"), 0]
  }

  func run() throws {
    for entity in model.entities {
      for relationship in entity.relationships {
        let walked = try walked(relationship.name, of: entity.name)
        #expect(
          try counted(relationship, of: entity.name) == walked, "\(entity.name).\(relationship.name) of \(file.path)")
        guard let inverse = relationship.inverseName else { continue }
        let isToOne = model.columnName(of: inverse, in: relationship.destinationEntityName) != nil
        // A one-to-one relationship has a key on both sides, but Notes only sets one of them.
        if isToOne && !relationship.isToMany { continue }
        // The other end has the same number, except for keys without a row.
        let back = try self.walked(inverse, of: relationship.destinationEntityName)
        #expect(walked[0] - walked[1] == back[0] - back[1], "\(entity.name).\(relationship.name) of \(file.path)")
      }
    }
  }
}

@Suite("A8 D10 · relationships of stores", .tags(.a8, .d10))
struct StoreWalkTests {
  @Test("Every relationship of every store holds what SQL finds, from both ends", arguments: SampleStore.all)
  func walk(store: SampleStore) throws {
    let path = try store.path
    try StoreWalk(file: StoreFile(path: path), sql: PlainSQL(path)).run()
  }

  @Test("Pairs of a join table are walked from both ends", arguments: SampleStore.all(.authors))
  func pairs(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.execute(
      """
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME) VALUES (1, 1, 1, 'A'), (2, 1, 1, 'B');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'X'), (2, 2, 1, 'Y'), (3, 2, 1, 'Z');
      INSERT INTO Z_1BOOKS (Z_1AUTHORS, Z_2BOOKS) VALUES (1, 1), (1, 3), (2, 3)
      """)
    let file = try StoreFile(path: copy.path)
    try StoreWalk(file: file, sql: PlainSQL(copy.path)).run()
    let titles = try file.read { context in
      try context.fetch(FetchRequest(entityName: "Author")).map { author in
        try author.objects(forKey: "books").map { text($0["title"]) }
      }
    }
    #expect(titles == [["X", "Z"], ["Z"]])
  }

  @Test(
    "A key without its companion refers to the object of the existing sub-entity; a key of no row, to nothing",
    arguments: SampleStore.all(.library))
  func companions(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.dropTriggers()
    let novel = try PlainSQL(copy.path).rows("SELECT Z_PK FROM ZBOOK WHERE Z_ENT = 2")[0]
    try copy.execute(
      """
      UPDATE ZPAGE SET Z1_BOOK = NULL; UPDATE ZPAGE SET ZBOOK = \(novel) WHERE Z_PK = 1;
      UPDATE ZPAGE SET ZBOOK = 9999 WHERE Z_PK = 2; UPDATE ZPAGE SET ZBOOK = -7 WHERE Z_PK = 3
      """)
    let file = try StoreFile(path: copy.path)
    let books = try file.read { context in
      var request = FetchRequest(entityName: "Page")
      request.fetchLimit = 3
      return try context.fetch(request).map { page in
        guard let book = try page.object(forKey: "book") else { return "none" }
        return (try? context.existingObject(with: book.objectID)) == nil ? "missing" : book.objectID.entityName
      }
    }
    #expect(books == ["GraphicNovel", "missing", "none"])
  }
}
