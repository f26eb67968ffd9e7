// D2, D6: two coordinators on one file: an object ID of one identifies the row for the other.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D2 D6 · object IDs of another coordinator", .tags(.d2, .d6))
struct SecondCoordinatorTests {
  private static let note = EntityDescription("Note", attributes: [.init("text", .string)])

  /// A store with the quakes a, b and c, one of its contexts, and a context of a second coordinator for the same file.
  private func twoCoordinators(
    _ body: (TestStack, _ first: ManagedObjectContext, _ second: ManagedObjectContext, [ManagedObjectID]) throws -> Void
  ) throws {
    let stack = try TestStack([.quake(), Self.note])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    try coordinator.addPersistentStore(stack.description())
    let (first, second) = (stack.context(), ManagedObjectContext(coordinator: coordinator))
    let objectIDs = try first.performAndWait { () throws in
      let quakes = try ["a", "b", "c"].map { try Quake.insert($0, into: first) }
      try first.save()
      return quakes.map(\.objectID)
    }
    try body(stack, first, second, objectIDs)
    try coordinator.close()
  }

  @Test("An ID that another coordinator made finds the object, equals its own ID, and works in predicates")
  func found() throws {
    try twoCoordinators { _, _, second, objectIDs in
      try second.performAndWait { () throws in
        let quake = try second.existingObject(with: objectIDs[1])
        #expect(quake[Quake.code] == "b" && quake.objectID == objectIDs[1] && quake.objectID != objectIDs[0])
        #expect(Set([quake.objectID]).contains(objectIDs[1]))
        #expect(try second.object(with: objectIDs[1]) === quake && second.registeredObject(for: objectIDs[1]) === quake)
        let fault = try second.object(with: objectIDs[2])
        #expect(fault.isFault && fault[Quake.code] == "c")
        #expect(
          second.persistentStoreCoordinator.persistentStore(for: objectIDs[0])?.path
            == quake.objectID.persistentStore?.path)
        let request = FetchRequest(
          entityName: "Quake", predicate: try FetchPredicate(format: "SELF IN %@", Array(objectIDs.prefix(2))))
        #expect(try second.fetch(request).map { $0[Quake.code] } == ["a", "b"])
        // The same in memory as in SQL.
        quake[Quake.magnitude] = 7
        #expect(try second.fetch(request).map { $0[Quake.code] } == ["a", "b"])
        try second.save()
      }
    }
  }

  @Test("Another coordinator's changes are merged, and its rows deleted, by its IDs")
  func mergedAndDeleted() throws {
    try twoCoordinators { stack, first, second, objectIDs in
      try first.performAndWait { () throws in
        let quakes = try objectIDs.map { try first.existingObject(with: $0) }
        let changes = try second.performAndWait { () throws in
          let quake = try second.existingObject(with: objectIDs[0])
          quake[Quake.magnitude] = 7
          try second.save()
          var request = BatchDeleteRequest(objectIDs: [objectIDs[2]])
          request.resultType = .objectIDs
          guard case .objectIDs(let deleted) = try second.execute(request) else { throw TestFailure("no IDs") }
          #expect(deleted == [objectIDs[2]])
          return ChangedObjectIDs(updated: [quake.objectID], deleted: deleted)
        }
        #expect(quakes.map { $0[Quake.magnitude] } == [1, 1, 1], "not merged yet")
        try first.mergeChanges(fromContextDidSave: changes)
        #expect(quakes[0][Quake.magnitude] == 7 && quakes[2].isDeleted && !quakes[1].isDeleted)
      }
      #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY ZCODE") == ["a", "b"])
    }
  }

  @Test("An ID finds its row even if the entity's number differs; an ID of an unknown entity is refused")
  func otherModel() throws {
    try twoCoordinators { stack, first, _, objectIDs in
      let mine = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [.quake()]))
      #expect(mine.managedObjectModel.number(of: "Quake") == 1)
      #expect(stack.coordinator.managedObjectModel.number(of: "Quake") == 2)
      var description = stack.description()
      description.isReadOnly = true
      try mine.addPersistentStore(description)
      let context = ManagedObjectContext(coordinator: mine)
      let noteID = try first.performAndWait { () throws in
        let note = try first.insertNewObject(forEntityName: "Note")
        note["text"] = "n"
        let temporary = note.objectID
        #expect(temporary != objectIDs[0] && temporary == temporary)
        try first.save()
        return note.objectID
      }
      try context.performAndWait { () throws in
        #expect(try context.existingObject(with: objectIDs[0])[Quake.code] == "a")
        let predicate = try FetchPredicate(format: "objectID == %@", objectIDs[1])
        #expect(try context.count(for: FetchRequest(entityName: "Quake", predicate: predicate)) == 1)
        #expect(throws: ObjectGraphError.foreignObject(noteID)) { try context.object(with: noteID) }
      }
      try mine.close()
    }
  }

  @Test("IDs stay valid when the store is closed and opened again")
  func reopened() throws {
    try twoCoordinators { stack, _, _, objectIDs in
      try stack.coordinator.close()
      try stack.coordinator.addPersistentStore(stack.description())
      let context = stack.context()
      try context.performAndWait { () throws in
        #expect(try objectIDs.map { try context.existingObject(with: $0)[Quake.code] } == ["a", "b", "c"])
      }
    }
  }
}
