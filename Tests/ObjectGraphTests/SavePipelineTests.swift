// D5: the order of a save, its callbacks and notifications, and that a failed save loses nothing.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D5 · the save pipeline")
struct SavePipelineTests {
  /// A quake that records its callbacks and stamps itself.
  final class StampedQuake: ManagedObject {
    var calls: [String] = []
    var refusal: String?
    var keepsWriting = false

    override func awakeFromInsert() {
      calls.append("awakeFromInsert")
      self[Quake.time] = Date(timeIntervalSinceReferenceDate: 1)
    }
    override func awakeFromFetch() { calls.append("awakeFromFetch") }
    override func willSave() {
      calls.append("willSave")
      if keepsWriting { self[Quake.magnitude] = (self[Quake.magnitude] ?? 0) + 1 }
      if !isDeleted, self[Quake.place] != "stamped" { self[Quake.place] = "stamped" }
    }
    override func didSave() { calls.append("didSave") }
    override func prepareForDeletion() { calls.append("prepareForDeletion") }
    override func validateForInsert() throws {
      calls.append("validateForInsert")
      if let refusal { throw TestFailure(refusal) }
      try super.validateForInsert()
    }
    override func validateForUpdate() throws {
      calls.append("validateForUpdate")
      try super.validateForUpdate()
    }
    override func validateForDelete() throws {
      calls.append("validateForDelete")
      if let refusal { throw TestFailure(refusal) }
    }
  }

  final class StageList: SaveTracer {
    private let seen = Lock<[String]>([])
    var stages: [String] { seen.withLock { $0 } }
    func began(_ stage: SaveStage) { seen.withLock { $0.append(stage.rawValue) } }
    func ended(isStored: Bool) { seen.withLock { $0.append(isStored ? "stored" : "failed") } }
  }

  private func scene() throws -> (
    stack: TestStack, coordinator: PersistentStoreCoordinator, context: ManagedObjectContext
  ) {
    let stack = try TestStack()
    try stack.coordinator.close()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": StampedQuake.self])
    try coordinator.addPersistentStore(stack.description())
    return (stack, coordinator, ManagedObjectContext(coordinator: coordinator))
  }

  private func insert(_ code: String?, into context: ManagedObjectContext) throws -> StampedQuake {
    let quake = try #require(try context.insertNewObject(forEntityName: "Quake") as? StampedQuake)
    quake[Quake.code] = code
    return quake
  }

  @Test("An object's callbacks come in order, and what will-save sets is stored", .tags(.d5))
  func callbacks() throws {
    let (stack, coordinator, context) = try scene()
    try context.performAndWait { () throws in
      let quake = try insert("a", into: context)
      try context.save()
      // The second call sees the result of the first one.
      #expect(quake.calls == ["awakeFromInsert", "willSave", "willSave", "validateForInsert", "didSave"])
      quake.calls = []
      quake[Quake.magnitude] = 2
      try context.save()
      #expect(quake.calls == ["willSave", "validateForUpdate", "didSave"])
      quake.calls = []
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.place] == "stamped" && quake.calls == ["awakeFromFetch"])
      quake.calls = []
      try context.delete(quake)
      try context.save()
      #expect(quake.calls == ["prepareForDeletion", "willSave", "validateForDelete", "didSave"])
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
    try coordinator.close()
  }

  @Test("A save passes its stages in order; a failed save ends with the stage that failed", .tags(.d5))
  func stages() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let nameless = try Quake.insert(nil, into: context)
      let failed = StageList()
      #expect(throws: ObjectGraphError.self) { try context.save(tracer: failed) }
      #expect(
        failed.stages == ["willSaveNotification", "pendingChanges", "willSaveCallbacks", "validation", "failed"])
      nameless[Quake.code] = "a"
      let stored = StageList()
      try context.save(tracer: stored)
      #expect(
        stored.stages == [
          "willSaveNotification", "pendingChanges", "willSaveCallbacks", "validation", "conflictsWithCache", "request",
          "keyReservation", "insertions", "commit", "permanentIDs", "rowCache", "didSaveCallbacks",
          "didSaveNotification", "stored",
        ])
      let idle = StageList()
      try context.save(tracer: idle)
      #expect(idle.stages.isEmpty)
    }
  }

  @Test("The worked case: quakes above 2.5 are fetched, changed and saved, with every step seen", .tags(.d5))
  func workedCase() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (0..<50).map { Quake.row("q\($0)", Double($0) / 10) }))
      for quake in try context.fetch(FetchRequest(entityName: "Quake")) where (quake[Quake.magnitude] ?? 0) > 2.5 {
        quake[Quake.place] = "checked"
      }
      let changed = context.updatedObjects
      #expect(changed.count == 24)
      let tracer = StageList()
      try context.save(tracer: tracer)
      #expect(tracer.stages.first == "willSaveNotification" && tracer.stages.last == "stored")
      #expect(changed.allSatisfy { !$0.hasChanges })
    }
    #expect(try stack.rows("SELECT Z_OPT, count(*) FROM ZQUAKE GROUP BY Z_OPT") == ["1|26", "2|24"])
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE WHERE ZPLACE = 'checked' AND ZMAGNITUDE > 2.5") == ["24"])
  }

  @Test("All failures are in one error, including an object's own refusal", .tags(.d5))
  func refusals() throws {
    let (stack, coordinator, context) = try scene()
    try context.performAndWait { () throws in
      let good = try insert("good", into: context)
      try context.save()
      good.refusal = "not this one"
      try context.delete(good)
      let refused = try insert("refused", into: context)
      refused.refusal = "I am not ready"
      _ = try insert(nil, into: context)
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      guard case .validation(let failures)? = error else { throw try #require(error) }
      #expect(failures.map(\.found) == ["I am not ready", "no value", "not this one"])
      #expect(context.insertedObjects.count == 2 && context.deletedObjects.count == 1)
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["good"])
    try coordinator.close()
  }
}

extension SavePipelineTests {
  @Test("A will-save that never settles is stopped", .tags(.d5))
  func endless() throws {
    let (stack, coordinator, context) = try scene()
    try context.performAndWait { () throws in
      let quake = try insert("a", into: context)
      quake.keepsWriting = true
      #expect(throws: ObjectGraphError.endlessWillSave(rounds: 1_000)) { try context.save() }
      quake.keepsWriting = false
      try context.save()
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["1"])
    try coordinator.close()
  }

  @Test("Notifications of a save list the objects, before and after, and of changes once each", .tags(.d5))
  func notifications() throws {
    let stack = try TestStack()
    let context = stack.context()
    let news = Lock<[ContextNotification]>([])
    let observations = ContextNotification.Name.allCases.map { name in
      context.observe(name) { notification in news.withLock { $0.append(notification) } }
    }
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      let temporary = quake.objectID
      context.processPendingChanges()
      context.processPendingChanges()
      try context.save()
      quake[Quake.magnitude] = 2
      try Quake.insert("b", into: context)
      try context.save()
      try context.delete(quake)
      try context.save()
      let list = news.withLock { $0 }
      #expect(
        list.map(\.name) == [
          .objectsDidChange, .willSave, .didSave, .willSave, .objectsDidChange, .didSave, .willSave, .objectsDidChange,
          .didSave,
        ])
      #expect(list[0].inserted == [temporary])
      #expect(list[2].inserted == [quake.objectID])
      #expect(list[5].updated == [quake.objectID] && list[5].inserted.count == 1)
      #expect(list[8].deleted == [quake.objectID])
      observations[0].cancel()
      try Quake.insert("c", into: context)
      try context.save()
      #expect(news.withLock { $0.last?.name } == .didSave && news.withLock { $0.count } == 11)
    }
    withExtendedLifetime(observations) {}
  }

  @Test("Notifications can be read as an asynchronous sequence", .tags(.d5))
  func sequence() async throws {
    let stack = try TestStack()
    let context = stack.context()
    var news = context.notifications(.didSave).makeAsyncIterator()
    try await context.perform {
      try Quake.insert("a", into: context)
      try context.save()
    }
    let first = await news.next()
    #expect(first?.inserted.count == 1)
  }

  @Test("Each change is reported once, each time it is made", .tags(.d5))
  func changedAgain() throws {
    let stack = try TestStack()
    let context = stack.context()
    let news = Lock<[ContextNotification]>([])
    let observation = context.observe(.objectsDidChange) { notification in news.withLock { $0.append(notification) } }
    defer { observation.cancel() }
    func told() -> [Int] {
      context.processPendingChanges()
      return news.withLock { news in
        defer { news = [] }
        return news.flatMap { [$0.inserted.count, $0.updated.count] }
      }
    }
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      #expect(told() == [1, 0])
      #expect(told() == [])
      quake[Quake.magnitude] = 2
      quake[Quake.magnitude] = 3
      #expect(told() == [0, 1])
      try context.save()
      #expect(told() == [])
      quake[Quake.magnitude] = 4
      #expect(told() == [0, 1])
      quake[Quake.magnitude] = 5
      #expect(told() == [0, 1])
      context.rollback()
      #expect(told() == [0, 0])
      quake[Quake.magnitude] = 6
      #expect(told() == [0, 1])
    }
  }
}
