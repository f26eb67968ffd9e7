// D1, D5, D6: changed and committed values of relationships: the objects at the other end, now and before.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 D5 D6 · changed and committed values of relationships")
struct ChangedRelationshipTests {
  @Test(
    "A relationship changed at one end is among the changed values of both, with its destination",
    .tags(.d1, .d5))
  func bothEnds() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let nina = try Library.make("Artist", "Nina", in: context)
      try Library.make("Artist", "Miles", in: context)
      let blue = try Library.make("Album", "Blue", in: context)
      let live = try Library.make("Album", "Live", in: context)
      for album in [blue, live] { try nina.addObject(album, forKey: "albums") }
      try context.save()
      #expect(nina.changedValues().isEmpty && blue.changedValues().isEmpty)
      context.reset()
      let artist = try Library.find("Artist", "Nina", in: context)
      let other = try Library.find("Artist", "Miles", in: context)
      let moved = try Library.find("Album", "Live", in: context)
      let kept = try Library.find("Album", "Blue", in: context)
      try moved.setObject(other, forKey: "artist")
      #expect(moved.changedValues() == ["artist": .object(other)])
      #expect(artist.changedValues() == ["albums": .objects([kept])])
      #expect(other.changedValues() == ["albums": .objects([moved])])
      #expect(moved.committedValues(forKeys: ["artist", "title"]) == ["artist": .object(artist), "title": "Live"])
      #expect(artist.committedValues(forKeys: ["albums", "none"]) == ["albums": .objects([kept, moved])])
      let without = other.committedValues(forKeys: ["albums", "manager"])
      #expect(without == ["albums": .objects([]), "manager": .object(nil)])
      try moved.setObject(nil, forKey: "artist")
      #expect(moved.changedValues() == ["artist": .object(nil)] && other.changedValues().isEmpty)
      try moved.setObject(artist, forKey: "artist")
      #expect([moved, artist, other].allSatisfy { $0.changedValues().isEmpty && !$0.hasPersistentChangedValues })
      try context.save()
    }
    #expect(try stack.rows("SELECT Z_OPT FROM ZARTIST") == ["1", "1"])
  }

  @Test("A relationship counts as changed after an added object is removed again, until it is read", .tags(.d1))
  func unread() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try Library.make("Artist", "Nina", in: context)
      try Library.make("Album", "Blue", in: context)
      try context.save()
      context.reset()
      let artist = try Library.find("Artist", "Nina", in: context)
      let album = try Library.find("Album", "Blue", in: context)
      try artist.addObject(album, forKey: "albums")
      try artist.removeObject(album, forKey: "albums")
      #expect(artist.hasPersistentChangedValues && artist.changedRelationships == ["albums"])
      #expect(!album.hasPersistentChangedValues)
      #expect(artist.changedValues().isEmpty && !artist.hasPersistentChangedValues)
    }
  }

  @Test("An order that was changed is a changed value until it is saved", .tags(.d1, .d5))
  func order() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let list = try Library.make("Playlist", "L", in: context)
      let tracks = try ["a", "b", "c"].map { try Library.make("Track", $0, in: context) }
      try list.setObjects(tracks, forKey: "tracks")
      try context.save()
      try list.setObjects(tracks.reversed(), forKey: "tracks")
      #expect(list.changedValues() == ["tracks": .objects(tracks.reversed())])
      #expect(list.committedValues(forKeys: ["tracks"]) == ["tracks": .objects(tracks)])
      try list.insertObject(tracks[0], forKey: "tracks", at: 0)
      #expect(list.changedValues() == ["tracks": .objects([tracks[0], tracks[2], tracks[1]])])
      #expect(list.committedValues(forKeys: ["tracks"]) == ["tracks": .objects(tracks)])
      try context.save()
      #expect(list.changedValues().isEmpty)
      #expect(list.committedValues(forKeys: ["tracks"])["tracks"]?.objects?.map(\.name) == ["a", "c", "b"])
    }
  }

  @Test("A deleted object is still among the committed values of its former relatives", .tags(.d1))
  func deletion() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let list = try Library.make("Playlist", "L", in: context)
      let track = try Library.make("Track", "a", in: context)
      let nina = try Library.make("Artist", "Nina", in: context)
      let manager = try Library.make("Manager", "M", in: context)
      try list.addObject(track, forKey: "tracks")
      try manager.setObject(nina, forKey: "client")
      try context.save()
      for object in [track, nina] { try context.delete(object) }
      context.processPendingChanges()
      #expect(list.changedValues() == ["tracks": .objects([])])
      #expect(list.committedValues(forKeys: ["tracks"]) == ["tracks": .objects([track])])
      #expect(manager.changedValues() == ["client": .object(nil)])
      #expect(manager.committedValues(forKeys: ["client"]) == ["client": .object(nina)])
      #expect(track.committedValues(forKeys: ["lists"]) == ["lists": .objects([list])])
    }
  }
}

extension ChangedRelationshipTests {
  @Test("A new object's changed values include its relationships, and it has no committed ones", .tags(.d5))
  func newObjects() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let album = try context.insertNewObject(forEntityName: "Album")
      #expect(album.changedValues().isEmpty)
      try album.setPrimitiveValue("primitive", forKey: "title")
      #expect(album.changedValues() == ["title": "primitive"] && album.hasPersistentChangedValues)
      let track = try Library.make("Track", "a", in: context)
      try album.addObject(track, forKey: "tracks")
      #expect(album.changedValues() == ["title": "primitive", "tracks": .objects([track])])
      #expect(track.changedValues() == ["title": "a", "album": .object(album)])
      #expect(track.committedValues(forKeys: ["title", "album", "lists"]).isEmpty)
      try context.save()
      #expect(track.changedValues().isEmpty)
      #expect(
        track.committedValues(forKeys: ["title", "album", "lists"])
          == ["title": "a", "album": .object(album), "lists": .objects([])])
    }
  }

  @Test(
    "Objects that a child inserted or related are changed values of its parent, as the parent's objects", .tags(.d6))
  func child() throws {
    let stack = try Library.stack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      let album = try Library.make("Album", "A", in: parent)
      let old = try Library.make("Track", "old", in: parent)
      try album.addObject(old, forKey: "tracks")
      try parent.save()
      let child = ManagedObjectContext(parent: parent)
      let albumID = album.objectID
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: albumID)
        let new = try Library.make("Track", "new", in: child)
        let list = try Library.make("Playlist", "L", in: child)
        try mine.insertObject(new, forKey: "tracks", at: 0)
        try list.addObject(new, forKey: "tracks")
        #expect(mine.changedValues()["tracks"]?.objects?.map(\.name) == ["new", "old"])
        #expect(mine.committedValues(forKeys: ["tracks"])["tracks"]?.objects?.map(\.name) == ["old"])
        try child.save()
        #expect([mine, new, list].allSatisfy { $0.changedValues().isEmpty })
        #expect(mine.committedValues(forKeys: ["tracks"])["tracks"]?.objects?.map(\.name) == ["new", "old"])
      }
      let new = try #require(parent.insertedObjects.first { $0.name == "new" })
      let list = try #require(parent.insertedObjects.first { $0.name == "L" })
      #expect(album.changedValues() == ["tracks": .objects([new, old])])
      #expect(album.committedValues(forKeys: ["tracks"]) == ["tracks": .objects([old])])
      #expect(new.changedValues() == ["title": "new", "album": .object(album), "lists": .objects([list])])
      #expect(list.changedValues() == ["name": "L", "tracks": .objects([new])])
      try parent.save()
      #expect([album, new, list].allSatisfy { $0.changedValues().isEmpty })
    }
  }

  @Test("A relationship that cannot be read is left out of both, and the object still counts as changed", .tags(.d5))
  func unreadable() throws {
    let busy = try BusyStore(try Library.stack())
    let context = ManagedObjectContext(.privateQueue, coordinator: busy.coordinator)
    try context.performAndWait { () throws in
      let nina = try Library.make("Artist", "Nina", in: context)
      let blue = try Library.make("Album", "Blue", in: context)
      try nina.addObject(blue, forKey: "albums")
      try context.save()
      context.reset()
      let artist = try Library.find("Artist", "Nina", in: context)
      let album = try Library.find("Album", "Blue", in: context)
      #expect(artist["name"] == "Nina" && album["title"] == "Blue")
      try album.setObject(nil, forKey: "artist")
      try busy.whileBusy {
        #expect(artist.changedValues().isEmpty && artist.changedRelationships == ["albums"])
        #expect(artist.committedValues(forKeys: ["albums", "name"]) == ["name": "Nina"])
      }
      #expect(artist.changedValues() == ["albums": .objects([])])
      #expect(artist.committedValues(forKeys: ["albums"]) == ["albums": .objects([album])])
    }
  }
}
