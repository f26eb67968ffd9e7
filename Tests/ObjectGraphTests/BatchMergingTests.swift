// B12, C1: changes of batch requests are visible in a context's objects after merging them, and not before.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("B12 C1 · merging results of batch requests")
struct BatchMergingTests {
  private func merge(_ result: BatchResult, into contexts: ManagedObjectContext...) throws {
    guard case .changes(let changes) = result else { throw TestFailure("\(result)") }
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: contexts)
  }

  @Test("An update shows in objects only after its object IDs are merged", .tags(.b12, .c1))
  func update() throws {
    let stack = try TestStack()
    let context = stack.context()
    let other = stack.context()
    let (held, objectID) = try context.performAndWait { () throws in
      try Quake.insert("a", 1, into: context)
      try context.save()
      let quake = try #require(try context.fetch(FetchRequest(entityName: "Quake")).first)
      return (Carried(quake), quake.objectID)
    }
    let result = try other.performAndWait { () throws in
      let seen = try #require(try other.fetch(FetchRequest(entityName: "Quake")).first)
      #expect(seen[Quake.magnitude] == 1)
      var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": 9])
      request.resultType = .objectIDs
      return try other.execute(request)
    }
    try context.performAndWait { () throws in
      #expect(held.value[Quake.magnitude] == 1)
      #expect(result == .objectIDs([objectID]))
    }
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ChangedObjectIDs(updated: [objectID]), into: [context, other])
    try context.performAndWait { () throws in
      #expect(held.value[Quake.magnitude] == 9)
      held.value[Quake.magnitude] = 10
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, Z_OPT FROM ZQUAKE") == ["10.0|3"])
  }

  @Test("A deletion is merged with its cascades and the rows that lost their key", .tags(.b3, .c1))
  func delete() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "Nina", in: context)
      let manager = try Library.make("Manager", "M", in: context)
      let album = try Library.make("Album", "A", in: context)
      let track = try Library.make("Track", "T", in: context)
      let kept = try Library.make("Track", "K", in: context)
      let list = try Library.make("Playlist", "L", in: context)
      let label = try Library.make("Label", "B", in: context)
      try artist.setObject(manager, forKey: "manager")
      try artist.setObject(label, forKey: "label")
      try artist.addObject(album, forKey: "albums")
      try album.addObject(track, forKey: "tracks")
      try list.setObjects([track, kept], forKey: "tracks")
      try context.save()
      #expect(try label.names("artists") == ["Nina"])
      var request = BatchDeleteRequest(
        fetchRequest: FetchRequest(entityName: "Artist", predicate: try FetchPredicate(format: "name = 'Nina'")))
      request.resultType = .changes
      let result = try context.execute(request)
      #expect(!artist.isDeleted && !track.isDeleted)
      #expect(try manager.object(forKey: "client") === artist)
      try merge(result, into: context)
      for object in [artist, album, track] { #expect(object.isDeleted) }
      #expect(track.name == "T", "values stay readable for a view that still shows them")
      #expect(try manager.object(forKey: "client") == nil)
      #expect(try list.names("tracks") == ["K"])
      #expect(try label.names("artists") == [])
      #expect(try context.count(for: FetchRequest(entityName: "Track")) == 1)
      manager["name"] = "free"
      try context.save()
    }
    #expect(try stack.rows("SELECT ZNAME, ZCLIENT FROM ZMANAGER") == ["free|NULL"])
  }
}

extension BatchMergingTests {
  @Test("A result has what was requested, and nothing else", .tags(.b12))
  func results() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": 9])
      let status = try context.execute(request)
      #expect(status.count == nil && status.objectIDs == nil && status.changes == nil)
      request.resultType = .count
      let count = try context.execute(request)
      #expect(count.count == 1 && count.objectIDs == nil && count.changes == nil)
      request.resultType = .objectIDs
      let objectIDs = try context.execute(request)
      #expect(objectIDs.objectIDs == [quake.objectID] && objectIDs.count == nil && objectIDs.changes == nil)
      request.resultType = .changes
      let changes = try context.execute(request)
      #expect(changes.changes == ChangedObjectIDs(updated: [quake.objectID]) && changes.objectIDs == nil)
    }
  }

  @Test("An insert is merged as new and overwritten rows", .tags(.b9, .c1))
  func insert() throws {
    let stack = try TestStack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let old = try Quake.insert("a", 1, into: context)
      try context.save()
      var request = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a", 2), Quake.row("b", 3)])
      request.resultType = .changes
      let result = try context.execute(request)
      guard case .changes(let changes) = result else { throw TestFailure("\(result)") }
      #expect(changes.updated == [old.objectID] && changes.inserted.count == 1 && changes.deleted.isEmpty)
      #expect(old[Quake.magnitude] == 1)
      try merge(result, into: context)
      #expect(old[Quake.magnitude] == 2)
      #expect(try context.object(with: changes.inserted[0])[Quake.magnitude] == 3)
    }
  }

  @Test(
    "Batch requests notify no observer, and no context merges them automatically", .tags(.b6, .b12),
    arguments: [BatchResultType.statusOnly, .count, .objectIDs, .changes])
  func silence(resultType: BatchResultType) async throws {
    let stack = try TestStack()
    let (context, follower) = (stack.context(), stack.context())
    follower.automaticallyMergesChangesFromParent = true
    try context.performAndWait { () throws in
      for code in ["a", "b"] { try Quake.insert(code, 1, into: context) }
      try context.save()
    }
    // The work that a save schedules in contexts is already in their queues.
    try await follower.perform {}
    let news = Lock<[ContextNotification]>([])
    let observations = [context, follower].flatMap { context in
      ContextNotification.Name.allCases.map { name in
        context.observe(name) { notification in news.withLock { $0.append(notification) } }
      }
    }
    try await context.perform {
      var insert = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("c")])
      insert.resultType = resultType
      try context.execute(insert)
      var update = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": 9])
      update.resultType = resultType
      try context.execute(update)
      var delete = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake", predicate: Quake.code == "a"))
      delete.resultType = resultType
      try context.execute(delete)
    }
    try await follower.perform {}
    #expect(news.withLock { $0 } == [])
    withExtendedLifetime(observations) {}
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY 1") == ["b|9.0", "c|9.0"])
  }
}
