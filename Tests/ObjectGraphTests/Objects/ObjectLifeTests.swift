// D4, D5: the state of deleted objects, and that a context releases everything it held.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D4 D5 · lifetimes of objects and contexts")
struct ObjectLifeTests {
  @Test(
    "An object counts as deleted until its deletion is saved; after that, deleting it again is an error", .tags(.d5))
  func deletion() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      try context.save()
      try context.delete(quake)
      try context.delete(quake)
      #expect(quake.isDeleted && context.deletedObjects == [quake])
      try context.save()
      #expect(!quake.isDeleted && !quake.hasChanges && quake.managedObjectContext == nil)
      let error = ObjectGraphError.deletedObject(quake.objectID)
      #expect(throws: error) { try context.delete(quake) }
      #expect("\(error)".contains("deleted already"))
      let new = try Quake.insert("b", into: context)
      try context.delete(new)
      #expect(new.isDeleted)
      #expect(throws: ObjectGraphError.deletedObject(new.objectID)) { try context.delete(new) }
      let child = ManagedObjectContext(parent: context)
      let objectID = try Quake.insert("c", into: context).objectID
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: objectID)
        try child.delete(mine)
        try child.save()
        #expect(!mine.isDeleted && mine.managedObjectContext == nil)
      }
    }
  }

  /// An object that sets a value whenever it is read.
  final class Waking: ManagedObject {
    override func awakeFromFetch() { self[Quake.place] = "awake" }
  }

  @Test(
    "Values that an object sets while it is read are not changes, and are saved with the next change", .tags(.d4, .d5))
  func awakening() throws {
    let stack = try TestStack(classes: ["Quake": Waking.self])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      quake[Quake.place] = "Here"
      try context.save()
      for read in [
        { () throws in try context.refresh(quake, mergeChanges: false) },
        { () throws in try context.refreshAllObjects() },
      ] {
        try read()
        #expect(quake[Quake.place] == "awake" && !quake.hasChanges && !context.hasChanges)
        #expect(quake.committedValues(forKeys: ["place"]) == ["place": "Here"])
      }
      let fetching = stack.context()
      try fetching.performAndWait { () throws in
        let found = try #require(try fetching.fetch(FetchRequest(entityName: "Quake")).first)
        #expect(found[Quake.place] == "awake" && !fetching.hasChanges)
      }
      try context.save()
      #expect(try stack.rows("SELECT ZPLACE, Z_OPT FROM ZQUAKE") == ["Here|1"])
      // The first change reads the fault.
      try context.refresh(quake, mergeChanges: false)
      quake[Quake.magnitude] = 5
      #expect(quake.committedValues(forKeys: ["place"]) == ["place": "Here"])
      try context.save()
      #expect(try stack.rows("SELECT ZPLACE, ZMAGNITUDE, Z_OPT FROM ZQUAKE") == ["awake|5.0|2"])
    }
  }

  @Test("A fault whose row is deleted has Core Data's code", .tags(.d4))
  func missingObject() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let objectID: ManagedObjectID
      do {
        let quake = try Quake.insert("a", into: context)
        try context.save()
        objectID = quake.objectID
      }
      context.reset()
      try stack.execute("DELETE FROM ZQUAKE")
      for attempt in 0..<3 {
        let error = #expect(throws: ObjectGraphError.self) { () throws in
          switch attempt {
          case 0: _ = try context.existingObject(with: objectID)
          case 1: _ = try context.object(with: objectID).value(forKey: "code")
          default: try context.delete(context.object(with: objectID))
          }
        }
        #expect(error == .missingObject(objectID) && error?.code == 133_000)
        #expect(error?.domain == "NSCocoaErrorDomain")
        context.reset()
      }
    }
  }
}

extension ObjectLifeTests {
  @Test("Registered objects are the new ones, and the stored ones that somebody holds", .tags(.d4))
  func registeredObjects() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let stored = try Quake.insert("a", into: context)
      try context.save()
      let new = try Quake.insert("b", into: context)
      try context.delete(try Quake.insert("c", into: context))
      #expect(Set(context.registeredObjects) == [stored, new] && context.registeredObjects.count == 2)
      try context.save()
      #expect(Set(context.registeredObjects) == [stored, new] && context.registeredObjects.count == 2)
    }
  }

  /// A place for weak references.
  private struct Weak {
    weak var object: ManagedObject?
  }

  enum End: CaseIterable {
    case dropped, reset, rolledBack, deletedAndSaved
  }

  @Test(
    "Objects that refer to each other are released with their context", .tags(.d4), arguments: End.allCases)
  func relatedObjects(end: End) throws {
    let stack = try Library.stack()
    var seen: [Weak] = []
    var context: ManagedObjectContext? = stack.context()
    try context?.performAndWait { () throws in
      let held = try #require(context)
      let artist = try Library.make("Artist", "artist", in: held)
      try held.save()
      let friend = try Library.make("Artist", "friend", in: held)
      let album = try Library.make("Album", "album", in: held)
      let track = try Library.make("Track", "track", in: held)
      let list = try Library.make("Playlist", "list", in: held)
      try artist.addObject(friend, forKey: "friends")
      try artist.addObject(album, forKey: "albums")
      try album.addObject(track, forKey: "tracks")
      try list.setObjects([track], forKey: "tracks")
      seen = [artist, friend, album, track, list].map { Weak(object: $0) }
      switch end {
      case .dropped: break
      case .reset: held.reset()
      case .rolledBack: held.rollback()
      case .deletedAndSaved:
        for object in [artist, friend, album, track, list] { try held.delete(object) }
        try held.save()
      }
    }
    if end == .dropped { context = nil } else { context?.performAndWait { _ = context?.registeredObjects } }
    #expect(seen.count == 5 && seen.allSatisfy { $0.object == nil })
  }

  @Test("A deletion that is reset or rolled back leaves no delete rule to apply", .tags(.d4, .d5))
  func forgottenDeletion() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let album = try Library.make("Album", "A", in: context)
      let track = try Library.make("Track", "T", in: context)
      try album.addObject(track, forKey: "tracks")
      try context.save()
      try context.delete(track)
      context.reset()
      context.processPendingChanges()
      #expect(!context.hasChanges)
      let found = try Library.find("Album", "A", in: context)
      #expect(try found.names("tracks") == ["T"])
      let new = try Library.make("Track", "N", in: context)
      try found.addObject(new, forKey: "tracks")
      try context.delete(new)
      context.rollback()
      context.processPendingChanges()
      #expect(try !context.hasChanges && found.names("tracks") == ["T"])
    }
  }
}
