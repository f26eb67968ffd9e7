// D1, D5: relationships of objects: both ends agree in memory, in the file, and after reading them back.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

/// A music library: every kind of relationship once.
enum Library {
  static func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Artist", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("albums", to: "Album", inverse: "artist", isToMany: true, deleteRule: .cascade),
          RelationshipDescription("label", to: "Label", inverse: "artists"),
          RelationshipDescription("manager", to: "Manager", inverse: "client"),
          RelationshipDescription("friends", to: "Artist", inverse: "friends", isToMany: true),
        ]),
      EntityDescription(
        "Band", superentity: "Artist", attributes: [AttributeDescription("founded", .int32, isOptional: true)]),
      EntityDescription(
        "Manager", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [RelationshipDescription("client", to: "Artist", inverse: "manager")]),
      EntityDescription(
        "Label", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("artists", to: "Artist", inverse: "label", isToMany: true, deleteRule: .deny)
        ]),
      EntityDescription(
        "Album", attributes: [AttributeDescription("title", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("artist", to: "Artist", inverse: "albums"),
          RelationshipDescription(
            "tracks", to: "Track", inverse: "album", isToMany: true, isOrdered: true, deleteRule: .cascade),
        ]),
      EntityDescription(
        "Track", attributes: [AttributeDescription("title", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("album", to: "Album", inverse: "tracks"),
          RelationshipDescription("lists", to: "Playlist", inverse: "tracks", isToMany: true),
        ]),
      EntityDescription(
        "Playlist", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            "tracks", to: "Track", inverse: "lists", isToMany: true, isOrdered: true, maximumCount: 4)
        ]),
    ])
  }

  @discardableResult
  static func make(_ entity: String, _ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    object[["Album", "Track"].contains(entity) ? "title" : "name"] = .string(name)
    return object
  }

  static func find(_ entity: String, _ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let key = ["Album", "Track"].contains(entity) ? "title" : "name"
    let request = FetchRequest(
      entityName: entity, predicate: try FetchPredicate(format: "\(key) == %@", arguments: [name]))
    return try #require(try context.fetch(request).first)
  }
}

extension ManagedObject {
  /// Names of the objects of a to-many relationship.
  func names(_ key: String) throws -> [String] { try objects(forKey: key).map(\.name) }

  var name: String {
    for key in ["name", "title"] {
      if let value = try? value(forKey: key), case .string(let name) = value { return name }
    }
    return ""
  }
}

@Suite("D1 D5 · relationships of objects")
struct RelationshipTests {
  @Test("A to-one relationship set at one end shows at the other, before and after a save", .tags(.d1, .d5))
  func oneToMany() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let nina = try Library.make("Artist", "Nina", in: context)
      let blue = try Library.make("Album", "Little Girl Blue", in: context)
      let live = try Library.make("Album", "Live", in: context)
      try blue.setObject(nina, forKey: "artist")
      try nina.addObject(live, forKey: "albums")
      #expect(try nina.names("albums") == ["Little Girl Blue", "Live"])
      #expect(try live.object(forKey: "artist") === nina)
      try context.save()
      #expect(try nina.names("albums") == ["Little Girl Blue", "Live"])
      #expect(!nina.hasChanges && !blue.hasChanges && !context.hasChanges)
      context.reset()
      let artist = try Library.find("Artist", "Nina", in: context)
      #expect(artist.hasFault(forRelationshipNamed: "albums"))
      #expect(try artist.names("albums") == ["Little Girl Blue", "Live"])
      #expect(!artist.hasFault(forRelationshipNamed: "albums"))
      let album = try Library.find("Album", "Live", in: context)
      try artist.removeObject(album, forKey: "albums")
      #expect(try album.object(forKey: "artist") == nil)
      #expect(artist.changedRelationships == ["albums"] && artist.isUpdated)
      try context.save()
    }
    #expect(
      try stack.rows("SELECT ZTITLE, ZARTIST, Z2_ARTIST, Z_OPT FROM ZALBUM ORDER BY Z_PK") == [
        "Little Girl Blue|1|2|1", "Live|NULL|NULL|2",
      ])
    // The end without a key also counts as changed.
    #expect(try stack.rows("SELECT ZNAME, Z_OPT FROM ZARTIST") == ["Nina|2"])
  }

  @Test("A new partner in a one-to-one relationship frees the old ones", .tags(.d1))
  func oneToOne() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artists = try ["A", "B"].map { try Library.make("Artist", $0, in: context) }
      let managers = try ["M", "N"].map { try Library.make("Manager", $0, in: context) }
      for (artist, manager) in zip(artists, managers) { try artist.setObject(manager, forKey: "manager") }
      try context.save()
      try managers[0].setObject(artists[1], forKey: "client")
      #expect(try artists[0].object(forKey: "manager") == nil)
      #expect(try artists[1].object(forKey: "manager") === managers[0])
      #expect(try managers[1].object(forKey: "client") == nil)
      try context.save()
    }
    #expect(try stack.rows("SELECT ZNAME, ZMANAGER FROM ZARTIST ORDER BY ZNAME") == ["A|NULL", "B|1"])
    #expect(try stack.rows("SELECT ZNAME, ZCLIENT FROM ZMANAGER ORDER BY ZNAME") == ["M|2", "N|NULL"])
  }

  @Test("A relationship to an entity with sub-entities keeps the entity of its object", .tags(.d1))
  func subentities() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let band = try Library.make("Band", "Can", in: context)
      try Library.make("Album", "Tago Mago", in: context).setObject(band, forKey: "artist")
      try context.save()
      context.reset()
      let album = try Library.find("Album", "Tago Mago", in: context)
      let artist = try #require(try album.object(forKey: "artist"))
      #expect(artist.isFault && artist.entity.name == "Band" && artist.name == "Can")
    }
  }

  @Test("A many-to-many relationship is the same from both ends", .tags(.d1))
  func manyToMany() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let songs = try ["One", "Two", "Three"].map { try Library.make("Track", $0, in: context) }
      let morning = try Library.make("Playlist", "Morning", in: context)
      let evening = try Library.make("Playlist", "Evening", in: context)
      try morning.setObjects([songs[2], songs[0]], forKey: "tracks")
      try songs[1].addObject(evening, forKey: "lists")
      try songs[2].addObject(evening, forKey: "lists")
      #expect(try songs[2].names("lists") == ["Morning", "Evening"])
      try context.save()
      context.reset()
      #expect(try Library.find("Playlist", "Morning", in: context).names("tracks") == ["Three", "One"])
      #expect(try Library.find("Playlist", "Evening", in: context).names("tracks") == ["Two", "Three"])
      let three = try Library.find("Track", "Three", in: context)
      #expect(try three.names("lists") == ["Morning", "Evening"])
      try three.removeObject(try Library.find("Playlist", "Morning", in: context), forKey: "lists")
      #expect(try Library.find("Playlist", "Morning", in: context).names("tracks") == ["One"])
      try context.save()
      context.reset()
      #expect(try Library.find("Playlist", "Morning", in: context).names("tracks") == ["One"])
    }
    let table = try #require(
      try stack.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__TRACKS' ESCAPE '\\'").first)
    #expect(try stack.rows("SELECT COUNT(*) FROM \(table)") == ["3"])
  }
}

extension RelationshipTests {
  @Test("A relationship that is its own inverse works in both directions", .tags(.d1))
  func reflexive() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let people = try ["A", "B", "C"].map { try Library.make("Artist", $0, in: context) }
      try people[0].setObjects([people[1], people[2]], forKey: "friends")
      try people[0].addObject(people[0], forKey: "friends")
      #expect(try people[1].names("friends") == ["A"])
      try context.save()
      context.reset()
      let a = try Library.find("Artist", "A", in: context)
      #expect(try a.names("friends") == ["A", "B", "C"])
      #expect(try Library.find("Artist", "C", in: context).names("friends") == ["A"])
      try a.removeObject(a, forKey: "friends")
      try Library.find("Artist", "C", in: context).removeObject(a, forKey: "friends")
      try context.save()
      context.reset()
      #expect(try Library.find("Artist", "A", in: context).names("friends") == ["B"])
      #expect(try Library.find("Artist", "C", in: context).names("friends") == [])
    }
  }

  @Test("Ordered objects keep their order, and a move writes only the row that moved", .tags(.d1, .d5))
  func order() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let album = try Library.make("Album", "Numbers", in: context)
      let tracks = try (1...5).map { try Library.make("Track", "\($0)", in: context) }
      for track in tracks { try track.setObject(album, forKey: "album") }
      try context.save()
      #expect(
        try stack.rows("SELECT ZTITLE, Z_FOK_ALBUM FROM ZTRACK ORDER BY Z_PK")
          == ["1|2048", "2|3072", "3|4096", "4|5120", "5|6144"])
      try album.insertObject(tracks[4], forKey: "tracks", at: 1)
      #expect(try album.names("tracks") == ["1", "5", "2", "3", "4"])
      try context.save()
      #expect(
        try stack.rows("SELECT ZTITLE, Z_OPT FROM ZTRACK ORDER BY Z_FOK_ALBUM")
          == ["1|1", "5|2", "2|1", "3|1", "4|1"])
      context.reset()
      let again = try Library.find("Album", "Numbers", in: context)
      #expect(try again.names("tracks") == ["1", "5", "2", "3", "4"])
      try again.setObjects(try again.objects(forKey: "tracks").reversed(), forKey: "tracks")
      try context.save()
      #expect(try again.names("tracks") == ["4", "3", "2", "5", "1"])
      try again.addObject(try Library.make("Track", "6", in: context), forKey: "tracks")
      try context.save()
      context.reset()
      #expect(
        try Library.find("Album", "Numbers", in: context).names("tracks") == ["4", "3", "2", "5", "1", "6"])
    }
  }

  @Test("A position in a relationship without an order is a typed error, and nothing changes", .tags(.d1))
  func unordered() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "A", in: context)
      let album = try Library.make("Album", "X", in: context)
      let error = #expect(throws: ObjectGraphError.unorderedRelationship(entity: "Artist", key: "albums", expected: []))
      {
        () throws in try artist.insertObject(album, forKey: "albums", at: 0)
      }
      #expect("\(try #require(error))".contains("addObject(_:forKey:)"))
      #expect(try artist.objects(forKey: "albums").isEmpty && album.object(forKey: "artist") == nil)
    }
  }

  @Test("New objects of one save may refer to each other in any order, even in a circle", .tags(.d5))
  func circles() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let manager = try Library.make("Manager", "M", in: context)
      let artist = try Library.make("Artist", "A", in: context)
      try manager.setObject(artist, forKey: "client")
      try context.save()
      #expect(try artist.object(forKey: "manager") === manager)
      #expect(try manager.object(forKey: "client") === artist)
      #expect(try artist.objectIDs(forRelationshipNamed: "manager") == [manager.objectID])
    }
    #expect(try stack.rows("SELECT ZCLIENT FROM ZMANAGER") == ["1"])
    #expect(try stack.rows("SELECT ZMANAGER FROM ZARTIST") == ["1"])
  }
}

extension RelationshipTests {
  @Test("Values that a relationship cannot hold are refused by name, and nothing changes", .tags(.d1))
  func refusals() throws {
    let stack = try Library.stack()
    let (context, other) = (stack.context(), stack.context())
    let foreign = try other.performAndWait { () throws in
      try Library.make("Label", "L", in: other)
      try other.save()
      let objectID = try Library.find("Label", "L", in: other).objectID
      other.reset()
      return objectID
    }
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "A", in: context)
      let album = try Library.make("Album", "B", in: context)
      #expect(
        throws: ObjectGraphError.wrongObject(entity: "Artist", key: "label", found: "Album", expected: "Label")
      ) { () throws in try artist.setObject(album, forKey: "label") }
      #expect(
        throws: ObjectGraphError.unknownRelationship(
          entity: "Artist", key: "albums", expected: ["label", "manager"])
      ) { () throws in try artist.setObject(album, forKey: "albums") }
      #expect(
        throws: ObjectGraphError.unknownRelationship(entity: "Artist", key: "name", expected: ["albums", "friends"])
      ) { () throws in _ = try artist.objects(forKey: "name") }
      try stack.execute("DELETE FROM ZLABEL")
      #expect(throws: ObjectGraphError.missingObject(foreign)) { () throws in
        try artist.setObject(try context.object(with: foreign), forKey: "label")
      }
      #expect(try artist.object(forKey: "label") == nil)
    }
  }

  @Test("Values by name are those of attributes; changed values include relationships", .tags(.d1))
  func valuesByName() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "Nina", in: context)
      let label = try Library.make("Label", "Blue", in: context)
      try context.save()
      let unknown = ObjectGraphError.unknownAttribute(entity: "Artist", key: "albums", expected: ["name"], row: nil)
      #expect(throws: unknown) { try artist.value(forKey: "albums") }
      #expect(throws: unknown) { try artist.setValue(.null, forKey: "albums") }
      try artist.setObject(label, forKey: "label")
      #expect(Array(artist.changedValues().keys) == ["label"] && artist.changedRelationships == [])
      #expect(
        artist.committedValues(forKeys: ["label", "name", "albums"]) == [
          "label": .object(nil), "name": "Nina", "albums": .objects([]),
        ])
      #expect(
        label.changedValues() == ["artists": .objects([artist])] && label.changedRelationships == ["artists"]
          && label.isUpdated)
      context.rollback()
      #expect(artist.changedValues().isEmpty && label.changedRelationships == [] && !context.hasChanges)
    }
  }

  @Test("Typed keys read and write relationships", .tags(.d1))
  func typedKeys() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artistKey = ToOneKey<ManagedObject>("artist")
      let albumsKey = ToManyKey<ManagedObject>("albums")
      let artist = try Library.make("Artist", "A", in: context)
      let album = try Library.make("Album", "B", in: context)
      album[artistKey] = artist
      #expect(artist[albumsKey].map(\.name) == ["B"])
      artist[albumsKey] = []
      #expect(album[artistKey] == nil)
      album[artistKey] = album
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      #expect("\(try #require(error))".contains("found an object of the entity Album"))
    }
  }

  @Test("Rollback, refresh and reset drop unsaved links at both ends", .tags(.d4))
  func rollback() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let (a, b) = (try Library.make("Artist", "A", in: context), try Library.make("Artist", "B", in: context))
      let album = try Library.make("Album", "X", in: context)
      try album.setObject(a, forKey: "artist")
      try a.addObject(b, forKey: "friends")
      try context.save()
      func check(_ step: String) throws {
        #expect(try a.names("albums") == ["X"], "\(step)")
        #expect(try b.names("albums") == [], "\(step)")
        #expect(try a.names("friends") == ["B"], "\(step)")
        #expect(try album.object(forKey: "artist") === a, "\(step)")
        #expect(!context.hasChanges, "\(step)")
      }
      func change() throws {
        try album.setObject(b, forKey: "artist")
        try b.removeObject(a, forKey: "friends")
        try b.addObject(try Library.make("Album", "New", in: context), forKey: "albums")
        #expect(try b.names("albums") == ["X", "New"])
        #expect(try a.names("albums") == [])
      }
      try change()
      context.rollback()
      try check("rollback")
      try album.setObject(b, forKey: "artist")
      try context.refresh(album, mergeChanges: false)
      try check("refresh of the end with the key")
      try a.removeObject(b, forKey: "friends")
      try context.refresh(b, mergeChanges: false)
      try check("refresh of one of two friends")
      try album.setObject(b, forKey: "artist")
      try context.refresh(b, mergeChanges: false)
      #expect(try b.names("albums") == ["X"], "what another object says of it is not this object's change")
      try context.save()
      #expect(try stack.rows("SELECT ZARTIST FROM ZALBUM") == ["2"])
    }
  }
}
