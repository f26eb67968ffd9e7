// C1, D6: contexts learn of each other's saves, and of batch requests.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("C1 D6 · merging")
struct MergingTests {
  @Test("A view context shows a background save after a merge, under its own changes", .tags(.c1))
  func didSave() throws {
    let stack = try TestStack()
    let (view, background) = (stack.context(), stack.context())
    let news = Lock<[ContextNotification]>([])
    let observation = background.observe(.didSave) { notification in news.withLock { $0.append(notification) } }
    let objectID = try background.performAndWait { () throws -> ManagedObjectID in
      let quake = try Quake.insert("a", 1, into: background)
      try background.save()
      return quake.objectID
    }
    try view.performAndWait { () throws in
      try view.mergeChanges(fromContextDidSave: try #require(news.withLock { $0.last }))
      let quake = try #require(try view.fetch(FetchRequest(entityName: "Quake")).first)
      #expect(quake.objectID == objectID && quake[Quake.magnitude] == 1)
      quake[Quake.place] = "mine"
      try background.performAndWait { () throws in
        let other = try background.existingObject(with: objectID)
        other[Quake.magnitude] = 2
        other[Quake.place] = "theirs"
        try background.save()
      }
      #expect(quake[Quake.magnitude] == 1, "nobody told the view yet")
      try view.mergeChanges(fromContextDidSave: try #require(news.withLock { $0.last }))
      #expect(quake[Quake.magnitude] == 2 && quake[Quake.place] == "mine")
      try view.save()
      #expect(try stack.rows("SELECT Z_OPT, ZMAGNITUDE, ZPLACE FROM ZQUAKE") == ["3|2.0|mine"])
      try background.performAndWait { () throws in
        // The background's object was changed by the view, so it is read again before it is deleted.
        let other = try background.existingObject(with: objectID)
        try background.refresh(other, mergeChanges: false)
        try background.delete(other)
        try background.save()
      }
      try view.mergeChanges(fromContextDidSave: try #require(news.withLock { $0.last }))
      #expect(quake.isDeleted)
    }
    withExtendedLifetime(observation) {}
  }

  @Test("An element of a result that is first used after a merge shows the merged values", .tags(.d4, .d6))
  func resultsAfterMerge() throws {
    let stack = try TestStack()
    let (view, background) = (stack.context(), stack.context())
    let objectID = try background.performAndWait { () throws -> ManagedObjectID in
      let quake = try Quake.insert("a", 1, into: background)
      try background.save()
      return quake.objectID
    }
    try view.performAndWait { () throws in
      let quakes = try view.fetch(FetchRequest(entityName: "Quake"))
      try background.performAndWait { () throws in
        try background.existingObject(with: objectID)[Quake.magnitude] = 2
        try background.save()
      }
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(updated: [objectID]), into: [view])
      #expect(quakes[0][Quake.magnitude] == 2)
    }
  }

  @Test("A context that merges automatically does not merge its own saves", .tags(.c1))
  func ownSaves() async throws {
    let stack = try TestStack()
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    let merges = Lock(0)
    let observation = context.observe(.didMerge) { _ in merges.withLock { $0 += 1 } }
    try await context.perform {
      try Quake.insert("a", into: context)
      try context.save()
    }
    // The work that a save schedules in contexts is already in their queues.
    try await context.perform {}
    #expect(merges.withLock { $0 } == 0)
    withExtendedLifetime(observation) {}
  }

  @Test("A batch request's rows are merged into any number of contexts", .tags(.c1))
  func remoteChanges() throws {
    let stack = try TestStack()
    let contexts = (0..<3).map { _ in stack.context(.mergeByPropertyObjectTrump) }
    let importer = stack.context(.mergeByPropertyObjectTrump)
    var request = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a", 1), Quake.row("b", 1)])
    request.resultType = .objectIDs
    guard case .objectIDs(let objectIDs) = try importer.performAndWait({ try importer.execute(request) }) else {
      throw TestFailure("no object IDs")
    }
    let held = Lock<[Int]>([])
    try contexts[0].performAndWait { () throws in
      let shown = try objectIDs.map { try contexts[0].object(with: $0) }
      #expect(shown.map { $0[Quake.magnitude] } == [1, 1])
      try importer.performAndWait { () throws in
        try importer.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a", 5)]))
      }
      try stack.execute("DELETE FROM ZQUAKE WHERE ZCODE = 'b'")
      #expect(shown[0][Quake.magnitude] == 1, "nobody told the context")
      let observation = contexts[0].observe(.didMerge) { news in held.withLock { $0.append(news.deleted.count) } }
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(updated: [objectIDs[0]], deleted: [objectIDs[1]]), into: contexts)
      #expect(shown[0][Quake.magnitude] == 5)
      #expect(shown[1].isDeleted && shown[1][Quake.code] == "b", "its values stay readable")
      withExtendedLifetime(observation) {}
    }
    #expect(held.withLock { $0 } == [1])
  }
}

extension MergingTests {
  @Test("Changes in the stores of two coordinators are merged into the contexts of each", .tags(.c1))
  func twoCoordinators() throws {
    let (one, other) = (try TestStack(), try TestStack())
    let (first, second) = (one.context(), other.context())
    try first.performAndWait { () throws in
      try second.performAndWait { () throws in
        let quakes = [try Quake.insert("a", 1, into: first), try Quake.insert("b", 1, into: second)]
        for context in [first, second] { try context.save() }
        for stack in [one, other] { try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2") }
        try ManagedObjectContext.mergeChanges(
          fromRemoteContextSave: ChangedObjectIDs(updated: quakes.map(\.objectID)), into: [first, second])
        #expect(quakes.map { $0[Quake.magnitude] } == [2, 2])
      }
    }
  }

  @Test("After a merged deletion, later contexts find no row in the cache", .tags(.c1))
  func mergedDeletion() throws {
    let stack = try TestStack()
    let (holder, view, later) = (stack.context(), stack.context(), stack.context())
    let objectID = try holder.performAndWait { () throws -> ManagedObjectID in
      try Quake.insert("a", into: holder)
      try holder.save()
      return try #require(try holder.fetch(FetchRequest(entityName: "Quake")).first).objectID
    }
    // It keeps the row in the cache.
    try holder.performAndWait { () throws in
      let held = try holder.object(with: objectID)
      #expect(try held.value(forKey: "code") == "a")
      try stack.execute("DELETE FROM ZQUAKE")
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(deleted: [objectID]), into: [view])
      try later.performAndWait { () throws in
        #expect(throws: ObjectGraphError.missingObject(objectID)) { try later.existingObject(with: objectID) }
        let fault = try later.object(with: objectID)
        #expect(fault[Quake.code] == nil && fault.isDeleted)
      }
      withExtendedLifetime(held) {}
    }
  }

  @Test("A context that merges automatically follows its siblings", .tags(.c1, .d6))
  func automatic() async throws {
    let stack = try TestStack()
    let (view, background) = (stack.context(), stack.context())
    view.automaticallyMergesChangesFromParent = true
    #expect(view.automaticallyMergesChangesFromParent && !background.automaticallyMergesChangesFromParent)
    var merges = view.notifications(.didMerge).makeAsyncIterator()
    let objectID = try await background.perform {
      let quake = try Quake.insert("a", 1, into: background)
      try background.save()
      return quake.objectID
    }
    #expect(await merges.next()?.inserted == [objectID])
    view.automaticallyMergesChangesFromParent = false
    #expect(!view.automaticallyMergesChangesFromParent)
  }

  @Test("Eight tasks saving through their own contexts lose no update", .tags(.d6))
  func concurrentSavers() async throws {
    let stack = try TestStack()
    let seed = stack.context()
    let objectIDs = try await seed.perform {
      let quakes = try (0..<10).map { try Quake.insert("q\($0)", 0, into: seed) }
      try seed.save()
      return quakes.map(\.objectID)
    }
    let saves = 50
    let coordinator = stack.coordinator
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          let context = ManagedObjectContext(coordinator: coordinator)
          for round in 0..<saves {
            // A conflict fails the save; the row is read again and the change is repeated.
            while true {
              let isStored = try await context.perform {
                let quake = try context.existingObject(with: objectIDs[(task + round) % objectIDs.count])
                quake[Quake.magnitude] = (quake[Quake.magnitude] ?? 0) + 1
                do throws(ObjectGraphError) {
                  try context.save()
                  return true
                } catch {
                  guard case .optimisticLocking = error else { throw error }
                  context.stalenessInterval = 0
                  try context.refresh(quake, mergeChanges: false)
                  return false
                }
              }
              if isStored { break }
            }
            let count = try await context.perform { try context.fetch(FetchRequest(entityName: "Quake")).count }
            #expect(count == 10)
          }
        }
      }
      try await group.waitForAll()
    }
    let sums = try stack.rows("SELECT sum(ZMAGNITUDE), sum(Z_OPT) - 10 FROM ZQUAKE")
    #expect(sums == ["\(Double(8 * saves))|\(8 * saves)"])
  }
}
