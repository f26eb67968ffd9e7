// C1, D2: object IDs from other stacks: of other models and stores, and of new objects in other contexts.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("C1 D2 · object IDs of other stacks")
struct ForeignIDTests {
  /// The notification of a save in the stack.
  private func save(_ code: String, in stack: TestStack) throws -> ContextNotification {
    let context = stack.context()
    let saved = Lock<ContextNotification?>(nil)
    let observation = context.observe(.didSave) { news in saved.withLock { $0 = news } }
    try context.performAndWait { () throws in
      try Quake.insert(code, into: context)
      try context.save()
    }
    observation.cancel()
    return try #require(saved.withLock { $0 })
  }

  @Test("A merge skips objects that are in none of the coordinator's stores", .tags(.c1), arguments: [true, false])
  func merging(isOfLargerModel: Bool) throws {
    let stack = try TestStack()
    let more = ["Alpha", "Beta", "Gamma"].map {
      EntityDescription($0, attributes: [AttributeDescription("a", .string)])
    }
    let other = try TestStack(isOfLargerModel ? more + [.quake()] : [.quake()])
    let theirs = try save("theirs", in: other)
    let context = stack.context()
    let told = Lock<[ContextNotification]>([])
    try context.performAndWait { () throws in
      let quake = try Quake.insert("mine", 2, into: context)
      try context.save()
      quake[Quake.magnitude] = 3
      context.processPendingChanges()
      let observations = [ContextNotification.Name.objectsDidChange, .didMerge].map { name in
        context.observe(name) { news in told.withLock { $0.append(news) } }
      }
      try context.mergeChanges(fromContextDidSave: theirs)
      #expect(quake[Quake.magnitude] == 3 && context.updatedObjects == [quake])
      #expect(told.withLock { $0 }.allSatisfy { $0.inserted.isEmpty && $0.updated.isEmpty && $0.deleted.isEmpty })
      told.withLock { $0 = [] }
      let mine = try save("sibling", in: stack)
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(inserted: theirs.inserted + mine.inserted), into: [context])
      #expect(told.withLock { $0 }.map(\.inserted) == [mine.inserted, mine.inserted])
      withExtendedLifetime(observations) {}
    }
  }

  @Test("A list skips merged objects that are in none of the coordinator's stores", .tags(.c1, .d12))
  func lists() throws {
    let stack = try TestStack()
    let theirs = try save("theirs", in: try TestStack())
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert("mine", into: context)
      try context.save()
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")]),
        managedObjectContext: context)
      try controller.performFetch()
      try context.mergeChanges(fromContextDidSave: theirs)
      #expect(controller.failure == nil && controller.fetchedObjects.map { $0["code"] } == ["mine"])
    }
  }

  @Test("The ID of another context's new object never equals an ID of the own context", .tags(.d2, .d6))
  func temporaryIDs() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    let foreignID = try other.performAndWait { try Quake.insert("theirs", into: other).objectID }
    try context.performAndWait { () throws in
      let quake = try Quake.insert("mine", into: context)
      try context.obtainPermanentIDs(for: [quake])
      #expect(context.registeredObject(for: foreignID) == nil)
      #expect(try context.object(with: foreignID) !== quake)
      #expect(throws: ObjectGraphError.missingObject(foreignID)) { try context.existingObject(with: foreignID) }
    }
  }

  @Test(
    "A parent's new object with the same key is not confused either: nothing is shown, deleted or related by it",
    .tags(.d2, .d6))
  func temporaryIDsInChild() throws {
    let stack = try TestStack([
      .quake(), EntityDescription("Region", attributes: [AttributeDescription("name", .string, isOptional: true)]),
      EntityDescription("Station", relationships: [RelationshipDescription("region", to: "Region", inverse: nil)]),
    ])
    let (parent, other) = (stack.context(), stack.context())
    let child = ManagedObjectContext(.privateQueue, parent: parent)
    let foreignID = try other.performAndWait { try other.insertNewObject(forEntityName: "Region").objectID }
    let mine = try parent.performAndWait { try Quake.insert("mine", into: parent).objectID }
    try child.performAndWait { () throws in
      #expect(throws: ObjectGraphError.missingObject(foreignID)) { try child.existingObject(with: foreignID) }
      let region = try child.object(with: foreignID)
      #expect(region["name"] == .null)
      let station = try child.insertNewObject(forEntityName: "Station")
      #expect(throws: ObjectGraphError.missingObject(foreignID)) { try station.setObject(region, forKey: "region") }
      #expect(throws: ObjectGraphError.foreignObject(foreignID)) { try child.obtainPermanentIDs(for: [region]) }
      #expect(throws: ObjectGraphError.deletedObject(foreignID)) { try child.delete(region) }
      try child.save()
    }
    try parent.performAndWait { () throws in
      #expect(try parent.object(with: mine)[Quake.code] == "mine" && parent.object(with: mine).objectID == mine)
      try parent.save()
    }
    #expect(try stack.rows("SELECT (SELECT ZCODE FROM ZQUAKE), (SELECT ZREGION FROM ZSTATION)") == ["mine|NULL"])
  }
}
