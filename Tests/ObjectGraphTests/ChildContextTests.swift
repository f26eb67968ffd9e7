// D6: child contexts: what they see of their parent, the effects of saving them, and the IDs of objects before that.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Synchronization
import Testing

@Suite("D6 · child contexts")
struct ChildContextTests {
  private func quakes(_ context: ManagedObjectContext, _ format: String = "TRUEPREDICATE") throws -> [String] {
    try context.fetch(
      FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: format, arguments: []))
    ).map { $0[Quake.code] ?? "" }
  }

  @Test("A child sees its parent's unsaved objects, changes and deletions", .tags(.d6))
  func seesUnsaved() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      for code in ["a", "b", "c"] { try Quake.insert(code, 1, into: parent) }
      try parent.save()
      let objects = try parent.fetch(FetchRequest(entityName: "Quake"))
      objects[0][Quake.magnitude] = 7
      try parent.delete(objects[1])
      try Quake.insert("new", 8, into: parent)
    }
    let child = ManagedObjectContext(parent: parent)
    #expect(child.parent === parent)
    try child.performAndWait { () throws in
      #expect(try quakes(child) == ["a", "c", "new"])
      #expect(try quakes(child, "magnitude > 5") == ["a", "new"])
      #expect(try child.count(for: FetchRequest(entityName: "Quake")) == 3)
      var limited = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code", ascending: false)])
      limited.fetchLimit = 2
      limited.fetchBatchSize = 1
      #expect(try child.fetch(limited).map { $0[Quake.code] } == ["new", "c"])
      let new = try #require(try child.fetch(limited).first)
      #expect(new.objectID.isTemporaryID && !new.isInserted)
      try child.refresh(new, mergeChanges: false)
      #expect(new[Quake.magnitude] == 8)
    }
  }

  @Test("A child counts its parent's objects within its own window, and finds none that the parent deletes", .tags(.d5))
  func windowAndDeletions() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    let objectIDs = try parent.performAndWait { () throws in
      let quakes = try ["a", "b", "c"].map { try Quake.insert($0, into: parent) }
      try parent.save()
      return quakes.map(\.objectID)
    }
    try child.performAndWait { () throws in
      var request = FetchRequest(entityName: "Quake")
      request.fetchOffset = 1
      #expect(try child.count(for: request) == 2)
      try parent.performAndWait { () throws in try parent.delete(try parent.existingObject(with: objectIDs[0])) }
      #expect(throws: ObjectGraphError.missingObject(objectIDs[0])) { try child.existingObject(with: objectIDs[0]) }
      #expect(try child.count(for: request) == 1)
    }
  }

  @Test("Saving a child changes its parent and not the store; IDs stay temporary until the root saves", .tags(.d6, .d5))
  func save() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      for code in ["a", "b"] { try Quake.insert(code, 1, into: parent) }
      try parent.save()
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let objects = Array(try child.fetch(FetchRequest(entityName: "Quake")))
      objects[0][Quake.magnitude] = 9
      try child.delete(objects[1])
      let new = try Quake.insert("new", 3, into: child)
      try child.save()
      #expect(!child.hasChanges && !new.hasChanges && new.objectID.isTemporaryID)
      #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY 1") == ["a|1.0", "b|1.0"])
      try parent.performAndWait { () throws in
        #expect(parent.insertedObjects.count == 1 && parent.updatedObjects.count == 1)
        #expect(parent.deletedObjects.count == 1)
        #expect(try quakes(parent) == ["a", "new"])
        try parent.save()
      }
      #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE, Z_OPT FROM ZQUAKE ORDER BY 1") == ["a|9.0|2", "new|3.0|1"])
      // The child's object learns its new ID and stays the only object of its row.
      let fetched = try child.fetch(FetchRequest(entityName: "Quake"))
      #expect(fetched[1] === new && !new.objectID.isTemporaryID)
      new[Quake.magnitude] = 4
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE, Z_OPT FROM ZQUAKE ORDER BY 1") == ["a|9.0|2", "new|4.0|2"])
  }
}

extension ChildContextTests {
  @Test("Rolling a child back does not change its parent", .tags(.d6))
  func rollback() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      _ = try Quake.insert("a", 1, into: parent)
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let object = try #require(try child.fetch(FetchRequest(entityName: "Quake")).first)
      object[Quake.magnitude] = 5
      try Quake.insert("b", 1, into: child)
      child.rollback()
      #expect(object[Quake.magnitude] == 1)
    }
    try parent.performAndWait { () throws in #expect(try quakes(parent) == ["a"]) }
  }

  @Test("A child's validation failure passes nothing to its parent", .tags(.d6, .d5))
  func validation() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      try Quake.insert("good", 1, into: child)
      let bad = try Quake.insert(nil, 1, into: child)
      #expect(throws: ObjectGraphError.self) { () throws in try child.save() }
      #expect(child.insertedObjects.count == 2)
      parent.performAndWait { #expect(!parent.hasChanges) }
      bad[Quake.code] = "fixed"
      try child.save()
      parent.performAndWait { #expect(parent.insertedObjects.count == 2) }
    }
  }

  @Test("A change to an object that the parent has deleted meanwhile is refused, and stays pending", .tags(.d6))
  func deletedInParent() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      try Quake.insert("a", 1, into: parent)
      try parent.save()
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let object = try #require(try child.fetch(FetchRequest(entityName: "Quake")).first)
      object[Quake.magnitude] = 5
      try Quake.insert("b", 1, into: child)
      let objectID = object.objectID
      try parent.performAndWait { () throws in
        try parent.delete(try parent.existingObject(with: objectID))
      }
      #expect(throws: ObjectGraphError.missingObject(objectID)) { () throws in try child.save() }
      #expect(child.updatedObjects == [object] && child.insertedObjects.count == 1)
      parent.performAndWait { #expect(parent.insertedObjects.isEmpty) }
    }
  }
}

extension ChildContextTests {
  @Test("A child does not mistake another's change for its own: two increments to the same value conflict", .tags(.d6))
  func sameValue() throws {
    let stack = try TestStack()
    let (parent, other) = (stack.context(), stack.context())
    let objectID = try other.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: other)
      try other.save()
      return quake.objectID
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let object = try child.existingObject(with: objectID)
      object[Quake.magnitude] = 2
      try other.performAndWait { () throws in
        try other.existingObject(with: objectID)[Quake.magnitude] = 2
        try other.save()
      }
      try parent.performAndWait { () throws in
        try parent.refresh(try parent.existingObject(with: objectID), mergeChanges: false)
      }
      do throws(ObjectGraphError) {
        try child.save()
        Issue.record("the child saved over what others stored")
      } catch {
        #expect(error.code == 133020)
      }
      #expect(child.updatedObjects == [object])
    }
  }
}

extension ChildContextTests {
  @Test(
    "A child does not silently overwrite what its parent read from the store meanwhile", .tags(.d6, .d5),
    arguments: MergePolicy.MergeType.allCases)
  func conflict(type: MergePolicy.MergeType) throws {
    let stack = try TestStack()
    let (parent, other) = (stack.context(), stack.context())
    let objectID = try other.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: other)
      try other.save()
      return quake.objectID
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      child.mergePolicy = MergePolicy(mergeType: type)
      let object = try child.existingObject(with: objectID)
      object[Quake.magnitude] = 5
      object[Quake.place] = "child"
      try other.performAndWait { () throws in
        try other.existingObject(with: objectID)[Quake.magnitude] = 2
        try other.save()
      }
      // The parent has the newer version, so its save sees no conflict.
      try parent.performAndWait { () throws in
        try parent.refresh(try parent.existingObject(with: objectID), mergeChanges: false)
      }
      guard type != .error else {
        let found = conflicts { () throws(ObjectGraphError) in try child.save() }
        #expect(found.count == 1 && found.first?.persistedSnapshot?["magnitude"] == 2.0)
        #expect(object[Quake.magnitude] == 5 && object.isUpdated)
        return
      }
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
      #expect(object[Quake.magnitude] == (type == .objectTrump || type == .overwrite ? 5 : 2))
      #expect(object[Quake.place] == (type == .rollback ? nil : "child"))
      // The child's own work, saved by the parent, is no conflict.
      object[Quake.magnitude] = 7
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
    }
    parent.performAndWait { #expect(!parent.hasChanges) }
    let row = try stack.rows("SELECT ZMAGNITUDE, ZPLACE FROM ZQUAKE")
    switch type {
    case .error: #expect(row == ["2.0|NULL"])
    case .rollback: #expect(row == ["7.0|NULL"])
    case .storeTrump, .objectTrump, .overwrite: #expect(row == ["7.0|child"])
    }
  }

  @Test("Relationships made in a grandchild reach the file through two saves in memory", .tags(.d6, .d1))
  func relationships() throws {
    let stack = try Library.stack()
    let root = stack.context()
    try root.performAndWait { () throws in
      let album = try Library.make("Album", "Old", in: root)
      try album.addObject(try Library.make("Track", "1", in: root), forKey: "tracks")
      try root.save()
    }
    let child = ManagedObjectContext(parent: root)
    let grandchild = ManagedObjectContext(parent: child)
    try grandchild.performAndWait { () throws in
      let album = try Library.find("Album", "Old", in: grandchild)
      let artist = try Library.make("Band", "B", in: grandchild)
      try artist.addObject(album, forKey: "albums")
      try artist.addObject(try Library.make("Artist", "F", in: grandchild), forKey: "friends")
      let track = try Library.make("Track", "0", in: grandchild)
      try album.insertObject(track, forKey: "tracks", at: 0)
      let list = try Library.make("Playlist", "L", in: grandchild)
      try list.setObjects([track, try Library.find("Track", "1", in: grandchild)], forKey: "tracks")
      try grandchild.save()
      #expect(try album.names("tracks") == ["0", "1"])
      #expect(try list.names("tracks") == ["0", "1"])
      #expect(!grandchild.hasChanges)
      #expect(try stack.rows("SELECT COUNT(*) FROM ZARTIST") == ["0"])
      try child.performAndWait { () throws in
        #expect(try Library.find("Album", "Old", in: child).object(forKey: "artist")?.name == "B")
        #expect(try Library.find("Album", "Old", in: child).names("tracks") == ["0", "1"])
        try child.save()
      }
      try root.performAndWait { () throws in
        #expect(try Library.find("Artist", "F", in: root).names("friends") == ["B"])
        try root.save()
      }
      #expect(try album.object(forKey: "artist") === artist)
      #expect(try Library.find("Artist", "B", in: grandchild) === artist)
      #expect(!artist.objectID.isTemporaryID)
      #expect(try artist.names("friends") == ["F"])
      try grandchild.delete(artist)
      try grandchild.save()
      try child.performAndWait { () throws in try child.save() }
      try root.performAndWait { () throws in try root.save() }
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZARTIST") == ["F"])
    #expect(try stack.rows("SELECT COUNT(*) FROM ZALBUM") == ["0"], "albums are deleted with their artist")
    #expect(try stack.rows("SELECT COUNT(*) FROM Z_2FRIENDS") == ["0"])
    #expect(try stack.rows("SELECT ZNAME FROM ZPLAYLIST") == ["L"])
    #expect(try stack.rows("SELECT COUNT(*) FROM Z_6TRACKS") == ["0"])
  }

  @Test("A child that follows its parent sees its siblings' saves", .tags(.d6, .c1))
  func siblings() async throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      try Quake.insert("a", 1, into: parent)
      try parent.save()
    }
    let (one, two) = (ManagedObjectContext(parent: parent), ManagedObjectContext(parent: parent))
    one.performAndWait { one.automaticallyMergesChangesFromParent = true }
    let held = try one.performAndWait { () throws in
      let object = try #require(try one.fetch(FetchRequest(entityName: "Quake")).first)
      object[Quake.place] = "kept"
      return object.objectID
    }
    let merges = one.notifications(.didMerge)
    try two.performAndWait { () throws in
      try two.existingObject(with: held)[Quake.magnitude] = 6
      try two.save()
    }
    for await merge in merges {
      #expect(merge.updated == [held])
      break
    }
    try one.performAndWait { () throws in
      let object = try one.existingObject(with: held)
      #expect(object[Quake.magnitude] == 6 && object[Quake.place] == "kept" && object.isUpdated)
    }
  }

  @Test("Eight children save into one parent at once, and nothing is lost", .tags(.d6))
  func manyChildren() async throws {
    let stack = try TestStack()
    let parent = stack.context()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let child = ManagedObjectContext(parent: parent)
          for round in 0..<25 {
            try await child.perform {
              try Quake.insert("\(number)-\(round)", Double(round), into: child)
              try child.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try parent.performAndWait { () throws in
      #expect(parent.insertedObjects.count == 200)
      try parent.save()
    }
    #expect(try stack.rows("SELECT COUNT(*), COUNT(DISTINCT ZCODE) FROM ZQUAKE") == ["200|200"])
  }
}
