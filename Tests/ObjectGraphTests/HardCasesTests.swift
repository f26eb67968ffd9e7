// D4, D5, D6: cases in which memory, cache and file could become inconsistent.
import Dispatch
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("D4 D5 D6 · hard cases")
struct HardCasesTests {
  private static let trump = MergePolicy.mergeByPropertyObjectTrump

  @Test("An object shows new values after its row was overwritten by an object that nobody holds", .tags(.d5))
  func unheldUpsert() throws {
    let stack = try TestStack()
    let (view, importer) = (stack.context(Self.trump), stack.context(Self.trump))
    let news = Lock<[ContextNotification]>([])
    let observation = importer.observe(.didSave) { notification in news.withLock { $0.append(notification) } }
    try view.performAndWait { () throws in
      let shown = try Quake.insert("a", 1, into: view)
      try view.save()
      try importer.performAndWait { () throws in
        try Quake.insert("a", 7, into: importer)
        try importer.save()
      }
      for notification in news.withLock({ $0 }) { try view.mergeChanges(fromContextDidSave: notification) }
      #expect(shown[Quake.magnitude] == 7)
      // The same within one context: the older object represents the row.
      try Quake.insert("a", 9, into: view)
      try view.save()
      #expect(shown[Quake.magnitude] == 9 && !shown.isDeleted)
    }
    withExtendedLifetime(observation) {}
  }

  @Test("A new object that takes over a changed object's row represents it afterwards", .tags(.d5))
  func updateAndUpsert() throws {
    let stack = try TestStack()
    let context = stack.context(Self.trump)
    try context.performAndWait { () throws in
      let old = try Quake.insert("a", 1, into: context)
      try context.save()
      old[Quake.magnitude] = 2
      let new = try Quake.insert("a", 9, into: context)
      try context.save()
      #expect(old.isDeleted && !new.isDeleted)
      try context.refresh(new, mergeChanges: false)
      #expect(new[Quake.magnitude] == 9)
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, Z_OPT FROM ZQUAKE") == ["9.0|3"])
  }

  @Test(
    "Unique values may move from object to object, and be swapped, within one save", .tags(.d5),
    arguments: [
      MergePolicy.error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump,
    ])
  func movingValues(policy: MergePolicy) throws {
    let stack = try TestStack()
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let first = try Quake.insert("a", into: context)
      let second = try Quake.insert("b", into: context)
      try context.save()
      first[Quake.code] = "b"
      second[Quake.code] = "c"
      try context.save()
      first[Quake.code] = "c"
      second[Quake.code] = "b"
      try context.save()
      #expect(!first.isDeleted && !second.isDeleted)
    }
    #expect(try stack.rows("SELECT ZCODE, Z_OPT FROM ZQUAKE ORDER BY Z_PK") == ["c|3", "b|3"])
  }
}

extension HardCasesTests {
  @Test("A fault whose row cannot be read at the moment is not treated as deleted", .tags(.d4))
  func busyFault() throws {
    let stack = try TestStack()
    let path = stack.directory.appending(path: "busy.sqlite").path
    let coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    var description = PersistentStoreDescription(path: path)
    description.pragmas = [.init("journal_mode", "delete")]
    description.busyTimeout = 20
    try coordinator.addPersistentStore(description)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let objectID = try Quake.insert("a", 1, into: context).objectID
      #expect(objectID.isTemporaryID)
      try context.save()
      let stored = try context.fetch(FetchRequest(entityName: "Quake")).objectIDs[0]
      context.reset()
      let quake = try context.object(with: stored)
      let other = try Connection(path: path, access: .readWrite)
      try other.begin(.exclusive)
      #expect(quake[Quake.magnitude] == nil && !quake.isDeleted)
      #expect(storeError { () throws(ObjectGraphError) in try context.delete(quake) }?.code == .busy)
      try other.commit()
      #expect(quake[Quake.magnitude] == 1)
      quake[Quake.magnitude] = 6
      try context.save()
      #expect(try other.scalar("SELECT ZMAGNITUDE FROM ZQUAKE") == 6)
    }
    try coordinator.close()
  }

  @Test("After a conflict, refreshing shows the database's row, and the next save succeeds", .tags(.d5))
  func refreshAfterConflict() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 3, Z_OPT = 2")
      quake[Quake.place] = "mine"
      #expect(throws: ObjectGraphError.self) { try context.save() }
      try context.refresh(quake, mergeChanges: true)
      #expect(quake[Quake.magnitude] == 3 && quake[Quake.place] == "mine")
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, ZPLACE, Z_OPT FROM ZQUAKE") == ["3.0|mine|3"])
  }

  @Test("A change made after a deletion is rolled back with it; refreshing does not undelete", .tags(.d4))
  func deletedThenChanged() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      try context.delete(quake)
      try context.refresh(quake, mergeChanges: true)
      #expect(context.deletedObjects.count == 1)
      quake[Quake.magnitude] = 5
      context.rollback()
      #expect(quake[Quake.magnitude] == 1)
      quake[Quake.place] = "here"
      try context.save()
      let (other, objectID) = (stack.context(), quake.objectID)
      #expect(try other.performAndWait { try other.object(with: objectID)[Quake.magnitude] } == 1)
    }
  }

  @Test("IDs of another store, or of another model, are refused and have no effect", .tags(.d4))
  func foreignIDs() throws {
    let (mine, theirs) = (try TestStack(), try TestStack())
    let larger = try TestStack([
      EntityDescription("Alpha", attributes: [AttributeDescription("code", .string)]), .quake(),
    ])
    func save(_ code: String, in stack: TestStack) throws -> ManagedObjectID {
      let context = stack.context()
      return try context.performAndWait { () throws in
        let quake = try Quake.insert(code, 2, into: context)
        try context.save()
        return quake.objectID
      }
    }
    let foreign = [try save("theirs", in: theirs), try save("larger", in: larger)]
    _ = try save("mine", in: mine)
    let context = mine.context()
    try context.performAndWait { () throws in
      for objectID in foreign {
        #expect(throws: ObjectGraphError.foreignObject(objectID)) { try context.existingObject(with: objectID) }
      }
      #expect(throws: ObjectGraphError.foreignObject(foreign[1])) { try context.object(with: foreign[1]) }
      let quake = try context.object(with: foreign[0])
      quake[Quake.magnitude] = 99
      #expect(throws: ObjectGraphError.self) { try context.save() }
    }
    #expect(try mine.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE") == ["mine|2.0"])
  }
}

extension HardCasesTests {
  @Test("Objects that a custom policy changes must still obey the model's rules", .tags(.d5))
  func invalidResolution() throws {
    let stack = try TestStack()
    let context = stack.context(MergePolicy(mergeType: .objectTrump) { _ in .values(["code": .null]) })
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      try stack.execute("UPDATE ZQUAKE SET Z_OPT = 2")
      quake[Quake.magnitude] = 3
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      guard case .validation? = error else { throw try #require(error) }
      #expect(quake[Quake.code] == "a" && quake[Quake.magnitude] == 3)
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["a"])
  }

  @Test("Several coordinators may create the same new file at once", .tags(.d6))
  func concurrentCreation() throws {
    for _ in 0..<5 {
      let stack = try TestStack()
      let path = stack.directory.appending(path: "new.sqlite").path
      let model = stack.coordinator.managedObjectModel
      let errors = Lock<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        do {
          try coordinator.addPersistentStore(PersistentStoreDescription(path: path))
          try coordinator.close()
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
      #expect(errors.withLock { $0 } == [])
    }
  }

  @Test("A store without the constraint, or with another type, is of another model", .tags(.d1))
  func otherShape() throws {
    let stack = try TestStack([.quake(unique: false)])
    try stack.coordinator.close()
    var other = EntityDescription.quake(unique: true)
    other.attributes[1].type = .string
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [other]))
    let error = #expect(throws: ObjectGraphError.self) { try coordinator.addPersistentStore(stack.description()) }
    guard case .incompatibleModel(_, let differences)? = error else { throw try #require(error) }
    #expect(
      differences.map(\.description) == [
        "Quake: found the column ZMAGNITUDE FLOAT; expected ZMAGNITUDE VARCHAR, the uniqueness constraint "
          + "Z_Quake_UNIQUE_code"
      ])
    #expect(throws: ObjectGraphError.self) {
      try coordinator.addPersistentStore(PersistentStoreDescription(path: ":memory:"))
    }
  }
}

extension HardCasesTests {
  @Test("A fault found by a fetch shows the fetched row", .tags(.d4))
  func faultFound() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      try context.refresh(quake, mergeChanges: false)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 8, Z_OPT = 2")
      let found = try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.magnitude > 5))
      #expect(found.count == 1 && found[0] === quake && quake[Quake.magnitude] == 8)
    }
  }

  @Test("Transient values stay in their context, and NaN is stored as null", .tags(.d1))
  func transientAndNaN() throws {
    let stack = try TestStack([
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("size", .double),
          AttributeDescription("note", .string, isOptional: true, isTransient: true),
        ])
    ])
    let (mine, other) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let item = try mine.insertNewObject(forEntityName: "Item")
      item["size"] = .real(.nan)
      item["note"] = "mine"
      #expect(throws: ObjectGraphError.self) { try mine.save() }
      item["size"] = 1.5
      try mine.save()
      #expect(item["note"] == "mine")
      let objectID = item.objectID
      #expect(try other.performAndWait { try other.object(with: objectID)["note"] } == .null)
      #expect(throws: ObjectGraphError.missingValue(entity: "Item", key: "size", row: 1)) {
        try mine.execute(BatchInsertRequest(entityName: "Item", objects: [["size": .real(.nan)]]))
      }
    }
  }

  final class StampedQuake: ManagedObject {
    override func willSave() { try? setPrimitiveValue("stamped", forKey: "place") }
  }

  @Test(
    "A batch handler gets an object of the entity's class; primitive values set in will-save are stored", .tags(.d5))
  func classes() throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": StampedQuake.self])
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      var isOffered = false
      try context.execute(
        BatchInsertRequest(entityName: "Quake") { (object: ManagedObject) in
          if isOffered { return true }
          isOffered = true
          #expect(object is StampedQuake)
          object[Quake.code] = "a"
          object[Quake.time] = Date(timeIntervalSinceReferenceDate: 1)
          return false
        })
      let quake = try context.fetch(FetchRequest(entityName: "Quake"))[0]
      quake[Quake.magnitude] = 4
      try context.save()
      #expect(quake[Quake.place] == "stamped")
    }
    #expect(try stack.rows("SELECT ZPLACE FROM ZQUAKE") == ["stamped"])
    try coordinator.close()
  }

  @Test("Closing a store from its own handler is refused, and the store stays open", .tags(.d2))
  func closeInHandler() async throws {
    let stack = try TestStack {
      $0.postsRemoteChanges = true
      $0.remoteChangeInterval = 0.005
    }
    let commits = Lock(0)
    let observation = stack.coordinator.observeRemoteChanges { _ in commits.withLock { $0 += 1 } }
    defer { observation.cancel() }
    let context = stack.context()
    try context.performAndWait { () throws in
      var error: ObjectGraphError?
      try context.execute(
        BatchInsertRequest(entityName: "Quake") { (values: inout [String: AttributeValue]) in
          if error != nil { return true }
          do throws(ObjectGraphError) { try stack.coordinator.close() } catch let refused { error = refused }
          values = Quake.row("a")
          return false
        })
      #expect(error == .reentrantRequest)
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 1)
    }
    // It has not ended either: the insert's commit is reported.
    for _ in 0..<1_000 where commits.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(commits.withLock { $0 } > 0)
  }

  @Test(
    "Closing a store from a function that reads one of its generations is refused, and it stays open", .tags(.d2, .d7))
  func closeInRowHandler() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let coordinator = stack.coordinator
    let store = try #require(coordinator.persistentStores.first)
    try await context.perform {
      try Quake.insert("a", into: context)
      try context.save()
      try context.setQueryGeneration(from: .current)
    }
    let errors = Lock<[ObjectGraphError?]>([])
    let count: Int? = try await withCheckedThrowingContinuation { continuation in
      context.perform(later: {
        let request = AsynchronousFetchRequest(
          FetchRequest(entityName: "Quake"),
          rowHandler: { _ in
            let error = objectGraphError { try coordinator.remove(store) }
            errors.withLock { $0.append(error) }
          }, completion: { result in continuation.resume(returning: result.finalResult?.count) })
        do { try context.execute(request) } catch { continuation.resume(throwing: error) }
      })
    }
    #expect(errors.withLock { $0 } == [.reentrantRequest] && count == 1)
    let other = stack.context()
    try await other.perform {
      try Quake.insert("b", into: other)
      try other.save()
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY 1") == ["a", "b"])
  }
}
