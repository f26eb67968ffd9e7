// D6: what a child's save passes on, and what its requests read from its parent.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D6 · saves of a child into its parent")
struct ChildSaveTests {
  @Test("A child's save sets what the child changed, over unsaved changes of its parent, and nothing else", .tags(.d6))
  func changedValues() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: parent)
      try parent.save()
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: quake.objectID)
        #expect(mine[Quake.place] == nil)
        quake[Quake.magnitude] = 5
        quake[Quake.place] = "parent"
        mine[Quake.magnitude] = 7
        try child.save()
      }
      #expect(quake[Quake.magnitude] == 7 && quake[Quake.place] == "parent")
      try parent.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, ZPLACE, Z_OPT FROM ZQUAKE") == ["7.0|parent|2"])
  }

  @Test("A child finds objects of sub-entities only if its request includes them", .tags(.d6, .d3))
  func subentities() throws {
    let stack = try TestStack([.quake(), EntityDescription("Aftershock", superentity: "Quake")])
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      try Quake.insert("main", 1, into: parent)
      try parent.save()
      let shock = try parent.insertNewObject(forEntityName: "Aftershock")
      shock[Quake.code] = "after"
    }
    try child.performAndWait { () throws in
      var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
      #expect(try child.fetch(request).map { $0[Quake.code] } == ["after", "main"])
      request.includesSubentities = false
      #expect(try child.fetch(request).map { $0[Quake.code] } == ["main"])
      #expect(try child.count(for: request) == 1)
    }
  }

  @Test("An object that a child removes from a relationship stays removed when its parent saves first", .tags(.d6, .d1))
  func removedBeforeTheirSave() throws {
    let stack = try Library.stack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let list = try Library.make("Playlist", "L", in: parent)
      for name in ["kept", "out"] { try list.addObject(try Library.make("Track", name, in: parent), forKey: "tracks") }
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: list.objectID)
        let out = try mine.objects(forKey: "tracks")[1]
        try mine.removeObject(out, forKey: "tracks")
        try parent.save()
        #expect(try mine.names("tracks") == ["kept"] && out.names("lists") == [])
        try child.save()
        #expect(try mine.names("tracks") == ["kept"])
      }
      #expect(try list.names("tracks") == ["kept"])
      try parent.save()
      parent.reset()
      #expect(try Library.find("Playlist", "L", in: parent).names("tracks") == ["kept"])
    }
  }
}

extension ChildSaveTests {
  @Test("A child deletes what others have deleted, and no reference to it remains", .tags(.d6, .d5))
  func deletedByOthers() throws {
    let stack = try TestStack([
      .quake(),
      EntityDescription("Station", relationships: [RelationshipDescription("last", to: "Quake", inverse: nil)]),
    ])
    let (parent, other) = (stack.context(), stack.context())
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let station = try parent.insertNewObject(forEntityName: "Station")
      let quake = try Quake.insert("a", into: parent)
      try parent.save()
      let quakeID = quake.objectID
      try child.performAndWait { () throws in
        let (mine, seen) = (
          try child.existingObject(with: station.objectID), try child.existingObject(with: quakeID)
        )
        try other.performAndWait { () throws in
          try other.delete(try other.existingObject(with: quakeID))
          try other.save()
        }
        try parent.mergeChanges(fromContextDidSave: ChangedObjectIDs(inserted: [], updated: [], deleted: [quakeID]))
        try mine.setObject(seen, forKey: "last")
        try child.delete(seen)
        try child.save()
        #expect(try mine.object(forKey: "last") == nil && !child.hasChanges)
      }
      try parent.save()
    }
    #expect(try stack.rows("SELECT ZLAST FROM ZSTATION") == ["NULL"])
  }

  @Test("A child's save is applied once, even if its parent cannot apply a delete rule yet", .tags(.d6, .d5))
  func unreadableRelationship() throws {
    let stack = try Library.stack()
    let parent = stack.context()
    parent.propagatesDeletesAtEndOfEvent = false
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let (artist, album) = (
        try Library.make("Artist", "A", in: parent), try Library.make("Album", "B", in: parent)
      )
      try album.setObject(artist, forKey: "artist")
      try parent.save()
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: artist.objectID)
        #expect(try mine.names("albums") == ["B"])
        try Library.make("Label", "new", in: child)
        try child.delete(mine)
        child.processPendingChanges()
        // The parent has to read the albums again but cannot.
        try parent.refresh(artist, mergeChanges: false)
        try stack.execute("ALTER TABLE ZALBUM RENAME TO ZHIDDEN")
        try child.save()
        try stack.execute("ALTER TABLE ZHIDDEN RENAME TO ZALBUM")
      }
      #expect(parent.insertedObjects.map(\.name) == ["new"] && album.isDeleted)
      try parent.save()
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZLABEL") == ["new"])
    #expect(try stack.rows("SELECT Z_PK FROM ZARTIST UNION ALL SELECT Z_PK FROM ZALBUM") == [])
  }

  @Test("A child can reorder objects after its parent has stored their first order", .tags(.d6, .d5))
  func orderedTwice() throws {
    let stack = try Library.stack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let album = try Library.make("Album", "A", in: parent)
      let names = ["1", "2", "3"]
      for name in names { try album.addObject(try Library.make("Track", name, in: parent), forKey: "tracks") }
      try parent.save()
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: album.objectID)
        let tracks = try mine.objects(forKey: "tracks")
        for order in [[tracks[2], tracks[0], tracks[1]], tracks] {
          try mine.setObjects(order, forKey: "tracks")
          try child.save()
          try parent.save()
        }
        #expect(try mine.names("tracks") == names)
      }
      parent.reset()
      #expect(try Library.find("Album", "A", in: parent).names("tracks") == names)
    }
  }
}

@Suite("D6 · a child's save that fails")
struct FailedChildSaveTests {
  @Test(
    "A child's save is all or nothing if its parent cannot read everything, and a retry stores each object once",
    .tags(.d6, .d5), arguments: [1, 2])
  func unreadable(depth: Int) throws {
    let busy = try BusyStore(try Library.stack())
    let root = ManagedObjectContext(.privateQueue, coordinator: busy.coordinator)
    try root.performAndWait { () throws in
      let list = try Library.make("Playlist", "L", in: root)
      let old = try Library.make("Track", "old", in: root)
      try list.addObject(old, forKey: "tracks")
      try root.save()
      root.reset()
      var contexts = [root]
      for _ in 0..<depth { contexts.append(ManagedObjectContext(.privateQueue, parent: contexts[contexts.count - 1])) }
      let child = contexts[depth]
      try child.performAndWait { () throws in
        let mine = try Library.find("Playlist", "L", in: child)
        let new = try Library.make("Track", "new", in: child)
        try mine.addObject(new, forKey: "tracks")
        let removed = try Library.find("Track", "old", in: child)
        try mine.removeObject(removed, forKey: "tracks")
        // Its parents have both objects and must read the relationship between them after they got the new one.
        for context in contexts.dropLast() {
          try context.performAndWait { () throws in
            try context.refreshAllObjects()
            #expect(try context.existingObject(with: mine.objectID)["name"] == "L")
            #expect(try context.existingObject(with: removed.objectID)["title"] == "old")
          }
        }
        try busy.whileBusy {
          #expect(throws: ObjectGraphError.self) { () throws in try child.save() }
          for context in contexts.dropLast() { context.performAndWait { #expect(!context.hasChanges) } }
          #expect(child.insertedObjects == [new] && child.hasChanges)
        }
        try child.save()
      }
      for context in contexts.dropLast().reversed() { try context.performAndWait { () throws in try context.save() } }
    }
    #expect(try busy.rows("SELECT ZTITLE FROM ZTRACK ORDER BY ZTITLE") == ["new", "old"])
    #expect(try busy.rows("SELECT count(*) FROM Z_6TRACKS") == ["1"])
  }
}
