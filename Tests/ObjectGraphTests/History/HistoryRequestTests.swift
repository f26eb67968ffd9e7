// C2: querying history by token, date and filter; deleting it; and invalid queries.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("C2 · history requests", .tags(.c2))
struct HistoryRequestTests {
  /// Five transactions: three of one author and context, two of another, with changes of every type.
  private func stack() throws -> TestStack {
    let stack = try TestStack.tracked([
      .quake(), EntityDescription("Aftershock", superentity: "Quake"),
      EntityDescription("Station", attributes: [.init("name", .string)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      context.transactionAuthor = "app"
      context.name = "view"
      let quake = try Quake.insert("a", into: context)
      try context.save()
      quake[Quake.magnitude] = 2
      let station = try context.insertNewObject(forEntityName: "Station")
      try station.setValue("s", forKey: "name")
      try context.save()
      context.transactionAuthor = "importer"
      context.name = "background"
      try context.execute(BatchInsertRequest(entityName: "Aftershock", objects: [Quake.row("b"), Quake.row("c")]))
      try context.delete(station)
      try context.save()
      context.transactionAuthor = nil
      context.name = nil
      try context.delete(quake)
      try context.save()
    }
    return stack
  }

  @Test("Filters choose transactions by author and context, and changes by entity and type")
  func filters() throws {
    let stack = try stack()
    func numbers(_ filter: PersistentHistoryFilter) throws -> [Int64] {
      let transactions = try stack.history { $0.filter = filter }
      var count = PersistentHistoryChangeRequest.fetchHistory(after: nil)
      count.filter = filter
      count.resultType = .count
      guard case .count(transactions.count) = try stack.execute(count) else { throw TestFailure("another count") }
      return transactions.map(\.transactionNumber)
    }
    #expect(try numbers(.init()) == [1, 2, 3, 4, 5])
    #expect(try numbers(.init(authors: ["app"])) == [1, 2])
    #expect(try numbers(.init(excludedAuthors: ["app"])) == [3, 4, 5])
    #expect(try numbers(.init(contextNames: ["background"])) == [3, 4])
    #expect(try numbers(.init(entityNames: ["Quake"])) == [1, 2, 3, 5])
    #expect(try numbers(.init(entityNames: ["Aftershock"])) == [3])
    #expect(try numbers(.init(changeTypes: [.delete])) == [4, 5])
    #expect(try numbers(.init(authors: ["app"], entityNames: ["Station"], changeTypes: [.insert, .delete])) == [2])
    #expect(try numbers(.init(authors: [])) == [])
    let second = try stack.history { $0.filter = .init(entityNames: ["Station"]) }
    #expect(second.map(\.told) == [["insert Station/p1"], ["delete Station/p1"]])
    let unknown = PersistentHistoryFilter(entityNames: ["Volcano"])
    #expect {
      _ = try stack.history { $0.filter = unknown }
    } throws: { error in
      if case ObjectGraphError.unknownEntity(found: "Volcano", _) = error { true } else { false }
    }
  }

  @Test("Each result type returns what its name says")
  func resultTypes() throws {
    let stack = try stack()
    func result(_ type: PersistentHistoryChangeRequest.ResultType) throws -> PersistentHistoryResult {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
      #expect(request.resultType == .transactionsAndChanges)
      request.resultType = type
      return try stack.execute(request)
    }
    guard case .statusOnly(true) = try result(.statusOnly), case .count(5) = try result(.count),
      case .objectIDs(let objectIDs) = try result(.objectIDs), case .changes(let changes) = try result(.changesOnly),
      case .transactions(let bare) = try result(.transactionsOnly)
    else { throw TestFailure("another result") }
    #expect(objectIDs.map(\.entityName) == ["Quake", "Station", "Aftershock", "Aftershock"])
    #expect(changes.map(\.changeType) == [.insert, .update, .insert, .insert, .insert, .delete, .delete])
    #expect(bare.count == 5 && bare.allSatisfy { $0.changes == nil && $0.objectIDNotification() == ChangedObjectIDs() })
    #expect(try result(.transactionsAndChanges).changes.count == 7)
  }

  @Test("History is returned after a token, a transaction or a date, up to a limit")
  func points() throws {
    let stack = try stack()
    let all = try stack.history()
    #expect(try stack.history(after: all[1].token).map(\.transactionNumber) == [3, 4, 5])
    #expect(try stack.history(after: all[4].token).isEmpty)
    #expect(try stack.history(after: all[0].token) { $0.fetchLimit = 2 }.map(\.transactionNumber) == [2, 3])
    #expect(try stack.execute(.fetchHistory(after: all[2])).transactions.map(\.transactionNumber) == [4, 5])
    let start = PersistentHistoryToken(storeID: all[0].storeID, transactionNumber: 0)
    #expect(try stack.history(after: start).count == 5)
    // Two transactions may have been stored at the same instant.
    let later = all.filter { $0.timestamp > all[2].timestamp }.map(\.transactionNumber)
    #expect(try stack.execute(.fetchHistory(after: all[2].timestamp)).transactions.map(\.transactionNumber) == later)
    #expect(try stack.execute(.fetchHistory(after: Date.distantPast)).transactions.count == 5)
  }
}

extension HistoryRequestTests {
  @Test("Deleting history keeps the given transaction, expires older tokens, and never reuses a number")
  func purge() throws {
    let stack = try stack()
    let all = try stack.history()
    var request = PersistentHistoryChangeRequest.deleteHistory(before: all[2])
    request.resultType = .count
    guard case .count(2) = try stack.execute(request) else { throw TestFailure("another count") }
    #expect(try stack.history().map(\.transactionNumber) == [3, 4, 5])
    #expect(try stack.rows("SELECT min(ZTRANSACTIONID) FROM ACHANGE") == ["3"])
    #expect(try stack.history(after: all[2].token).map(\.transactionNumber) == [4, 5])
    let start = PersistentHistoryToken(storeID: all[0].storeID, transactionNumber: 0)
    for token in [start, all[0].token, all[1].token] {
      let error = try stack.error(of: .fetchHistory(after: token))
      #expect(error == .historyTokenExpired(found: token, oldest: all[2].token) && error.code == 134301)
      #expect(error.description.contains("transaction 3 of the store"))
    }
    try stack.execute(.deleteHistory(before: Date.distantFuture))
    #expect(try stack.history().map(\.transactionNumber) == [5], "the current token goes on being one")
    #expect(try stack.history(after: all[4].token).isEmpty)
    try stack.execute(.deleteHistory(before: Date.distantPast))
    try stack.execute(.deleteHistory(before: nil))
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert("z", into: context)
      try context.save()
    }
    #expect(try stack.history(after: all[4].token).map(\.transactionNumber) == [6])
    #expect(try stack.rows("SELECT Z_PK FROM ACHANGE ORDER BY 1") == ["7", "8"])
  }

  @Test(
    "After a purge, history is complete from each remaining token, and expired from every older one",
    arguments: 1...5)
  func completeness(oldest: Int) throws {
    let stack = try stack()
    let all = try stack.history()
    let start = PersistentHistoryToken(storeID: all[0].storeID, transactionNumber: 0)
    try stack.execute(.deleteHistory(before: all[oldest - 1]))
    #expect(try stack.history().map(\.told) == all.dropFirst(oldest - 1).map(\.told))
    for (index, transaction) in all.enumerated() {
      if index + 1 < oldest {
        let error = try stack.error(of: .fetchHistory(after: transaction.token))
        #expect(error == .historyTokenExpired(found: transaction.token, oldest: all[oldest - 1].token))
      } else {
        let later = try stack.history(after: transaction.token)
        #expect(later.map(\.told) == all.dropFirst(index + 1).map(\.told))
        #expect(later.map(\.token) == all.dropFirst(index + 1).map(\.token))
      }
    }
    if oldest == 1 {
      #expect(try stack.history(after: start).count == 5)
    } else {
      #expect(try stack.error(of: .fetchHistory(after: start)).code == 134301)
    }
    #expect(
      try stack.rows("SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)") == [
        "0"
      ])
  }

  @Test("Deleting history before a later state's token keeps the newest transaction, so the current token is valid")
  func purgeBeforeLaterToken() throws {
    let stack = try stack()
    let all = try stack.history()
    let later = PersistentHistoryToken(storeID: all[0].storeID, transactionNumber: 99)
    try stack.execute(.deleteHistory(before: later))
    let current = try #require(try stack.coordinator.currentPersistentHistoryToken())
    #expect(current == all[4].token)
    #expect(try stack.history().map(\.told) == [all[4].told])
    #expect(try stack.history(after: current).isEmpty)
    #expect(
      try stack.error(of: .fetchHistory(after: later)) == .historyTokenExpired(found: later, oldest: all[4].token))
  }

  @Test("A token of another store, a deletion with a filter, and a store without history are refused")
  func refusals() throws {
    let (stack, other) = (try stack(), try TestStack())
    let token = PersistentHistoryToken(storeID: "another", transactionNumber: 1)
    let storeID = try #require(try stack.history().first?.storeID)
    #expect(
      try stack.error(of: .fetchHistory(after: token)) == .foreignHistoryToken(found: token, expected: storeID))
    var deletion = PersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    deletion.filter.authors = ["app"]
    guard case .invalidHistoryRequest = try stack.error(of: deletion) else { throw TestFailure("not refused") }
    #expect(try stack.history().count == 5)
    let error = try other.error(of: .fetchHistory(after: nil))
    #expect(error == .historyNotTracked(path: other.path) && error.code == 134091)
    #expect(try other.error(of: .deleteHistory(before: Date())) == .historyNotTracked(path: other.path))
  }
}
