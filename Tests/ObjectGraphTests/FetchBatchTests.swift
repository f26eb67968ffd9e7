// D3 D4: object IDs, faults and batches: what a fetch reads, and results whose rows change.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@testable import ObjectGraph

@Suite("D3 D4 · reads of a fetch", .tags(.d3, .d4))
struct FetchBatchTests {
  /// A stack with rows q0, q1, … whose statements are counted.
  private struct Metered {
    let stack: TestStack
    let meter: SQLiteMeter
    let context: ManagedObjectContext

    init(rows: Int) throws {
      meter = try SQLiteMeter.attach()
      stack = try TestStack()
      let context = stack.context()
      self.context = context
      try context.performAndWait { () throws in
        try context.execute(
          BatchInsertRequest(
            entityName: "Quake",
            objects: (0..<rows).map { Quake.row("q\($0)", Double($0), place: "P\($0 % 7)") }))
        // The first reading opens a connection, which reads the version of the store's model.
        _ = try context.count(for: FetchRequest<ManagedObject>(entityName: "Quake"))
      }
    }

    /// Checks that the body ran this many statements on the store.
    func expect(
      _ statements: Int64, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
      _ body: () throws -> Void
    ) rethrows {
      let before = meter.counters(of: stack.path).statements
      try body()
      let after = meter.counters(of: stack.path).statements
      #expect(after - before == statements, comment, sourceLocation: sourceLocation)
    }
  }

  private func request(_ change: (inout FetchRequest<ManagedObject>) -> Void) -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: "Quake")
    change(&request)
    return request
  }

  @Test("Looking at every row in turn runs one statement for the keys and one per batch")
  func batches() throws {
    let metered = try Metered(rows: 95)
    let context = metered.context
    try context.performAndWait { () throws in
      let request = request {
        $0.fetchBatchSize = 20
        $0.sortDescriptors = [FetchSortDescriptor(Quake.magnitude, ascending: false)]
      }
      var results: FetchResults<ManagedObject>?
      try metered.expect(1) { results = try context.fetch(request) }
      let quakes = try #require(results)
      metered.expect(0) { #expect(quakes.count == 95 && quakes.objectIDs.count == 95) }
      metered.expect(1) { #expect(quakes[50][Quake.code] == "q44") }
      metered.expect(0) {
        let magnitudes: [Double?] = (40..<60).map { quakes[$0][Quake.magnitude] }
        let expected: [Double?] = (35...54).reversed().map { Double($0) }
        #expect(magnitudes == expected)
      }
      metered.expect(1) { #expect(quakes[0][Quake.code] == "q94" && quakes[45][Quake.code] == "q49") }
      // The context releases unused objects before it shows its objects.
      #expect(context.registeredObjects.isEmpty)
      // Batch 0 is kept; the other four are read when they are reached.
      let codes: [String] = (0..<95).reversed().map { "q\($0)" }
      metered.expect(4) { #expect(quakes.map { $0[Quake.code] ?? "" } == codes) }
      #expect(quakes.objectIDs == (0..<95).map { quakes[$0].objectID })
    }
  }

  @Test("After refreshAllObjects the rows of a result are read again, a hundred per statement")
  func readAgain() throws {
    let metered = try Metered(rows: 350)
    let context = metered.context
    try context.performAndWait { () throws in
      let quakes = try context.fetch(request { $0.sortDescriptors = [FetchSortDescriptor(Quake.magnitude)] })
      #expect(quakes[0][Quake.code] == "q0")
      try context.execute(BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "new"]))
      try context.execute(
        BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake", predicate: Quake.code == "q40")))
      try context.refreshAllObjects()
      let before = metered.meter.counters(of: metered.stack.path).statements
      var places = 0
      for quake in quakes where quake[Quake.place] == "new" { places += 1 }
      let after = metered.meter.counters(of: metered.stack.path).statements
      #expect(places == 349 && quakes[40].isDeleted)
      // The first row, four hundreds, and the deleted row.
      #expect(after - before <= 6)
      let held = quakes[60]
      held[Quake.place] = "Mine"
      try context.save()
      #expect(quakes[60] === held && quakes[61][Quake.place] == "new")
      try metered.stack.execute("UPDATE ZQUAKE SET ZPLACE = 'newer'")
      context.stalenessInterval = 0
      try context.refreshAllObjects()
      #expect(quakes[60][Quake.place] == "newer" && quakes[200][Quake.place] == "newer")
      #expect(quakes[201][Quake.place] == "newer" && quakes[40].isDeleted)
    }
  }

  @Test(
    "After refreshAllObjects partial faults and batches are read again, many per statement",
    arguments: [(0, true), (50, false), (50, true)])
  func readAgainInParts(batchSize: Int, isPartial: Bool) throws {
    let metered = try Metered(rows: 350)
    let context = metered.context
    try context.performAndWait { () throws in
      let quakes = try context.fetch(
        request {
          $0.sortDescriptors = [FetchSortDescriptor(Quake.magnitude)]
          $0.fetchBatchSize = batchSize
          if isPartial { $0.propertiesToFetch = ["place"] }
        })
      #expect(quakes.allSatisfy { $0[Quake.place] != "new" })
      try context.execute(BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "new"]))
      try context.refreshAllObjects()
      let before = metered.meter.counters(of: metered.stack.path).statements
      #expect(quakes.allSatisfy { $0[Quake.place] == "new" })
      let after = metered.meter.counters(of: metered.stack.path).statements
      // The first row and four hundreds, or seven batches.
      #expect(after - before == (batchSize == 0 ? 5 : 7))
      let held = quakes[60]
      held[Quake.place] = "Mine"
      try context.save()
      #expect(quakes[60] === held && held[Quake.place] == "Mine" && quakes[61][Quake.place] == "new")
    }
  }

  @Test("An object that is held is returned without reading")
  func registered() throws {
    let metered = try Metered(rows: 40)
    let context = metered.context
    try context.performAndWait { () throws in
      let held = Array(try context.fetch(request { $0.fetchLimit = 10 }))
      let quakes = try context.fetch(request { $0.fetchBatchSize = 10 })
      metered.expect(1, "the row after the ten") { #expect(zip(quakes, held).allSatisfy { $0 === $1 }) }
      #expect(quakes[15] !== held[0])
    }
  }

  @Test("Batches match a plain fetch for every size, order, window and unsaved change")
  func sameAsPlain() throws {
    let metered = try Metered(rows: 60)
    let context = metered.context
    try context.performAndWait { () throws in
      var changed: [ManagedObject] = []
      for round in 0..<2 {
        for size in [1, 7, 60, 1_000] {
          for ascending in [nil, true, false] as [Bool?] {
            let plain = request {
              $0.predicate = Quake.magnitude != 13
              if let ascending { $0.sortDescriptors = [FetchSortDescriptor(Quake.place, ascending: ascending)] }
              $0.fetchOffset = 3
              $0.fetchLimit = size == 7 ? 25 : 0
            }
            var batched = plain
            batched.fetchBatchSize = size
            let expected = try context.fetch(plain).map(\.objectID)
            #expect(try context.fetch(batched).map(\.objectID) == expected)
            #expect(try context.fetch(batched).objectIDs == expected)
            #expect(try context.fetchObjectIDs(plain) == expected)
            #expect(try context.count(for: batched) == expected.count)
          }
        }
        guard round == 0 else { continue }
        changed = Array(try context.fetch(request { $0.fetchLimit = 30 }))
        for (index, quake) in changed.enumerated() {
          if index % 3 == 0 { quake[Quake.place] = "P9" }
          if index % 10 == 5 { try context.delete(quake) }
        }
        for number in 0..<3 {
          let quake = try Quake.insert("new\(number)", 5, into: context)
          quake[Quake.place] = "P3"
        }
      }
      #expect(changed.count == 30)
    }
  }

  @Test("Object IDs are fetched without rows; faults read their rows on first use")
  func faults() throws {
    let metered = try Metered(rows: 5)
    let context = metered.context
    try context.performAndWait { () throws in
      let request = request {
        $0.includesPropertyValues = false
        $0.sortDescriptors = [FetchSortDescriptor(Quake.code, ascending: false)]
      }
      var results: FetchResults<ManagedObject>?
      try metered.expect(1) { results = try context.fetch(request) }
      let quakes = try #require(results)
      #expect(!quakes.contains { !$0.isFault })
      let first = quakes[0]
      metered.expect(1) { #expect(first[Quake.code] == "q4") }
      #expect(try context.fetchObjectIDs(request) == Array(quakes.objectIDs))
      try metered.stack.execute("UPDATE ZQUAKE SET ZCODE = 'x' || ZCODE")
      #expect(try context.fetchObjectIDs(request).first == quakes.objectIDs.first)
    }
  }
}

extension FetchBatchTests {
  @Test("A row that is deleted before its batch is read is an object without values, in no context")
  func deletedBeforeReading() throws {
    let metered = try Metered(rows: 30)
    let context = metered.context
    try context.performAndWait { () throws in
      let quakes = try context.fetch(request { $0.fetchBatchSize = 10 })
      #expect(quakes[0][Quake.code] == "q0")
      try metered.stack.execute("DELETE FROM ZQUAKE WHERE ZCODE IN ('q1', 'q15')")
      #expect(quakes[1][Quake.code] == "q1", "its batch was read before")
      #expect(quakes[14][Quake.code] == "q14")
      let gone = quakes[15]
      #expect(gone.isDeleted && gone.managedObjectContext == nil && gone === quakes[15])
      #expect(throws: ObjectGraphError.missingObject(gone.objectID)) { try gone.value(forKey: "code") }
      #expect(!context.registeredObjects.contains { $0 === gone })
    }
  }

  @Test("An element first used after its row was deleted is a deleted object", arguments: [0, 5])
  func noZombies(batchSize: Int) throws {
    let metered = try Metered(rows: 10)
    let (context, other) = (metered.context, metered.stack.context())
    try context.performAndWait { () throws in
      let quakes = try context.fetch(request { $0.fetchBatchSize = batchSize })
      // The batches are read before anything is deleted.
      #expect(quakes[0][Quake.code] == "q0" && quakes[5][Quake.code] == "q5")
      try context.delete(try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == "q3"))[0])
      try context.save()
      let objectID = try other.performAndWait { () throws in
        let quake = try other.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == "q7"))[0]
        try other.delete(quake)
        try other.save()
        return quake.objectID
      }
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ChangedObjectIDs(deleted: [objectID]), into: [context])
      for position in [3, 7] {
        let gone = quakes[position]
        #expect(gone.isDeleted && gone.managedObjectContext == nil && gone === quakes[position])
        #expect(gone[Quake.code] == "q\(position)", "what was fetched is still there to be shown")
        gone[Quake.place] = "Nowhere"
        #expect(throws: ObjectGraphError.deletedObject(gone.objectID)) { try context.delete(gone) }
      }
      #expect(!context.hasChanges)
      try context.save()
      #expect(quakes.filter { !$0.isDeleted }.count == 8)
      #expect(try metered.stack.rows("SELECT count(*) FROM ZQUAKE") == ["8"])
    }
  }

  @Test("An element first used after its row was saved again has the new values", arguments: [0, 5])
  func noStaleRows(batchSize: Int) throws {
    let metered = try Metered(rows: 10)
    let context = metered.context
    try context.performAndWait { () throws in
      let quakes = try context.fetch(request { $0.fetchBatchSize = batchSize })
      #expect(quakes[0][Quake.code] == "q0")
      for round in 1...3 {
        let found = try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == "q2"))
        found[0][Quake.magnitude] = Double(100 + round)
        try context.save()
      }
      #expect(quakes[2][Quake.magnitude] == 103)
      quakes[2][Quake.place] = "New"
      try context.save()
      #expect(try metered.stack.rows("SELECT Z_OPT, ZPLACE FROM ZQUAKE WHERE ZCODE = 'q2'") == ["5|New"])
    }
  }

  @Test("A chain of changes that a long-held result followed is released without overflowing the stack")
  func longChain() throws {
    let store = StoreIdentity(uuid: "", entityNames: ["Quake"])
    func objectID(_ key: Int) -> ManagedObjectID { ManagedObjectID(store: store, entityIndex: 0, key: Int64(key)) }
    var log = StoredChangesLog()
    var first: FollowedChanges? = log.follow()
    let second = log.follow()
    for key in 1...100_000 {
      log.append(CollectionOfOne(objectID(key)))
      _ = log.follow()
    }
    let late = log.follow()
    #expect(second.contains(objectID(100_000)) && second.contains(objectID(1)) && !second.contains(objectID(0)))
    #expect(!late.contains(objectID(100_000)))
    first = nil
    #expect(first == nil)
  }
}
