// D5: a failed rollback, for example for lack of memory, is completed later: later work is neither refused nor mixed
// with it.
import CoreDataModel
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import ObjectGraph
@testable import SQLiteDriver

@Suite("D5 · rollbacks that fail", .tags(.d5))
struct RollbackTests {
  /// Makes SQLite refuse every ROLLBACK of the store's writing connection, or allow it again.
  private func refuseRollback(_ isRefused: Bool, of stack: TestStack) throws {
    let store = try #require(stack.coordinator.openStores.first)
    // Like a request, but without completing an earlier rollback.
    try store.withWriterAsItIs { $0.connection.refuse(isRefused ? "ROLLBACK" : nil) }
  }

  private func codes(_ stack: TestStack) throws -> [String] {
    try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY ZCODE")
  }

  @Test(
    "A save works after a failed rollback, and stores nothing of the failed save", arguments: [false, true])
  func save(keepsHistory: Bool) throws {
    let stack = try TestStack { $0.tracksPersistentHistory = keepsHistory }
    let context = stack.context()
    try context.performAndWait { () throws in
      context.transactionAuthor = "first"
      try Quake.insert("a", into: context)
      try context.save()
      try Quake.insert("b", into: context)
      let double = try Quake.insert("a", into: context)
      try refuseRollback(true, of: stack)
      guard case .constraintConflict = objectGraphError({ try context.save() }) else {
        throw TestFailure("another error than the one that led to the rollback")
      }
      double[Quake.code] = "c"
      // Every request in the meantime reports why it fails, and changes nothing.
      #expect(storeError { () throws(ObjectGraphError) in try context.save() }?.code == .authorization)
      let request = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("d")])
      #expect(storeError { () throws(ObjectGraphError) in try context.execute(request) }?.code == .authorization)
      #expect(
        storeError { () throws(ObjectGraphError) in try stack.coordinator.checkpoint() }?.code == .authorization)
      #expect(try codes(stack) == ["a"])
      try refuseRollback(false, of: stack)
      context.transactionAuthor = "second"
      try context.save()
      try context.execute(request)
    }
    #expect(try codes(stack) == ["a", "b", "c", "d"])
    #expect(try stack.rows("SELECT max(Z_PK), count(*) FROM ZQUAKE") == ["4|4"])
    if keepsHistory { #expect(try stack.history().map(\.author) == ["first", "second", "second"]) }
  }

  @Test("Another process can write as soon as the next request has repeated the rollback")
  func lock() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try refuseRollback(true, of: stack)
      let rows = [Quake.row("a"), ["code": "b"]]
      #expect(objectGraphError { try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows)) } != nil)
      try refuseRollback(false, of: stack)
      // Work without a transaction also ends the old one.
      try stack.coordinator.checkpoint()
    }
    try stack.execute("INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (7, 1, 1, 'x')")
    #expect(try codes(stack) == ["x"])
  }

  @Test("A reader whose rollback fails is dropped, so that the next one sees the present store")
  func reader() throws {
    let stack = try TestStack.tracked()
    let context = stack.context()
    let store = try #require(stack.coordinator.openStores.first)
    try context.performAndWait { () throws in
      try Quake.insert("a", into: context)
      try context.save()
      try store.reader.read { $0.connection.refuse("ROLLBACK") }
      #expect(try stack.history().count == 1)
      try Quake.insert("b", into: context)
      try context.save()
      #expect(try stack.history().count == 2)
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 2)
    }
  }
}
