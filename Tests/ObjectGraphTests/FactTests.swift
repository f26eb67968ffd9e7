// D1 to D6: facts about Core Data that no other test shows; Documentation/CoreDataFacts.md has all of them.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("Facts of Core Data")
struct FactTests {
  @Test("An ID names store, entity and key; a temporary one has another ending", .tags(.d2))
  func objectIDs() throws {
    let stack = try TestStack()
    let uuid = try #require(try stack.rows("SELECT Z_UUID FROM Z_METADATA").first)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      #expect(quake.objectID.isTemporaryID && !quake.objectID.uriRepresentation().hasSuffix("/p1"))
      try context.save()
      #expect(!quake.objectID.isTemporaryID)
      #expect(quake.objectID.uriRepresentation() == "x-coredata://\(uuid)/Quake/p1")
    }
  }

  @Test("The file's header sets incremental vacuum", .tags(.d2, .d9))
  func vacuumInHeader() throws {
    let stack = try TestStack()
    try stack.coordinator.checkpoint()
    let header = [UInt8](try Data(contentsOf: URL(filePath: stack.path)).prefix(100))
    func number(at place: Int) -> UInt32 { header[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    #expect(number(at: 52) != 0 && number(at: 64) == 1)
  }

  @Test("A closed store is one file", .tags(.d2))
  func closing() throws {
    let stack = try TestStack { $0.postsRemoteChanges = true }
    let (context, pinned) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      try Quake.insert("a", into: context)
      try context.save()
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 1)
    }
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: .current)
      #expect(try pinned.count(for: FetchRequest(entityName: "Quake")) == 1)
    }
    #expect(FileManager.default.fileExists(atPath: stack.path + "-wal"))
    try stack.coordinator.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: stack.directory.path) == ["store.sqlite"])
  }

  final class AwareQuake: ManagedObject {
    var seenAtInsert: [AttributeValue] = []
    var preparations = 0
    override func awakeFromInsert() { seenAtInsert.append(self["magnitude"]) }
    override func prepareForDeletion() { preparations += 1 }
  }
}

extension FactTests {
  @Test("Defaults are set when an object awakes, once; each delete call prepares for deletion", .tags(.d5))
  func callbacks() throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    try FileManager.default.removeItem(atPath: stack.path)
    let entity = EntityDescription(
      "Quake", attributes: [AttributeDescription("magnitude", .double, defaultValue: 2.5)])
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: try ManagedObjectModel(entities: [entity]), classes: ["Quake": AwareQuake.self])
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let quake = try #require(try context.insertNewObject(forEntityName: "Quake") as? AwareQuake)
      try context.save()
      try context.refresh(quake, mergeChanges: false)
      #expect(quake["magnitude"] == 2.5 && quake.seenAtInsert == [2.5])
      try context.delete(quake)
      try context.delete(quake)
      #expect(quake.preparations == 2 && context.deletedObjects == [quake])
    }
    try coordinator.close()
  }

  @Test("Work in perform posts its notifications at its end; performAndWait leaves them for later", .tags(.d6))
  func endOfEvent() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let news = Lock(0)
    let observation = context.observe(.objectsDidChange) { _ in news.withLock { $0 += 1 } }
    try context.performAndWait { () throws in _ = try Quake.insert("a", into: context) }
    #expect(news.withLock { $0 } == 0)
    try await context.perform { _ = try Quake.insert("b", into: context) }
    #expect(news.withLock { $0 } == 1)
    context.performAndWait { context.processPendingChanges() }
    #expect(news.withLock { $0 } == 1)
    withExtendedLifetime(observation) {}
  }

  @Test("A context and a fetch request begin with Core Data's settings", .tags(.d3, .d6))
  func settings() throws {
    let stack = try TestStack()
    let context = stack.context()
    context.performAndWait {
      #expect(context.mergePolicy == .error && context.stalenessInterval < 0)
      #expect(context.propagatesDeletesAtEndOfEvent && !context.automaticallyMergesChangesFromParent)
    }
    let request = FetchRequest(entityName: "Quake")
    #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
    #expect(request.includesPropertyValues && request.includesPendingChanges && request.includesSubentities)
    #expect(!request.returnsDistinctResults && request.predicate == nil && request.sortDescriptors.isEmpty)
  }
}

extension FactTests {
  @Test("A save without changes reads nothing from the store and notifies no observer", .tags(.d5))
  func idleSave() throws {
    let stack = try TestStack()
    let context = stack.context()
    let news = Lock(0)
    let observations = [ContextNotification.Name.willSave, .didSave].map { name in
      context.observe(name) { _ in news.withLock { $0 += 1 } }
    }
    try context.performAndWait { () throws in try context.save() }
    #expect(news.withLock { $0 } == 0)
    withExtendedLifetime(observations) {}
  }

  @Test("Conflicts of versions are found before those of unique values", .tags(.d5))
  func orderOfConflicts() throws {
    let stack = try TestStack()
    let (mine, theirs) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: mine)
      let taken = try Quake.insert("b", 1, into: mine)
      try mine.save()
      try theirs.performAndWait { () throws in
        try theirs.existingObject(with: quake.objectID)[Quake.magnitude] = 2
        try theirs.save()
      }
      quake[Quake.code] = "b"
      let versions = #expect(throws: ObjectGraphError.self) { try mine.save() }
      #expect(versions?.code == 133020)
      try mine.refresh(quake, mergeChanges: true)
      let values = #expect(throws: ObjectGraphError.self) { try mine.save() }
      #expect(values?.code == 133021)
      taken[Quake.code] = "c"
      try mine.save()
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY Z_PK") == ["b|2.0", "c|1.0"])
  }

  @Test("A conflict's snapshots have the attributes and no to-many relationship", .tags(.d5))
  func snapshots() throws {
    let stack = try Library.stack()
    let (mine, theirs) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let album = try Library.make("Album", "Old", in: mine)
      try mine.save()
      try theirs.performAndWait { () throws in
        try theirs.existingObject(with: album.objectID)["title"] = "Theirs"
        try theirs.save()
      }
      album["title"] = "Mine"
      let found = conflicts { () throws(ObjectGraphError) in try mine.save() }
      #expect(found.first?.objectSnapshot["title"] == "Old" && found.first?.cachedSnapshot?["title"] == "Theirs")
      #expect(found.first?.objectSnapshot.keys.contains("tracks") == false)
    }
  }

  @Test("After a merge, a deleted object keeps its values, is not a fault, and is no longer fetched", .tags(.c1))
  func mergedDeletion() throws {
    let stack = try TestStack()
    let (view, background) = (stack.context(), stack.context())
    try view.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: view)
      try view.save()
      let objectID = quake.objectID
      try background.performAndWait { () throws in
        try background.delete(try background.existingObject(with: objectID))
        try background.save()
      }
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(deleted: [objectID]), into: [view])
      #expect(quake.isDeleted && !quake.isFault && quake[Quake.magnitude] == 1)
      #expect(try view.fetch(FetchRequest(entityName: "Quake")).isEmpty)
    }
  }
}
