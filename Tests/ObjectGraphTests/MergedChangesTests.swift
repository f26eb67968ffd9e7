import CoreDataModel
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

// C1, D6: the effects of a merge on changed objects, objects to delete, and faults; and who is notified of what.
@testable import ObjectGraph

@Suite("C1 · merging into objects in use")
struct MergedChangesTests {
  @Test(
    "A changed object's relationships show additions by another context, beside its own changes",
    .tags(.c1))
  func relationships() throws {
    let stack = try Library.stack()
    let (mine, theirs) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let artist = try Library.make("Artist", "Nina", in: mine)
      try artist.addObject(try Library.make("Album", "A", in: mine), forKey: "albums")
      try mine.save()
      #expect(try artist.names("albums") == ["A"])
      artist["name"] = "Mine"
      let saved = Lock<ContextNotification?>(nil)
      try theirs.performAndWait { () throws in
        let observation = theirs.observe(.didSave) { news in saved.withLock { $0 = news } }
        let same = try Library.find("Artist", "Nina", in: theirs)
        same["name"] = "Theirs"
        try same.addObject(try Library.make("Album", "B", in: theirs), forKey: "albums")
        try theirs.save()
        observation.cancel()
      }
      try mine.mergeChanges(fromContextDidSave: try #require(saved.withLock { $0 }))
      #expect(try artist.names("albums").sorted() == ["A", "B"] && artist.name == "Mine")
    }
  }

  @Test(
    "An object that is to be deleted is deleted in its merged version", .tags(.c1, .d5))
  func deletion() throws {
    let stack = try TestStack()
    let (mine, theirs) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: mine)
      try mine.save()
      try mine.delete(quake)
      let objectID = quake.objectID
      try theirs.performAndWait { () throws in
        try theirs.existingObject(with: objectID)[Quake.magnitude] = 2
        try theirs.save()
      }
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(updated: [objectID]), into: [mine])
      #expect(mine.deletedObjects == [quake])
      try mine.save()
    }
    #expect(try stack.rows("SELECT * FROM ZQUAKE").isEmpty)
  }

  @Test("An object that another context deleted is no longer pending for deletion", .tags(.c1, .d5))
  func bothDelete() throws {
    let stack = try TestStack()
    let (mine, theirs) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: mine)
      try mine.save()
      try mine.delete(quake)
      let objectID = quake.objectID
      try theirs.performAndWait { () throws in
        try theirs.delete(try theirs.existingObject(with: objectID))
        try theirs.save()
      }
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(deleted: [objectID]), into: [mine])
      #expect(mine.deletedObjects.isEmpty && !mine.hasChanges && quake.isDeleted)
    }
  }
}

extension MergedChangesTests {
  @Test("A fault that a sibling deletes keeps the values that the child last read", .tags(.c1, .d6))
  func deletedFault() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      try Quake.insert("a", 1, into: parent)
      try parent.save()
    }
    let (mine, theirs) = (
      ManagedObjectContext(parent: parent), ManagedObjectContext(parent: parent)
    )
    let all = FetchRequest(entityName: "Quake")
    try mine.performAndWait { () throws in
      let quake = try #require(try mine.fetch(all).first)
      try mine.refresh(quake, mergeChanges: false)
      #expect(quake.isFault)
      let objectID = quake.objectID
      try theirs.performAndWait { () throws in
        try theirs.delete(try theirs.existingObject(with: objectID))
        try theirs.save()
      }
      try mine.merge(ChangedObjectIDs(deleted: [objectID]))
      #expect(quake.isDeleted && quake[Quake.code] == "a")
    }
  }

  @Test("An element of a result that is first used after a merge shows the merged values", .tags(.c1, .d3))
  func lateLook() throws {
    let stack = try TestStack()
    let (mine, theirs) = (stack.context(), stack.context())
    try theirs.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: theirs)
      try theirs.save()
      let results = try mine.performAndWait { Carried(try mine.fetch(FetchRequest(entityName: "Quake"))) }
      quake[Quake.magnitude] = 2
      try theirs.save()
      let objectID = quake.objectID
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(updated: [objectID]), into: [mine])
      mine.performAndWait { #expect(results.value.first?[Quake.magnitude] == 2) }
    }
  }

  @Test("An element whose row was overwritten by another context's new object shows the new values", .tags(.c1, .b11))
  func lateLookAtTakenRow() throws {
    let stack = try TestStack()
    let (mine, theirs) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    try theirs.performAndWait { () throws in
      try Quake.insert("a", 1, into: theirs)
      try theirs.save()
      let results = try mine.performAndWait { Carried(try mine.fetch(FetchRequest(entityName: "Quake"))) }
      let saved = Lock<ContextNotification?>(nil)
      let observation = theirs.observe(.didSave) { news in saved.withLock { $0 = news } }
      try Quake.insert("a", 2, into: theirs)
      try theirs.save()
      observation.cancel()
      let news = try #require(saved.withLock { $0 })
      try mine.performAndWait { () throws in
        try mine.mergeChanges(fromContextDidSave: news)
        let quake = try #require(results.value.first)
        #expect(quake[Quake.magnitude] == 2)
        quake[Quake.place] = "mine"
        try mine.save()
      }
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, ZPLACE FROM ZQUAKE") == ["2.0|mine"])
  }

  @Test("A context does not merge its own saves", .tags(.c1))
  func ownSave() async throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    let merges = Lock<[String]>([])
    let observations = [
      context.observe(.didMerge) { _ in merges.withLock { $0.append("mine") } },
      other.observe(.didMerge) { _ in merges.withLock { $0.append("other") } },
    ]
    for context in [context, other] { context.automaticallyMergesChangesFromParent = true }
    try await context.perform {
      try Quake.insert("a", into: context)
      try context.save()
    }
    // The changes to merge were queued before these blocks.
    try await context.perform {}
    try await other.perform {}
    #expect(merges.withLock { $0 } == ["other"])
    withExtendedLifetime(observations) {}
  }
}

extension MergedChangesTests {
  @Test("A row that cannot be read does not prevent other changes from being merged", .tags(.c1, .d6))
  func unreadableRow() throws {
    let busy = try BusyStore(TestStack())
    let view = ManagedObjectContext(coordinator: busy.coordinator)
    let other = ManagedObjectContext(coordinator: busy.coordinator)
    let saved = Lock<ContextNotification?>(nil)
    let observation = other.observe(.didSave) { news in saved.withLock { $0 = news } }
    defer { observation.cancel() }
    try other.performAndWait { () throws in
      let quakes = try ["a", "b", "c"].map { try Quake.insert($0, 1, into: other) }
      try other.save()
      let objectIDs = quakes.map(\.objectID)
      try view.performAndWait { () throws in
        for objectID in objectIDs { try view.existingObject(with: objectID)[Quake.place] = "mine" }
      }
      for quake in quakes { quake[Quake.magnitude] = 2 }
      try other.save()
    }
    let news = try #require(saved.withLock { $0 })
    try view.performAndWait { () throws in
      // The others' rows are in the cache.
      busy.coordinator.rowCache.remove(news.updated[0])
      try busy.whileBusy {
        let error = storeError { () throws(ObjectGraphError) in try view.mergeChanges(fromContextDidSave: news) }
        #expect(error?.code == .busy)
      }
      let quakes = news.updated.map { view.registeredObject(for: $0) }
      #expect(quakes.map { $0?[Quake.magnitude] } == [1, 2, 2])
      #expect(quakes.map { $0?[Quake.place] } == ["mine", "mine", "mine"])
    }
  }

  @Test("A refresh is reported once, as a refresh", .tags(.d4, .d6))
  func refreshed() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let refreshed = Lock<[ManagedObjectID]>([])
    let observation = context.observe(.objectsDidChange) { news in
      refreshed.withLock { $0 += news.refreshed }
    }
    let objectID = try await context.perform {
      let quake = try Quake.insert("a", into: context)
      try context.save()
      try context.refresh(quake, mergeChanges: false)
      return quake.objectID
    }
    try await context.perform {}
    #expect(refreshed.withLock { $0 } == [objectID])
    observation.cancel()
  }

  @Test("A block that runs later reports its changes at its end", .tags(.d6))
  func later() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let inserted = Lock(0)
    let observation = context.observe(.objectsDidChange) { news in
      inserted.withLock { $0 += news.inserted.count }
    }
    context.perform(later: { _ = try? Quake.insert("a", into: context) })
    #expect(try await context.perform { inserted.withLock { $0 } } == 1)
    try await context.perform { _ = try Quake.insert("b", into: context) }
    #expect(inserted.withLock { $0 } == 2)
    observation.cancel()
  }

  @Test(
    "Objects that are rolled back or saved leave no trace of their assignment to stores",
    .tags(.b10))
  func assignedStores() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let store = stack.coordinator.persistentStores[0]
      try context.assign(try Quake.insert("a", into: context), to: store)
      #expect(context.family.assignedStores.count == 1)
      context.rollback()
      #expect(context.family.assignedStores.isEmpty)
      try context.assign(try Quake.insert("b", into: context), to: store)
      try context.save()
      #expect(context.family.assignedStores.isEmpty)
    }
  }

  @Test(
    "A main-queue context is on its queue in a private block that the main queue waits for",
    .tags(.d6))
  @MainActor
  func nested() throws {
    let stack = try TestStack()
    let view = ManagedObjectContext(.mainQueue, coordinator: stack.coordinator)
    let background = stack.context()
    try background.performAndWait { () throws in
      try Quake.insert("a", into: background)
      try background.save()
      // This is still on the main thread, which blocks the main queue.
      #expect(try view.count(for: FetchRequest(entityName: "Quake")) == 1)
      #expect(
        try view.performAndWait { try view.count(for: FetchRequest(entityName: "Quake")) } == 1)
    }
  }
}
