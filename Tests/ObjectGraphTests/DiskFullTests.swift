// B13, D5: a store that cannot grow: the request is not stored, nothing else changes, and it works again later.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("B13 D5 · a full disk")
struct DiskFullTests {
  /// A store of 20 rows that can only grow by a few pages, until space is made in it.
  private final class FullStore {
    let stack: TestStack
    let coordinator: PersistentStoreCoordinator

    init() throws {
      let stack = try TestStack { $0.tracksPersistentHistory = true }
      let context = stack.context()
      try context.performAndWait { () throws in
        for number in 0..<20 { try Quake.insert("before \(number)", into: context) }
        try context.save()
      }
      try stack.execute("CREATE TABLE filling (a); INSERT INTO filling VALUES (zeroblob(8000000))")
      try stack.coordinator.close()
      let pages = try #require(try stack.rows("PRAGMA page_count").first.flatMap { Int($0) })
      coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
      var description = stack.description(pragmas: [.init("max_page_count", "\(pages + 40)")])
      description.tracksPersistentHistory = true
      try coordinator.addPersistentStore(description)
      self.stack = stack
    }

    deinit { try? coordinator.close() }

    func context() -> ManagedObjectContext { ManagedObjectContext(.privateQueue, coordinator: coordinator) }

    /// The contents of every table, without the time of the transaction.
    func contents() throws -> [String] {
      try stack.rows("SELECT Z_PK, Z_OPT, ZCODE FROM ZQUAKE") + stack.rows("SELECT * FROM ACHANGE")
        + stack.rows("SELECT Z_PK FROM ATRANSACTION") + stack.rows("SELECT * FROM Z_PRIMARYKEY")
    }

    /// Pages are freed elsewhere, so that the store does not need to grow.
    func makeRoom() throws { try stack.execute("DROP TABLE filling") }
  }

  private func rows(_ count: Int) -> [[String: AttributeValue]] {
    (0..<count).map { Quake.row("q\($0)", place: String(repeating: "x", count: 500)) }
  }

  @Test("A batch insert in one transaction leaves the store as it was and names the row", .tags(.b13))
  func batchInsert() throws {
    let full = try FullStore()
    let context = full.context()
    let before = try full.contents()
    try context.performAndWait { () throws in
      var request = BatchInsertRequest(entityName: "Quake", objects: rows(2_000))
      let failed = try #require(storeError { () throws(ObjectGraphError) in try context.execute(request) })
      #expect(failed.code == .full)
      let row = try #require(failed.action.split(separator: " ").last.flatMap { Int($0) })
      #expect(failed.action == "inserting Quake, row \(row)" && (100...400).contains(row))
      #expect(try full.contents() == before)
      // The connection stays usable: what fits is stored, and the rest when there is space.
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("small")]))
      try full.makeRoom()
      request.resultType = .count
      #expect(try context.execute(request) == .count(2_000))
    }
    #expect(try full.stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["2021|2021"])
    #expect(try full.stack.rows("SELECT count(*) FROM ACHANGE") == ["2021"])
    #expect(try full.stack.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test("In several transactions the error reports how many rows are stored", .tags(.b13), arguments: [false, true])
  func severalTransactions(boundsLog: Bool) throws {
    let full = try FullStore()
    let context = full.context()
    try context.performAndWait { () throws in
      var request = BatchInsertRequest(entityName: "Quake", objects: rows(2_000))
      if boundsLog { request.walSizeLimit = 256 << 10 } else { request.transactionSize = 50 }
      request.resultType = .objectIDs
      let sent = request
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(sent) }
      guard case .partlyStored("Quake", let stored, .objectIDs(let objectIDs), .store(let cause, let action))? = error
      else { throw TestFailure("\(String(describing: error))") }
      #expect(cause.code == .full && action.hasPrefix("inserting Quake, row "))
      #expect(stored > 0 && objectIDs.count == stored)
      #expect(try full.stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["\(stored + 20)|\(stored + 20)"])
      #expect(try full.stack.rows("SELECT count(*) FROM ACHANGE") == ["\(stored + 20)"])
      try full.makeRoom()
      let rest = BatchInsertRequest(entityName: "Quake", objects: Array(rows(2_000).dropFirst(stored)))
      try context.execute(rest)
    }
    #expect(try full.stack.rows("SELECT count(*) FROM ZQUAKE") == ["2020"])
  }

  @Test("A batch update and a batch delete change nothing", .tags(.b13))
  func updateAndDelete() throws {
    let full = try FullStore()
    let context = full.context()
    let before = try full.contents()
    try context.performAndWait { () throws in
      let update = BatchUpdateRequest(
        entityName: "Quake", propertiesToUpdate: ["place": .string(String(repeating: "y", count: 100_000))])
      #expect(storeError { () throws(ObjectGraphError) in try context.execute(update) }?.code == .full)
      #expect(try full.contents() == before)
      // Each deleted row stays in the history with its preserved values, which needs no new page here.
      try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake", predicate: nil)))
      try full.makeRoom()
    }
    #expect(try full.stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
  }

  @Test("A save that does not fit leaves the context as it was, and saves once there is room", .tags(.d5))
  func save() throws {
    let full = try FullStore()
    let context = full.context()
    let before = try full.contents()
    try context.performAndWait { () throws in
      let stored = Array(try context.fetch(FetchRequest(entityName: "Quake", sortDescriptors: [.init(Quake.code)])))
      stored[0][Quake.magnitude] = 9
      try context.delete(stored[1])
      let new = try (0..<600).map { try Quake.insert("new \($0)", into: context) }
      for quake in new { quake[Quake.place] = String(repeating: "x", count: 500) }
      #expect(storeError { () throws(ObjectGraphError) in try context.save() }?.code == .full)
      #expect(try full.contents() == before)
      #expect(context.insertedObjects.count == 600 && new.allSatisfy { $0.objectID.isTemporaryID && $0.isInserted })
      #expect(stored[0].isUpdated && stored[0][Quake.magnitude] == 9 && stored[1].isDeleted)
      #expect(context.hasChanges)
      try full.makeRoom()
      try context.save()
      #expect(!context.hasChanges && new.allSatisfy { !$0.objectID.isTemporaryID })
    }
    #expect(try full.stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["619|620"])
    #expect(try full.stack.rows("SELECT Z_OPT FROM ZQUAKE WHERE ZMAGNITUDE = 9") == ["2"])
    #expect(try full.stack.rows("PRAGMA integrity_check") == ["ok"])
  }
}
