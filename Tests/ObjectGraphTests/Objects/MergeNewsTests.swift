// C1, D5, D6: notifications of merges, refreshes, resets and rollbacks, and of children's objects.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

/// The last notification of a context.
private final class LastNews: Sendable {
  private let last = Lock<ContextNotification?>(nil)
  private let observation = Lock<ContextObservation?>(nil)

  func follow(_ context: ManagedObjectContext, _ name: ContextNotification.Name) {
    let made = context.observe(name) { [weak self] note in self?.last.withLock { $0 = note } }
    observation.withLock { $0 = made }
  }

  func take() -> ContextNotification? {
    last.withLock { last in
      defer { last = nil }
      return last
    }
  }
}

@Suite("C1 D6 · notifications of merges, refreshes, resets and rollbacks")
struct MergeNewsTests {
  /// Two contexts of one store with the quakes a and b, and the notifications of the first.
  private func withContexts(
    _ name: ContextNotification.Name,
    _ body: (TestStack, _ here: ManagedObjectContext, _ there: ManagedObjectContext, LastNews) throws -> Void
  ) throws {
    let stack = try TestStack()
    let (here, there) = (stack.context(), stack.context())
    try here.performAndWait { () throws in
      try there.performAndWait { () throws in
        for code in ["a", "b"] { try Quake.insert(code, into: there) }
        try there.save()
        let news = LastNews()
        news.follow(here, name)
        try body(stack, here, there, news)
      }
    }
  }

  private func quakes(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    Array(try context.fetch(FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])))
  }

  @Test("A merge lists inserted, changed and deleted objects, even those that the context does not have", .tags(.c1))
  func merge() throws {
    try withContexts(.objectsDidChange) { _, here, there, news in
      let theirs = try quakes(there)
      let mine = try quakes(here)
      here.processPendingChanges()
      _ = news.take()
      theirs[0][Quake.magnitude] = 7
      try there.delete(theirs[1])
      let new = try Quake.insert("c", into: there)
      let saved = LastNews()
      saved.follow(there, .didSave)
      try there.save()
      try here.mergeChanges(fromContextDidSave: try #require(saved.take()))
      let told = try #require(news.take())
      #expect(told.inserted == [new.objectID])
      #expect(told.refreshed == [theirs[0].objectID])
      #expect(told.deleted == [mine[1].objectID])
      // Objects that are not in this context.
      here.reset()
      _ = news.take()
      theirs[0][Quake.magnitude] = 8
      try there.delete(new)
      try there.save()
      try here.mergeChanges(fromContextDidSave: try #require(saved.take()))
      let again = try #require(news.take())
      #expect(again.refreshed == [theirs[0].objectID] && again.deleted == [new.objectID] && again.inserted.isEmpty)
    }
  }

  @Test("The notification of a merge lists the objects that it changed", .tags(.c1))
  func didMerge() throws {
    try withContexts(.didMerge) { _, here, there, news in
      let mine = try quakes(here)
      let theirs = try quakes(there)
      for quake in theirs { quake[Quake.magnitude] = 7 }
      let saved = LastNews()
      saved.follow(there, .didSave)
      try there.save()
      try here.refresh(mine[0], mergeChanges: false)
      try here.mergeChanges(fromContextDidSave: try #require(saved.take()))
      let told = try #require(news.take())
      #expect(Set(told.refreshed) == Set(mine.map(\.objectID)) && told.updated.count == 2)
    }
  }

  @Test("Refreshing all objects lists them, and a reset reports that all are invalidated", .tags(.d6))
  func refreshAndReset() throws {
    try withContexts(.objectsDidChange) { _, here, _, news in
      let mine = try quakes(here)
      try here.refreshAllObjects()
      here.processPendingChanges()
      #expect(Set(try #require(news.take()).refreshed) == Set(mine.map(\.objectID)))
      here.reset()
      let told = try #require(news.take())
      #expect(told.invalidatedAllObjects && told.refreshed.isEmpty)
    }
  }

  @Test("An observer registered after changes is notified of their rollback", .tags(.d6))
  func lateObserver() throws {
    try withContexts(.didMerge) { _, here, _, _ in
      let mine = try quakes(here)
      mine[0][Quake.magnitude] = 9
      try here.delete(mine[1])
      let new = try Quake.insert("new", into: here)
      here.processPendingChanges()
      let news = LastNews()
      news.follow(here, .objectsDidChange)
      let newID = new.objectID
      here.rollback()
      here.processPendingChanges()
      let told = try #require(news.take())
      #expect(Set(told.refreshed) == Set(mine.map(\.objectID)) && told.deleted == [newID])
      // An object that was inserted and removed between two notifications is not reported.
      try Quake.insert("brief", into: here)
      here.rollback()
      here.processPendingChanges()
      #expect(news.take() == nil)
    }
  }
}

extension MergeNewsTests {
  @Test("A child that merges automatically follows its parent's own save", .tags(.d6))
  func childFollowsParent() async throws {
    let stack = try TestStack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    child.automaticallyMergesChangesFromParent = true
    let objectID = try parent.performAndWait { () throws in
      let quake = try Quake.insert("a", into: parent)
      try parent.save()
      return quake.objectID
    }
    try child.performAndWait { () throws in
      #expect(try child.existingObject(with: objectID)[Quake.magnitude] == 1)
    }
    // Hold it, so that it is not read again.
    let merges = child.notifications(.didMerge)
    try parent.performAndWait { () throws in
      try parent.existingObject(with: objectID)[Quake.magnitude] = 5
      try parent.save()
    }
    for await merge in merges where merge.updated.contains(objectID) { break }
    try child.performAndWait { () throws in
      #expect(try child.existingObject(with: objectID)[Quake.magnitude] == 5)
    }
  }

  @Test("A transient value that a child set reaches its parent", .tags(.d6))
  func transientValues() throws {
    let stack = try TestStack([
      EntityDescription(
        "Note",
        attributes: [
          AttributeDescription("text", .string, isOptional: true),
          AttributeDescription("draft", .string, isOptional: true, isTransient: true),
        ])
    ])
    let parent = stack.context()
    try parent.performAndWait { () throws in
      let note = try parent.insertNewObject(forEntityName: "Note")
      try parent.save()
      let child = ManagedObjectContext(parent: parent)
      try child.performAndWait { () throws in
        try child.existingObject(with: note.objectID).setValue("unfinished", forKey: "draft")
        try child.save()
        #expect(!child.hasChanges)
      }
      #expect(note["draft"] == "unfinished")
    }
  }

  @Test("A kept temporary ID finds its object after the save", .tags(.d6, .d5))
  func formerIDs() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var kept: [(ManagedObject, ManagedObjectID)] = []
      for round in 0..<2 {
        for number in 0..<4 {
          let quake = try Quake.insert("\(round) \(number)", into: context)
          kept.append((quake, quake.objectID))
        }
        try context.save()
      }
      for (object, objectID) in kept {
        #expect(objectID.isTemporaryID && !object.objectID.isTemporaryID)
        #expect(context.registeredObject(for: objectID) === object)
        #expect(try context.existingObject(with: objectID) === object)
      }
    }
  }

  @Test("A new object's changed values are all that differ from its defaults, however they were set", .tags(.d6, .d5))
  func changedValuesOfNewObjects() throws {
    let stack = try TestStack()
    let parent = stack.context()
    try parent.performAndWait { () throws in
      let quake = try parent.insertNewObject(forEntityName: "Quake")
      #expect(quake.changedValues().isEmpty && !quake.hasPersistentChangedValues)
      try quake.setPrimitiveValue("primitive", forKey: "code")
      #expect(quake.changedValues() == ["code": "primitive"])
      let child = ManagedObjectContext(parent: parent)
      try child.performAndWait { () throws in
        try Quake.insert("child", 3, into: child)
        try child.save()
      }
      let inserted = try #require(parent.insertedObjects.first { $0["code"] == "child" })
      #expect(inserted.changedValues().keys.sorted() == ["code", "magnitude", "time"])
    }
  }
}
