// D4: faults, the row cache, staleness, refreshing, rolling back.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
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

  @Test("An object by ID is a fault that reads its row on first use", .tags(.d4))
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

  /// A hundred quakes, and the SELECTs of their context.
  private func counted(
    _ body: (ManagedObjectContext, [ManagedObjectID], _ statementCount: () -> Int) throws -> Void
  ) throws {
    let statements = Lock<Int>(0)
    let stack = try TestStack([.quake()]) { description in
      description.sqlTrace = SQLTrace { line in
        if line.contains("sql: SELECT") { statements.withLock { $0 += 1 } }
      }
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      let rows = (0..<100).map { Quake.row("q\($0)", Double($0)) }
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows))
      let objectIDs = try context.fetchObjectIDs(FetchRequest(entityName: "Quake"))
      statements.withLock { $0 = 0 }
      try body(context, objectIDs) {
        statements.withLock { statements in
          defer { statements = 0 }
          return statements
        }
      }
    }
  }

  @Test("A fetch whose result is discarded fills the faults of its rows with one statement", .tags(.d3, .d4))
  func batchFaulting() throws {
    try counted { context, objectIDs, statementCount in
      let quakes = try objectIDs.map { try context.object(with: $0) }
      #expect(quakes.allSatisfy(\.isFault) && statementCount() == 0)
      let some = try FetchPredicate(format: "SELF IN %@", Array(objectIDs.prefix(40)))
      _ = try context.fetch(FetchRequest(entityName: "Quake", predicate: some))
      #expect(quakes.map(\.isFault) == (0..<100).map { $0 >= 40 } && statementCount() == 1)
      _ = try context.fetch(
        FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: "SELF IN %@", quakes)))
      #expect(quakes.map { $0[Quake.magnitude] } == (0..<100).map(Double.init) && statementCount() == 1)
      // Objects that have become faults since then, with unsaved changes next to them.
      context.stalenessInterval = 0
      try context.refreshAllObjects()
      try Quake.insert("new", into: context)
      quakes[7][Quake.place] = "There"
      #expect(quakes.count(where: \.isFault) == 99 && statementCount() == 1)
      _ = try context.fetch(FetchRequest(entityName: "Quake"))
      #expect(quakes[7][Quake.place] == "There" && quakes.allSatisfy { !$0.isFault } && statementCount() == 1)
    }
  }

  @Test("Batches and asynchronous fetches fill the faults of the rows that they read", .tags(.d3, .d4))
  func batchFaultingByBatches() throws {
    try counted { context, objectIDs, statementCount in
      let quakes = try objectIDs.map { try context.object(with: $0) }
      var request = FetchRequest(entityName: "Quake")
      request.fetchBatchSize = 30
      let found = try context.fetch(request)
      #expect(found[35] === quakes[35] && statementCount() == 2)
      #expect(quakes.map(\.isFault) == (0..<100).map { !(30..<60).contains($0) })
      request.includesPropertyValues = false
      #expect(try context.fetch(request)[5].isFault, "no row is read")
    }
  }
}

extension FaultTests {
  @Test("A fault that was changed after the fetch of its result reads the current row", .tags(.d3, .d4))
  func changedSinceTheFetch() throws {
    let (stack, objectID) = try stackWithOne()
    let (mine, other) = (stack.context(), stack.context())
    try mine.performAndWait { () throws in
      let quakes = try mine.fetch(FetchRequest(entityName: "Quake"))
      let quake = try mine.object(with: objectID)
      let changes = try other.performAndWait { () throws in
        let quake = try other.existingObject(with: objectID)
        quake[Quake.magnitude] = 8
        try other.save()
        return ChangedObjectIDs(updated: [objectID])
      }
      try mine.mergeChanges(fromContextDidSave: changes)
      #expect(quakes[0] === quake && quake[Quake.magnitude] == 8)
    }
  }

  @Test("A fault whose row is deleted is empty and deleted, and reading it is an error", .tags(.d4))
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

  @Test("Refreshing reads the cache while it is fresh enough, and otherwise the store", .tags(.d4))
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
}

extension FaultTests {
  @Test("A staleness interval above 0 allows the cache for that time, and no longer", .tags(.d4))
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

  @Test("An object of another context is not refreshed", .tags(.d4))
  func refreshingForeign() throws {
    let (stack, objectID) = try stackWithOne()
    let (context, other) = (stack.context(), stack.context())
    try other.performAndWait { () throws in
      let quake = try other.existingObject(with: objectID)
      try context.performAndWait { () throws in
        for mergeChanges in [true, false] {
          #expect(throws: ObjectGraphError.foreignObject(objectID)) {
            try context.refresh(quake, mergeChanges: mergeChanges)
          }
        }
      }
      #expect(!quake.isFault)
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
}

extension FaultTests {
  @Test("An ID of another model's entity names no object here, even with the same entity number", .tags(.d4))
  func foreignEntity() throws {
    let (stack, objectID) = try stackWithOne()
    let library = try Library.stack()
    let context = library.context()
    context.performAndWait {
      #expect(throws: ObjectGraphError.foreignObject(objectID)) { try context.existingObject(with: objectID) }
    }
    withExtendedLifetime(stack) {}
  }

  @Test("Rolling back discards new objects, restores changed ones, and undoes deletions", .tags(.d4))
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

  @Test("Setting a primitive value is not a change", .tags(.d4))
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

  @Test("Objects without other references are released after a save, with their cached rows", .tags(.d4))
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
