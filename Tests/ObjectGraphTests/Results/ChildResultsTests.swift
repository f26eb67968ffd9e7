// D12, D6: controllers of a parent and of its child; each follows its own context.
import MissionTags
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D12 D6 · results of child contexts")
struct ChildResultsTests {
  @Test("A child's list shows its own changes at once, its parent's list after the child's save", .tags(.d12, .d6))
  func child() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
    let above = try parent.performAndWait { () throws in
      for code in ["a", "c", "e"] { try Quake.insert(code, 1, into: parent) }
      try parent.save()
      return Carried(try FollowedList("parent", request, parent))
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let list = try FollowedList("child", request, child)
      try Quake.insert("b", 2, into: child)
      list.controller.fetchedObjects[0][Quake.code] = "d"
      child.processPendingChanges()
      try list.check("unsaved")
      #expect(list.controller.fetchedObjects.map { $0[Quake.code] } == ["b", "c", "d", "e"])
      parent.performAndWait {
        #expect(above.value.controller.fetchedObjects.map { $0[Quake.code] } == ["a", "c", "e"])
      }
      try child.save()
      try list.check("saved to the parent")
      list.checkObjects("saved to the parent")
      try parent.performAndWait { () throws in
        try above.value.check("taken from the child")
        #expect(above.value.controller.fetchedObjects.map { $0[Quake.code] } == ["b", "c", "d", "e"])
        try parent.save()
        try above.value.check("saved")
      }
      try child.delete(list.controller.fetchedObjects[1])
      child.processPendingChanges()
      try list.check("after the parent's save")
    }
  }

  @Test(
    "A child's list has a parent's new object once, as the same object, after the parent's save", .tags(.d12, .d6))
  func savedByParent() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
    try parent.performAndWait { () throws in _ = try Quake.insert("a", 1, into: parent) }
    let child = ManagedObjectContext(parent: parent)
    child.automaticallyMergesChangesFromParent = true
    let list = try child.performAndWait { () throws in Carried(try FollowedList("child", request, child)) }
    let shown = child.performAndWait { Carried(Array(list.value.controller.fetchedObjects)) }
    try parent.performAndWait { () throws in try parent.save() }
    try child.performAndWait { () throws in
      let objects = list.value.controller.fetchedObjects
      #expect(objects.map(ObjectIdentifier.init) == shown.value.map(ObjectIdentifier.init))
      #expect(list.value.controller.indexPath(for: objects[0]) == FetchedIndexPath(section: 0, item: 0))
      #expect(list.value.controller.snapshot.objectIDs == [objects[0].objectID])
      try list.value.check("after the parent's save")
      list.value.checkObjects("after the parent's save")
    }
  }

  @Test(
    "A child's list with a batch size and a window recognizes a parent's new object after its save", .tags(.d12, .d6))
  func savedInWindow() throws {
    let stack = try TestStack()
    let parent = stack.context()
    var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
    (request.fetchLimit, request.fetchBatchSize) = (9, 2)
    try parent.performAndWait { () throws in _ = try Quake.insert("a", 1, into: parent) }
    let child = ManagedObjectContext(parent: parent)
    let list = try child.performAndWait { () throws in Carried(try FollowedList("child", request, child)) }
    let savedID = try parent.performAndWait { () throws in
      try parent.save()
      return try parent.fetchObjectIDs(request)[0]
    }
    try child.performAndWait { () throws in
      list.value.checkObjects("after the parent's save")
      try child.mergeChanges(fromContextDidSave: ChangedObjectIDs(inserted: [savedID]))
      try list.value.check("after the merge")
      #expect(list.value.mirror.told == ["update": 1])
    }
  }

  @Test(
    "A child's list shows its parent's state when all is refreshed, whether its objects are held or not",
    .tags(.d12, .d6))
  func refreshedAll() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      for code in ["a", "b", "c"] { try Quake.insert(code, 1, into: parent) }
      try parent.save()
      parent.reset()
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
      let list = try FollowedList("child", request, child)
      let held = list.controller.fetchedObjects[0]
      try parent.performAndWait { () throws in
        let others = FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: "code != 'c'"))
        var deletion = BatchDeleteRequest(fetchRequest: others)
        deletion.resultType = .changes
        try parent.mergeChanges(fromContextDidSave: try #require(try parent.execute(deletion).changes))
      }
      try child.refreshAllObjects()
      child.processPendingChanges()
      try list.check("refreshed")
      #expect(list.mirror.told == ["delete": 2, "update": 1] && held[Quake.code] == nil && held.isDeleted)
    }
  }

  @Test(
    "Changes merged into a child and its parent appear in the child's list, whichever comes first",
    .tags(.d12, .d6, .c1), arguments: [false, true])
  func mergedIntoBoth(isChildFirst: Bool) throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    let held = try parent.performAndWait { () throws in
      let quakes = try ["a", "b"].enumerated().map { try Quake.insert($1, Double($0), into: parent) }
      try parent.save()
      return Carried(quakes)
    }
    let list = try child.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("magnitude")])
      return Carried(try FollowedList("child", request, child))
    }
    let changes = try parent.performAndWait { () throws in
      var update = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": .real(5)])
      update.predicate = Quake.code == "a"
      update.resultType = .changes
      return try #require(try parent.execute(update).changes)
    }
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: changes, into: isChildFirst ? [child, parent] : [parent, child])
    try child.performAndWait { () throws in
      try list.value.check("merged")
      #expect(list.value.controller.fetchedObjects.map { $0[Quake.magnitude] } == [1, 5])
    }
    withExtendedLifetime(held) {}
  }

  @Test("A child that merges its parent's notification after the parent's save has each object once", .tags(.d12, .d6))
  func lateNews() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    let list = try child.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
      return Carried(try FollowedList("child", request, child))
    }
    let news = Lock<[ContextNotification]>([])
    let observations = [ContextNotification.Name.didSave, .objectsDidChange].map { name in
      parent.observe(name) { one in news.withLock { $0.append(one) } }
    }
    try parent.performAndWait { () throws in
      try Quake.insert("a", 1, into: parent)
      try parent.save()
    }
    withExtendedLifetime(observations) {}
    try child.performAndWait { () throws in
      for one in news.withLock({ $0 }).reversed() { try child.mergeChanges(fromContextDidSave: one) }
      try list.value.check("merged")
      list.value.checkObjects("merged")
      #expect(list.value.controller.snapshot.objectIDs.map(\.isTemporaryID) == [false])
    }
  }

  @Test("Equal new objects have the same order in a child's list and fetches: its parent's first", .tags(.d12, .d6))
  func equalObjects() throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("magnitude")])
      let list = try FollowedList("child", request, child)
      try Quake.insert("own", 1, into: child)
      child.processPendingChanges()
      let news = Lock<[ContextNotification]>([])
      let observation = parent.observe(.objectsDidChange) { one in news.withLock { $0.append(one) } }
      try parent.performAndWait { () throws in
        for code in ["first", "second"] { try Quake.insert(code, 1, into: parent) }
        parent.processPendingChanges()
      }
      observation.cancel()
      for one in news.withLock({ $0 }) { try child.mergeChanges(fromContextDidSave: one) }
      try list.check("merged")
      list.controller.fetchedObjects[0][Quake.place] = "Elko"
      child.processPendingChanges()
      try list.check("changed")
      #expect(list.controller.fetchedObjects.map { $0[Quake.code] } == ["first", "second", "own"])
      try child.save()
      try list.check("saved")
      parent.performAndWait { parent.processPendingChanges() }
      let codes = try parent.performAndWait { () throws in try parent.fetch(request).map { $0[Quake.code] } }
      #expect(codes == ["own", "first", "second"])
    }
  }
}
