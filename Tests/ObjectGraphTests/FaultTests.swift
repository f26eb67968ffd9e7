// D4: faults, the row cache, staleness, refreshing, rolling back.
internal import CoreDataModel
import Foundation
import ObjectGraph
import Testing

@Suite("D4 · faults and the row cache")
struct FaultTests {
  private func stackWithOne() throws -> (stack: TestStack, objectID: ManagedObjectID) {
    let stack = try TestStack()
    let context = stack.context()
    var request = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a", 1)])
    request.resultType = .objectIDs
    guard case .objectIDs(let objectIDs) = try context.performAndWait({ try context.execute(request) }) else {
      throw TestFailure("no object IDs")
    }
    return (stack, objectIDs[0])
  }

  @Test("An object by ID is a fault that reads its row when it is looked at", .tags(.d4))
  func byID() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.object(with: objectID)
      let again = try context.object(with: objectID)
      #expect(quake.isFault && again === quake)
      #expect(quake[Quake.magnitude] == 1 && !quake.isFault)
      #expect(try context.existingObject(with: objectID) === quake)
      #expect(try context.fetch(FetchRequest(entityName: "Quake"))[0] === quake)
    }
  }

  @Test("A row that is gone: a fault is empty and deleted, asking for it is an error", .tags(.d4))
  func goneRow() throws {
    let (stack, objectID) = try stackWithOne()
    try stack.execute("DELETE FROM ZQUAKE")
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.object(with: objectID)
      #expect(quake[Quake.code] == nil && quake.isDeleted)
      #expect(throws: ObjectGraphError.missingObject(objectID)) { try quake.value(forKey: "code") }
      context.reset()
      #expect(throws: ObjectGraphError.missingObject(objectID)) { try context.existingObject(with: objectID) }
    }
  }

  @Test("Refreshing reads the cache while it may be stale, and the store when it may not", .tags(.d4))
  func staleness() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.existingObject(with: objectID)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2")
      try context.refresh(quake, mergeChanges: false)
      #expect(quake.isFault)
      #expect(quake[Quake.magnitude] == 1, "the row cache answers")
      context.stalenessInterval = 0
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 2, "no cached row is young enough")
      quake[Quake.magnitude] = 3
      try context.save()
      #expect(try stack.rows("SELECT Z_OPT, ZMAGNITUDE FROM ZQUAKE") == ["3|3.0"])
    }
  }

  @Test("A staleness interval above 0 lets the cache answer for so long, and no longer", .tags(.d4))
  func positiveStaleness() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.existingObject(with: objectID)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2")
      context.stalenessInterval = 3_600
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 1, "the cached row is young enough")
      context.stalenessInterval = 1e-9
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 2, "every cached row is older")
    }
  }

  @Test("Refreshing keeps unsaved changes on top of the new row, or drops them", .tags(.d4))
  func refreshing() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      context.stalenessInterval = 0
      let quake = try context.existingObject(with: objectID)
      quake[Quake.place] = "Mine"
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, ZPLACE = 'Theirs', Z_OPT = 2")
      try context.refresh(quake, mergeChanges: true)
      #expect(quake[Quake.magnitude] == 2 && quake[Quake.place] == "Mine")
      #expect(quake.changedValues() == ["place": "Mine"])
      #expect(quake.committedValues(forKeys: ["place", "none"]) == ["place": "Theirs"])
      try context.refreshAllObjects()
      #expect(quake[Quake.place] == "Mine" && context.hasChanges)
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.place] == "Theirs" && !context.hasChanges)
      try context.save()
      #expect(try stack.rows("SELECT Z_OPT FROM ZQUAKE") == ["2"])
    }
  }

  @Test("Refreshing all objects leaves deletions to be saved", .tags(.d4))
  func refreshingDeletions() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.existingObject(with: objectID)
      try context.delete(quake)
      try context.refreshAllObjects()
      #expect(quake.isDeleted && !quake.isFault)
      try context.save()
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
  }

  @Test("An ID of another model's entity names no object here, even at the same place", .tags(.d4))
  func foreignEntity() throws {
    let (stack, objectID) = try stackWithOne()
    let library = try Library.stack()
    let context = library.context()
    context.performAndWait {
      #expect(throws: ObjectGraphError.foreignObject(objectID)) { try context.existingObject(with: objectID) }
    }
    withExtendedLifetime(stack) {}
  }

  @Test("Rolling back forgets new objects, restores changed ones, and lets deleted ones live", .tags(.d4))
  func rollback() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.existingObject(with: objectID)
      let second = try Quake.insert("b", into: context)
      try context.save()
      let new = try Quake.insert("c", into: context)
      quake[Quake.magnitude] = 9
      try context.delete(second)
      context.rollback()
      #expect(!context.hasChanges && new.isDeleted && !second.isDeleted)
      #expect(quake[Quake.magnitude] == 1 && quake.changedValues().isEmpty)
      quake[Quake.magnitude] = 8
      try context.save()
      #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY Z_PK") == ["a|8.0", "b|1.0"])
    }
  }

  @Test("A primitive value is no change", .tags(.d4))
  func primitive() throws {
    let (stack, objectID) = try stackWithOne()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.existingObject(with: objectID)
      try quake.setPrimitiveValue(7.0, forKey: "magnitude")
      #expect(quake[Quake.magnitude] == 7 && !context.hasChanges)
      #expect(throws: ObjectGraphError.self) { try quake.setPrimitiveValue("x", forKey: "magnitude") }
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["1.0"])
  }

  @Test("Objects nobody holds are let go after a save, with their cached rows", .tags(.d4))
  func lettingGo() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in 0..<100 { try Quake.insert("q\(number)", into: context) }
      let held = try Quake.insert("held", into: context)
      try context.save()
      #expect(context.registeredObjects.count == 1 && context.registeredObjects[0] === held)
    }
  }
}
