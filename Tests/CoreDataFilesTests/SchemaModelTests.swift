// A8, D10: what the tables of a store reveal about its model, and which gaps are reported.
import Foundation
import CoreDataFiles
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("A8 D10 · models from tables", .tags(.a8, .d10))
struct SchemaModelTests {
  @Test("A store of 2013, which has no copy of its model, is read", arguments: SampleStore.all(.shelf))
  func books(store: SampleStore) throws {
    let recovered = try RecoveredModel(storeAt: store.path)
    #expect(recovered.origin == .schema)
    let expected = [
      EntityDescription(
        "Book",
        attributes: ["AUTHORNAME", "TITLE"].map { .init($0, .string, isOptional: true) }
          + [.init("FILEURL", .binary, isOptional: true)],
        relationships: [.init("USER", to: "User", inverse: nil)]),
      EntityDescription("User", attributes: [.init("USERID", .int64, isOptional: true)]),
    ]
    #expect(recovered.model.entities == expected)
    #expect(recovered.remarks.contains { $0.contains("capital letters only") })
    #expect(recovered.remarks.contains { $0.hasPrefix("Book.USER: ") && $0.contains("its name alone") })
  }

  @Test(
    "Without its copy of the model, a store has the same entities, columns, keys and constraints, as far as tables show them",
    arguments: SampleStore.all.filter(\.hasModelCache))
  func withoutCache(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let whole = try RecoveredModel(storeAt: copy.path)
    #expect(whole.origin == .modelCache)
    try copy.execute("DROP TABLE Z_MODELCACHE")
    let file = try StoreFile(path: copy.path)
    let bare = file.recoveredModel
    #expect(bare.model.entities.map(\.name) == whole.model.entities.map(\.name))
    #expect(bare.model.entities.map(\.superentityName) == whole.model.entities.map(\.superentityName))
    for root in whole.model.entities where root.superentityName == nil {
      let family = [root] + whole.model.subentities(of: root.name)
      let recovered = try #require(bare.model[root.name])
      // Every attribute of the hierarchy has its column, of the declared type, on the root; some columns are keys.
      var columns: [String: String] = [:]
      for entity in family {
        for attribute in entity.attributes where !attribute.isTransient {
          let name = try #require(whole.model.columnName(of: attribute.name, in: entity.name))
          columns[name] = attribute.type.declaredType
        }
        for relationship in entity.relationships where !relationship.isToMany {
          let name = try #require(whole.model.columnName(of: relationship.name, in: entity.name))
          columns[name] = "INTEGER"
          guard let found = recovered.relationship(named: String(name.dropFirst())) else {
            #expect(
              bare.remarks.contains {
                $0.hasPrefix("\(root.name).\(name.dropFirst()): ") && $0.contains("nothing says")
              })
            continue
          }
          // If tables show the destination of a key, it is this one or the root of the known entities.
          let destination = relationship.destinationEntityName
          #expect(
            found.destinationEntityName == destination
              || whole.model.entity(destination, isKindOf: found.destinationEntityName))
        }
      }
      var found = Dictionary(uniqueKeysWithValues: recovered.attributes.map { ("Z" + $0.name, $0.type.declaredType) })
      for relationship in recovered.relationships where !relationship.isToMany {
        found["Z" + relationship.name] = "INTEGER"
      }
      #expect(found == columns)
      let constraints = try Set(
        family.flatMap { entity in
          try entity.uniquenessConstraints.map { constraint in
            try constraint.map { try #require(whole.model.columnName(of: $0, in: entity.name)) }
          }
        })
      #expect(Set(recovered.uniquenessConstraints.map { $0.map { "Z" + $0 } }) == constraints)
      if family.count > 1 { #expect(bare.remarks.contains { $0.hasPrefix("\(root.name) has sub-entities") }) }
    }
    let counts = try file.counts()
    #expect(try StoreFile(path: store.path).counts() == counts)
  }

  @Test(
    "A companion column names the key's hierarchy; a key without a name stays a number",
    arguments: SampleStore.all(.library))
  func destinations(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.dropTriggers()
    try copy.execute("DROP TABLE Z_MODELCACHE")
    let model = try RecoveredModel(storeAt: copy.path)
    #expect(model.model["Page"]?.relationship(named: "BOOK")?.destinationEntityName == "Book")
    #expect(model.model["Book"]?.relationship(named: "AUTHOR")?.destinationEntityName == "Author")
    try copy.execute(
      "ALTER TABLE ZBOOK RENAME COLUMN ZAUTHOR TO ZBY; DROP INDEX ZBOOK_ZAUTHOR_INDEX; CREATE INDEX ZBOOK_ZBY_INDEX ON ZBOOK (ZBY)"
    )
    let other = try RecoveredModel(storeAt: copy.path)
    #expect(other.model["Book"]?.attribute(named: "BY")?.type == .int64)
    #expect(other.remarks.contains { $0.hasPrefix("Book.BY: ") && $0.contains("nothing says where it leads") })
  }

  @Test("Join tables become many-to-many relationships, and order columns make them ordered")
  func order() throws {
    let stack = try TestStack([
      EntityDescription(
        "Album",
        relationships: [
          .init("song", to: "Song", inverse: "album", isToMany: true, isOrdered: true),
          .init("tags", to: "Tag", inverse: "albums", isToMany: true, isOrdered: true),
          .init("friends", to: "Album", inverse: "friends", isToMany: true),
        ]),
      EntityDescription("Song", relationships: [.init("album", to: "Album", inverse: "song")]),
      EntityDescription("Tag", relationships: [.init("albums", to: "Album", inverse: "tags", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let albums = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Album") }
      let tags = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Tag") }
      let songs = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Song") }
      try context.save()
      try albums[0].setObjects([tags[2], tags[0], tags[1]], forKey: "tags")
      try albums[0].setObjects([songs[1], songs[2], songs[0]], forKey: "song")
      try albums[0].setObjects([albums[1]], forKey: "friends")
      try context.save()
    }
    try stack.coordinator.close()
    let file = try StoreFile(path: stack.path)
    let model = file.recoveredModel.model
    #expect(file.recoveredModel.origin == .schema)
    #expect(model["Album"]?.relationship(named: "TAGS")?.isOrdered == true)
    #expect(model["Tag"]?.relationship(named: "ALBUMS")?.isOrdered == false)
    #expect(model["Album"]?.relationship(named: "FRIENDS")?.inverseName == "FRIENDS")
    #expect(model["Album"]?.relationship(named: "SONG_ALBUM")?.isOrdered == true)
    #expect(file.recoveredModel.remarks.contains { $0.hasPrefix("Album.SONG_ALBUM: ") && $0.contains("made up") })
    let keys = try file.read { context in
      let album = try #require(try context.fetch(FetchRequest(entityName: "Album")).first)
      return try ["TAGS", "SONG_ALBUM", "FRIENDS"].map { name in
        try album.objectIDs(forRelationshipNamed: name).map { $0.uriRepresentation().suffix(2) }.joined(separator: " ")
      }
    }
    #expect(keys.map { $0.split(separator: " ").count } == [3, 3, 1])
    let sql = try PlainSQL(file.store.path)
    #expect(
      keys[0].split(separator: " ").map { $0.dropFirst() }.map(String.init)
        == (try sql.rows("SELECT Z_3TAGS FROM Z_1TAGS ORDER BY Z_FOK_3TAGS")))
    #expect(
      keys[1].split(separator: " ").map { $0.dropFirst() }.map(String.init)
        == (try sql.rows("SELECT Z_PK FROM ZSONG WHERE ZALBUM NOT NULL ORDER BY Z_FOK_ALBUM")))
  }

  @Test("An entity whose relationships are all stored in other tables is read as abstract, and the others are read")
  func emptyTable() throws {
    let stack = try TestStack([
      EntityDescription("Kennel", relationships: [.init("dogs", to: "Dog", inverse: "kennel", isToMany: true)]),
      EntityDescription("Dog", relationships: [.init("kennel", to: "Kennel", inverse: "dogs")]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let dog = try context.insertNewObject(forEntityName: "Dog")
      try dog.setObject(try context.insertNewObject(forEntityName: "Kennel"), forKey: "kennel")
      try context.save()
    }
    try stack.coordinator.close()
    let file = try StoreFile(path: stack.path)
    #expect(file.recoveredModel.model.entities.filter(\.isAbstract).map(\.name) == ["Kennel"])
    #expect(file.recoveredModel.remarks.contains { $0.hasPrefix("Kennel has neither attribute nor relationship") })
    let kennel = try file.read { context in
      try context.fetch(FetchRequest(entityName: "Dog")).first?.object(forKey: "KENNEL")?.objectID.entityName
    }
    #expect(kennel == "Kennel")
    let inspection = try StoreInspection(of: stack.path)
    #expect(Set(inspection.entities.map(\.name)) == ["Dog", "Kennel"])
  }

  @Test("An entity with an invalid name is left out with a remark")
  func foreignName() throws {
    let stack = try TestStack([
      EntityDescription("Cat", attributes: [.init("name", .string)]),
      EntityDescription("Dog", attributes: [.init("name", .string)]),
    ])
    try stack.coordinator.close()
    let connection = try Connection(path: stack.path, access: .readWrite)
    try connection.execute(
      "ALTER TABLE ZCAT RENAME TO \"ZKÄTZCHEN\"; UPDATE Z_PRIMARYKEY SET Z_NAME = 'Kätzchen' WHERE Z_ENT = 1")
    try connection.close()
    let model = try RecoveredModel(storeAt: stack.path)
    #expect(model.model.entities.map(\.name) == ["Dog"])
    #expect(model.remarks.contains { $0.hasPrefix("Left out: ") && $0.contains("K\u{e4}tzchen") })
  }
}
