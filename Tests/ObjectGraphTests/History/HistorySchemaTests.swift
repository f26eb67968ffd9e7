// C2, D9: history's tables are those of Core Data, are made on demand, and cost nothing without history.
import Foundation
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("C2 D9 · the tables of history", .tags(.c2, .d9))
struct HistorySchemaTests {
  /// Closes the stack's store and opens it again, with or without history.
  private func reopen(
    _ stack: TestStack, tracked: Bool, readOnly: Bool = false
  ) throws {
    var description = stack.description()
    description.tracksPersistentHistory = tracked
    description.isReadOnly = readOnly
    try stack.coordinator.close()
    try stack.coordinator.addPersistentStore(description)
  }

  private func save(_ code: String, in stack: TestStack) throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert(code, into: context)
      try context.save()
    }
  }

  @Test(
    "Tables, indexes and counted entities match Core Data's stores",
    arguments: SampleStore.all.filter { $0.history == .new && $0.isFresh })
  func layout(store: SampleStore) throws {
    let stack = try TestStack.tracked()
    try save("a", in: stack)
    let (ours, theirs) = (try StoreLayout.history(of: stack.path), try StoreLayout.history(of: store))
    #expect(Set(ours) == Set(theirs))
    #expect(theirs.count == 14)
    // Migrated stores may have any order.
    if store.shape != .notes { #expect(ours == theirs) }
  }

  @Test("The bitmap of an update has real stores' positions: companions count, to-many relationships too")
  func bitmap() throws {
    // Like in a Notes store, whose updates of ICCloudState have 0x24 and 0xE4.
    let model = CompiledModel(
      try ManagedObjectModel(entities: [
        EntityDescription(
          "CloudState",
          attributes: [
            .init("currentLocalVersion", .int64), .init("inCloud", .boolean), .init("localVersionDate", .date),
            .init("latestVersionSyncedToCloud", .int64), .init("draft", .string, isTransient: true),
          ], relationships: [.init("cloudSyncingObject", to: "Syncing", inverse: "cloudState")]),
        EntityDescription(
          "Syncing",
          relationships: [.init("cloudState", to: "CloudState", inverse: "cloudSyncingObject", isToMany: true)]),
        EntityDescription("Note", superentity: "Syncing"),
      ]))
    let layout = try model.layout(named: "CloudState")
    let columns = HistoryColumns(layout)
    func bitmap(_ names: [String]) -> [UInt8] {
      var changed = ChangedProperties()
      for name in names { if let slot = layout.slot(named: name) { changed.slots.insert(slot) } }
      return columns.bitmap(changed)
    }
    #expect(bitmap(["currentLocalVersion", "localVersionDate"]) == [0x24])
    #expect(bitmap(["currentLocalVersion", "localVersionDate", "cloudSyncingObject", "draft"]) == [0xE4])
    let names = [0xE4, 0xFF].withUnsafeBytes { columns.names(in: $0) }
    #expect(names == ["cloudSyncingObject", "currentLocalVersion", "localVersionDate"])
    let syncing = HistoryColumns(try model.layout(named: "Note"))
    var changed = ChangedProperties()
    changed.toMany.insert(0)
    #expect(syncing.bitmap(changed) == [0x80])
  }

  @Test("An existing store is tracked from its next opening; its tables are completed, not made again")
  func adoption() throws {
    let stack = try TestStack()
    try save("a", in: stack)
    #expect(try StoreLayout.history(of: stack.path) == [])
    try reopen(stack, tracked: true)
    #expect(try stack.history().isEmpty)
    try save("b", in: stack)
    #expect(try stack.history().map(\.told) == [["insert Quake/p2"]])
    // Like Core Data made them before it had a table of strings.
    try stack.execute(
      """
      UPDATE ATRANSACTION SET ZPROCESSID = 'old'; DROP TABLE ATRANSACTIONSTRING;
      DROP INDEX ATRANSACTION_ZPROCESSIDTS_INDEX; ALTER TABLE ATRANSACTION DROP COLUMN ZPROCESSIDTS
      """)
    try reopen(stack, tracked: true)
    try save("c", in: stack)
    let transactions = try stack.history()
    #expect(transactions.map(\.transactionNumber) == [1, 2])
    #expect(transactions[0].processID == "old" && transactions[1].processID != nil)
  }
}

extension HistorySchemaTests {
  @Test("A store opened without the option deletes its history, and old tokens expire when it is tracked again")
  func turningOff() throws {
    let stack = try TestStack.tracked()
    try save("a", in: stack)
    let token = try #require(try stack.coordinator.currentPersistentHistoryToken())
    try reopen(stack, tracked: false, readOnly: true)
    try reopen(stack, tracked: true)
    #expect(try stack.history().map(\.token) == [token], "reading forgets nothing")
    try reopen(stack, tracked: false)
    #expect(try stack.rows("SELECT 1 FROM ACHANGE UNION ALL SELECT 1 FROM ATRANSACTION") == [])
    #expect(try stack.rows("SELECT count(*) FROM ATRANSACTIONSTRING") == ["1"])
    try save("untold", in: stack)
    try reopen(stack, tracked: true)
    let now = try #require(try stack.coordinator.currentPersistentHistoryToken())
    #expect(try stack.error(of: .fetchHistory(after: token)) == .historyTokenExpired(found: token, oldest: now))
    try save("b", in: stack)
    #expect(try stack.history(after: now).map(\.told) == [["insert Quake/p3"]])
  }

  @Test("A token of the empty history also expires if changes were made without the option")
  func turningOffEmpty() throws {
    let stack = try TestStack.tracked()
    let token = try #require(try stack.coordinator.currentPersistentHistoryToken())
    #expect(token.transactionNumber == 0)
    try reopen(stack, tracked: true)
    #expect(try stack.history(after: token).isEmpty, "nothing was missed so far")
    try reopen(stack, tracked: false)
    try save("untold", in: stack)
    try reopen(stack, tracked: true)
    try save("told", in: stack)
    let all = try stack.history()
    #expect(
      try stack.error(of: .fetchHistory(after: token)) == .historyTokenExpired(found: token, oldest: all[0].token))
    #expect(try stack.history(after: all[0].token).map(\.told) == [["insert Quake/p2"]])
  }

  @Test("A read-only store without the tables opens, and reports their absence when history is requested")
  func readOnly() throws {
    let stack = try TestStack()
    try reopen(stack, tracked: true, readOnly: true)
    #expect(try stack.error(of: .fetchHistory(after: nil)) == .historyNotTracked(path: stack.path))
    #expect(try stack.coordinator.currentPersistentHistoryToken() == nil)
    try reopen(stack, tracked: true)
    try save("a", in: stack)
    try reopen(stack, tracked: true, readOnly: true)
    #expect(try stack.history().count == 1)
    #expect(try stack.error(of: .deleteHistory(before: Date())) == .readOnlyStore(path: stack.path))
  }

  @Test("Without history no statement runs; with it, adjacent rows take one, and a transaction two beside its changes")
  func statements() throws {
    let meter = try SQLiteMeter.attach()
    var counts: [[Int64]] = []
    for isTracked in [false, true] {
      let stack = try TestStack { $0.tracksPersistentHistory = isTracked }
      let context = stack.context()
      func count(_ body: () throws -> Void) rethrows -> Int64 {
        let before = meter.counters(of: stack.path).statements
        try body()
        return meter.counters(of: stack.path).statements - before
      }
      try context.performAndWait { () throws in
        func insert(_ rows: Range<Int>) throws {
          for row in rows { try Quake.insert("\(row)", into: context) }
          try context.save()
        }
        try insert(0..<1)
        counts.append([
          try count { try insert(1..<2) }, try count { try insert(2..<102) },
          try count {
            try context.execute(
              BatchInsertRequest(entityName: "Quake", objects: (200..<300).map { Quake.row("\($0)") }))
          },
        ])
      }
    }
    // Begin, commit, reading and updating the last key; a save stores fifty rows per statement. History reads its
    // numbers, then writes a run of changes, the transaction, and the numbers.
    #expect(counts[0] == [5, 6, 104])
    #expect(counts[1] == [9, 10, 108])
  }
}
