// D1, D2: tables, join tables and indexes of models with inheritance and relationships, laid out like Core Data's.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import StoreFixtures
import Testing

/// Models of stores in Core Data's form, transcribed by hand, and their layout compared with the files'.
///
/// Some parts cannot be compared: transformable attributes are binary ones here, a column with the same type and
/// position; a derived attribute is a plain one without its triggers; fetched properties have no column.
@Suite("D1 D2 · layouts of Core Data's stores", .tags(.d1, .d2))
struct RealLayoutTests {
  private func compare(_ entities: [EntityDescription], with shape: SampleStore.Shape) throws {
    let stack = try TestStack(entities)
    for store in SampleStore.all(shape) {
      #expect(try StoreLayout.entities(of: stack.path) == StoreLayout.entities(of: store), "\(store)")
    }
  }

  @Test("Three levels of inheritance, a to-one key, a compound constraint and transient attributes match")
  func cars() throws {
    try compare(
      [
        EntityDescription(
          "Car",
          attributes: [
            .init("color", .binary), .init("currentDrivingSpeed", .int64, isTransient: true), .init("maker", .string),
            .init("markedForDeletionAsOf", .date), .init("model", .string), .init("numberPlate", .string),
          ],
          relationships: [.init("owner", to: "Person", inverse: "cars")], uniquenessConstraints: [["numberPlate"]]),
        EntityDescription("SportCar", superentity: "Car"),
        EntityDescription(
          "ExpensiveSportCar", superentity: "SportCar", attributes: [.init("isLimitedEdition", .boolean)]),
        EntityDescription(
          "Person",
          attributes: [
            .init("firstName", .string), .init("id", .uuid), .init("isDriving", .boolean, isTransient: true),
            .init("lastName", .string), .init("updatedAt", .date),
          ],
          relationships: [.init("cars", to: "Car", inverse: "owner", isToMany: true)],
          uniquenessConstraints: [["firstName", "lastName"]]),
      ], with: .cars)
  }

  @Test("An abstract root, keys with a companion column, a sub-entity's constraint and an equal fetch index match")
  func books() throws {
    try compare(
      [
        EntityDescription(
          "Book",
          attributes: [
            .init("cover", .binary), .init("pagesCount", .int64), .init("price", .decimal), .init("publishedAt", .date),
            .init("title", .string), .init("uniqueID", .uuid),
          ],
          relationships: [
            .init("author", to: "Author", inverse: "books", isOptional: false, minimumCount: 1),
            .init(
              "pages", to: "Page", inverse: "book", isToMany: true, isOptional: false, minimumCount: 1,
              maximumCount: 10_000, deleteRule: .cascade),
          ], uniquenessConstraints: [["uniqueID"]]),
        EntityDescription("GraphicNovel", superentity: "Book", attributes: [.init("isBlackAndWhite", .boolean)]),
        EntityDescription(
          "Feedback",
          attributes: [
            .init("authorAlias", .string), .init("bookID", .uuid), .init("comment", .string), .init("rating", .double),
          ]),
        EntityDescription(
          "Page",
          attributes: [.init("content", .binary), .init("isBookmarked", .boolean), .init("number", .int32)],
          relationships: [.init("book", to: "Book", inverse: "pages", isOptional: false, minimumCount: 1)]),
        EntityDescription("Writer", isAbstract: true, attributes: [.init("age", .int16)]),
        EntityDescription(
          "Author", superentity: "Writer", attributes: [.init("alias", .string), .init("siteURL", .uri)],
          relationships: [
            .init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
          ],
          uniquenessConstraints: [["alias"]], fetchIndexes: [.init("authorIndex", on: ["alias"])]),
      ], with: .library)
  }

  @Test("One entity without constraint or relationship matches")
  func users() throws {
    try compare(
      [EntityDescription("User", attributes: [.init("name", .string), .init("petName", .string)])],
      with: .users)
  }

  @Test("A many-to-many relationship matches")
  func authors() throws {
    try compare(
      [
        EntityDescription(
          "Author", attributes: [.init("firstName", .string), .init("lastName", .string)],
          relationships: [.init("books", to: "Book", inverse: "authors", isToMany: true)]),
        EntityDescription(
          "Book", attributes: [.init("title", .string)],
          relationships: [.init("authors", to: "Author", inverse: "books", isToMany: true)]),
      ], with: .authors)
  }
}

@Suite("D1 D2 · table layouts", .tags(.d1, .d2))
struct StoreSchemaTests {
  /// The contents of a new store of the entities, in its order, without the bookkeeping.
  private func objects(_ entities: [EntityDescription]) throws -> [String] {
    try TestStack(entities).rows(
      "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') "
        + "ORDER BY rowid")
  }

  @Test("Ordered relationships have a column for their order")
  func order() throws {
    #expect(
      try objects([
        EntityDescription(
          "Album",
          relationships: [
            .init("songs", to: "Song", inverse: "album", isToMany: true, isOrdered: true),
            .init("tags", to: "Tag", inverse: "albums", isToMany: true, isOrdered: true),
          ]),
        EntityDescription("Song", relationships: [.init("album", to: "Album", inverse: "songs")]),
        EntityDescription(
          "Tag", attributes: [.init("name", .string)],
          relationships: [.init("albums", to: "Album", inverse: "tags", isToMany: true, isOrdered: true)]),
      ]) == [
        "CREATE TABLE ZALBUM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        "CREATE TABLE Z_1TAGS ( Z_1ALBUMS INTEGER, Z_3TAGS INTEGER, Z_FOK_1ALBUMS INTEGER, Z_FOK_3TAGS INTEGER, PRIMARY KEY (Z_1ALBUMS, Z_3TAGS) )",
        "CREATE TABLE ZSONG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZALBUM INTEGER, Z_FOK_ALBUM INTEGER )",
        "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1ALBUMS)",
        "CREATE INDEX ZSONG_ZALBUM_INDEX ON ZSONG (ZALBUM)",
      ])
  }

  @Test("A many-to-many relationship within an entity has a join table, a reflexive one if it is its own inverse")
  func selfRelationships() throws {
    #expect(
      try objects([
        EntityDescription(
          "User",
          relationships: [
            .init("blocking", to: "User", inverse: "blockedBy", isToMany: true),
            .init("blockedBy", to: "User", inverse: "blocking", isToMany: true),
            .init("friends", to: "User", inverse: "friends", isToMany: true, isOrdered: true),
            .init("spouse", to: "User", inverse: "spouse"),
          ])
      ]) == [
        "CREATE TABLE ZUSER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSPOUSE INTEGER )",
        "CREATE TABLE Z_1BLOCKING ( Z_1BLOCKEDBY INTEGER, Z_1BLOCKING INTEGER, PRIMARY KEY (Z_1BLOCKEDBY, Z_1BLOCKING) )",
        "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, Z_FOK_1FRIENDS INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
        "CREATE INDEX ZUSER_ZSPOUSE_INDEX ON ZUSER (ZSPOUSE)",
        "CREATE INDEX Z_1BLOCKING_Z_1BLOCKING_INDEX ON Z_1BLOCKING (Z_1BLOCKING, Z_1BLOCKEDBY)",
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)",
      ])
  }
}

extension StoreSchemaTests {
  @Test("Properties with one name in one table get numbers, and so do the companions of keys")
  func suffixes() throws {
    let title = AttributeDescription("title", .string)
    let entities = [
      EntityDescription("Note", isAbstract: true, attributes: [.init("time", .date), .init("TIME", .date)]),
      EntityDescription(
        "Memo", superentity: "Note", attributes: [title], relationships: [.init("to", to: "Note", inverse: nil)]),
      EntityDescription(
        "Page", superentity: "Note", attributes: [title], relationships: [.init("to", to: "Note", inverse: nil)]),
      EntityDescription(
        "Sheet", superentity: "Page", attributes: [.init("title1", .int16)],
        fetchIndexes: [
          .init("byTitle", elements: [.init("title", isAscending: false), .init("title1"), .init("to")])
        ]),
    ]
    #expect(
      try objects(entities) == [
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTO INTEGER, Z1_TO INTEGER, ZTO1 INTEGER, Z1_TO1 INTEGER, ZTITLE11 INTEGER, ZTIME TIMESTAMP, ZTIME1 TIMESTAMP, ZTITLE VARCHAR, ZTITLE1 VARCHAR )",
        "CREATE INDEX ZNOTE_ZTO_INDEX ON ZNOTE (ZTO)", "CREATE INDEX ZNOTE_ZTO1_INDEX ON ZNOTE (ZTO1)",
        "CREATE INDEX ZNOTE_Z_ENT_INDEX ON ZNOTE (Z_ENT)",
        "CREATE INDEX Z_Sheet_byTitle ON ZNOTE (ZTITLE1 COLLATE BINARY DESC, ZTITLE11 COLLATE BINARY ASC, ZTO1 COLLATE BINARY ASC)",
      ])
    let model = try ManagedObjectModel(entities: entities)
    #expect(model.columnName(of: "TIME", in: "Sheet") == "ZTIME")
    #expect(model.columnName(of: "time", in: "Sheet") == "ZTIME1")
    #expect(model.columnName(of: "title", in: "Memo") == "ZTITLE")
    #expect(model.columnName(of: "title", in: "Sheet") == "ZTITLE1")
    #expect(model.columnName(of: "to", in: "Page") == "ZTO1")
    #expect(model.columnName(of: "title1", in: "Page") == nil)
    #expect(model.tableName(of: "Sheet") == "ZNOTE")
  }

  @Test("Z_PRIMARYKEY has a row for every entity with its super-entity, and the root counts the keys")
  func primaryKeys() throws {
    let name = [AttributeDescription("name", .string)]
    let stack = try TestStack([
      EntityDescription("Party", isAbstract: true, attributes: name), EntityDescription("tag", attributes: name),
      EntityDescription("Manager", superentity: "Employee"), EntityDescription("Person", superentity: "Party"),
      EntityDescription("Organisation", superentity: "Party"), EntityDescription("Employee", superentity: "Person"),
      EntityDescription("Department", attributes: name),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      for entity in ["Person", "Manager", "Person", "tag"] {
        try context.insertNewObject(forEntityName: entity)["name"] = "x"
        try context.save()
      }
    }
    #expect(
      try stack.rows("SELECT * FROM Z_PRIMARYKEY") == [
        "1|Department|0|0", "2|Party|0|3", "3|Organisation|2|0", "4|Person|2|0", "5|Employee|4|0", "6|Manager|5|0",
        "7|tag|0|1",
      ])
    #expect(try stack.rows("SELECT Z_PK, Z_ENT FROM ZPARTY ORDER BY Z_PK") == ["1|4", "2|6", "3|4"])
  }

  @Test("A transient attribute has no column, is never missing in a store, and is read back as null")
  func transient() throws {
    let stack = try TestStack([
      EntityDescription(
        "Quake", attributes: [.init("code", .string), .init("mood", .string, isTransient: true)])
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [["code": "a", "mood": "fine"]]))
      #expect(try context.fetch(FetchRequest(entityName: "Quake")).map { $0["mood"] } == [.null])
    }
    #expect(try stack.rows("SELECT * FROM ZQUAKE") == ["1|1|1|a"])
  }
}

@Suite("D2 · stores of other models", .tags(.d2))
struct OtherModelTests {
  private func library(ordered: Bool = false, subentity: Bool = false, many: Bool = false) -> [EntityDescription] {
    let name = [AttributeDescription("name", .string)]
    return [
      EntityDescription(
        "Book", attributes: name,
        relationships: [.init("pages", to: "Page", inverse: "book", isToMany: true, isOrdered: ordered)]),
      EntityDescription(
        "Page", attributes: name, relationships: [.init("book", to: "Book", inverse: "pages", isToMany: many)]),
    ] + (subentity ? [EntityDescription("Novel", superentity: "Book")] : [])
  }

  @Test(
    "A store that lacks a companion column, an order column, a key or a join table is reported",
    arguments: [
      (true, false, false, "Book", ["ZPAGE has no column Z_FOK_BOOK"]),
      (false, true, false, "Novel", ["it has no entity Novel", "ZPAGE has no column Z1_BOOK"]),
      (false, false, true, "Page", ["it has no join table Z_1PAGES"]),
    ])
  func differences(ordered: Bool, subentity: Bool, many: Bool, entity: String, differences: [String]) throws {
    let stack = try TestStack(library())
    try stack.coordinator.close()
    let other = PersistentStoreCoordinator(
      managedObjectModel: try ManagedObjectModel(
        entities: library(ordered: ordered, subentity: subentity, many: many)))
    let error = #expect(throws: ObjectGraphError.self) { try other.addPersistentStore(stack.description()) }
    guard case .incompatibleModel(_, let found)? = error else { throw TestFailure("\(String(describing: error))") }
    #expect(found.map(\.entity) == [entity])
    var description = stack.description()
    description.isReadOnly = true
    #expect(throws: ObjectGraphError.incompatibleStore(path: stack.path, differences: differences)) {
      try other.addPersistentStore(description)
    }
  }
}
