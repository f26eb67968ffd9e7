// D5: changes by observers during a context's save are processed and validated like all others.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

extension SavePipelineTests {
  /// A context that calls the body with each notification of changes, on its queue.
  private func watched(
    _ entities: [EntityDescription], by body: @escaping @Sendable (ManagedObjectContext, ContextNotification) -> Void
  ) throws -> (stack: TestStack, context: ManagedObjectContext, observation: ContextObservation) {
    let stack = try TestStack(entities)
    let context = stack.context()
    let observation = context.observe(.objectsDidChange) { [weak context] news in
      if let context { body(context, news) }
    }
    return (stack, context, observation)
  }

  @Test("A required object that an observer deletes during a save fails the save", .tags(.d5, .d13))
  func observerDeletesRequired() throws {
    let entities = [
      EntityDescription(
        "Region", relationships: [RelationshipDescription("quakes", to: "Shock", inverse: "region", isToMany: true)]),
      EntityDescription(
        "Shock",
        relationships: [RelationshipDescription("region", to: "Region", inverse: "quakes", isOptional: false)]),
    ]
    let (stack, context, observation) = try watched(entities) { context, _ in
      for region in context.insertedObjects where region.entity.name == "Region" { try? context.delete(region) }
    }
    defer { observation.cancel() }
    try context.performAndWait { () throws in
      let shock = try context.insertNewObject(forEntityName: "Shock")
      try shock.setObject(try context.insertNewObject(forEntityName: "Region"), forKey: "region")
      let found = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(found.map(\.errorCode) == [1570] && found.map(\.objectID) == [shock.objectID])
      #expect(context.insertedObjects == [shock])
    }
    #expect(try stack.rows("SELECT count(*) FROM ZSHOCK") == ["0"])
  }

  @Test("An object that an observer deletes during a save is deleted with its cascade", .tags(.d5, .d13))
  func observerDeletesCascade() throws {
    let entities = [
      EntityDescription(
        "Message", attributes: [AttributeDescription("text", .string, isOptional: true)],
        relationships: [RelationshipDescription("attachment", to: "Attachment", inverse: nil, deleteRule: .cascade)]),
      EntityDescription("Attachment", attributes: [AttributeDescription("name", .string, isOptional: true)]),
    ]
    let (stack, context, observation) = try watched(entities) { context, _ in
      for message in context.updatedObjects where message["text"] == "spam" { try? context.delete(message) }
    }
    defer { observation.cancel() }
    try context.performAndWait { () throws in
      let message = try context.insertNewObject(forEntityName: "Message")
      try message.setObject(try context.insertNewObject(forEntityName: "Attachment"), forKey: "attachment")
      try context.save()
      message["text"] = "spam"
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.rows("SELECT (SELECT count(*) FROM ZMESSAGE), (SELECT count(*) FROM ZATTACHMENT)") == ["0|0"])
  }

  @Test("A new object that an observer deletes during a save is not stored", .tags(.d5))
  func observerDeletesNew() throws {
    let (stack, context, observation) = try watched([.quake()]) { context, _ in
      // This is the second notification, after the objects' will-save.
      for quake in context.insertedObjects where quake[Quake.code] == "b" { try? context.delete(quake) }
      for quake in context.insertedObjects where quake[Quake.code] == "a" { quake[Quake.code] = "b" }
    }
    defer { observation.cancel() }
    try context.performAndWait { () throws in
      let doomed = try Quake.insert("a", into: context)
      try Quake.insert("c", into: context)
      try context.save()
      #expect(doomed.managedObjectContext == nil && !context.hasChanges)
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["c"])
  }

  @Test("Values that an observer sets with each notification are validated each time, and observed", .tags(.d1, .d5))
  func observerChanges() throws {
    var edits = AttributeDescription("edits", .int64, isOptional: true)
    edits.validationRules = [.range(minimum: nil, maximum: 2)]
    let entities = [EntityDescription("Draft", attributes: [edits, AttributeDescription("title", .string)])]
    let inserts = Lock(false)
    let (stack, context, observation) = try watched(entities) { context, _ in
      guard let draft = context.insertedObjects.first, case .integer(let count) = draft["edits"] else { return }
      if !inserts.withLock({ $0 }) {
        draft["edits"] = .integer(count + 1)
      } else if count < 2 {
        draft["edits"] = .integer(count + 1)
      } else if context.insertedObjects.count == 1 {
        // It lacks the required title.
        _ = try? context.insertNewObject(forEntityName: "Draft")
      }
    }
    defer { observation.cancel() }
    try context.performAndWait { () throws in
      func found() throws -> [Int] {
        let draft = try context.insertNewObject(forEntityName: "Draft")
        draft["title"] = "first"
        draft["edits"] = 0
        defer { context.rollback() }
        return failures { () throws(ObjectGraphError) in try context.save() }.map(\.errorCode)
      }
      #expect(try found() == [1610])
      inserts.withLock { $0 = true }
      #expect(try found() == [1570])
    }
    #expect(try stack.rows("SELECT count(*) FROM ZDRAFT") == ["0"])
  }

  @Test("An observer that always changes something ends the save with an error", .tags(.d5))
  func endlessObserver() throws {
    let (stack, context, observation) = try watched([.quake()]) { context, _ in
      guard let quake = context.insertedObjects.first else { return }
      quake[Quake.magnitude] = (quake[Quake.magnitude] ?? 0) + 1
    }
    try context.performAndWait { () throws in
      try Quake.insert("a", into: context)
      #expect(throws: ObjectGraphError.endlessWillSave(rounds: 1_000)) { try context.save() }
      observation.cancel()
      try context.save()
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["1"])
  }
}
