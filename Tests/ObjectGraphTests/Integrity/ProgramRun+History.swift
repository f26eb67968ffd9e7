// The history of a random program's store: it names the real changes of the rows.
@testable import ObjectGraph

extension ProgramRun {
  /// Checks that the history contains every change, and no change that did not happen.
  func checkHistory(from old: StoredGraph) throws {
    guard model.tracksHistory else { return }
    let request = PersistentHistoryChangeRequest.fetchHistory(after: historyToken)
    let transactions: [PersistentHistoryTransaction]
    do { transactions = try coordinators[0].execute(request).transactions } catch {
      throw ProgramMismatch("history cannot be read: \(error)")
    }
    historyToken = transactions.last?.token ?? historyToken
    tally.transactions += transactions.count
    if transactions.count > 1 {
      throw ProgramMismatch("one request left \(transactions.count) transactions of history")
    }
    var kinds: [StoredGraph.Key: [PersistentHistoryChangeType]] = [:]
    for change in transactions.flatMap({ $0.changes ?? [] }) {
      let objectID = change.changedObjectID
      kinds[StoredGraph.Key(root: schema.root(Int(objectID.entityIndex)), key: objectID.key), default: []].append(
        change.changeType)
    }
    for key in Set(old.rows.keys).union(stored.rows.keys).union(kinds.keys).sorted() {
      let (before, after, told) = (old.rows[key], stored.rows[key], kinds[key] ?? [])
      // Each change, taken in order, refers to an object that exists at this point.
      var isThere = before != nil
      var isRight = true
      for kind in told {
        if (kind == .insert) == isThere { isRight = false }
        isThere = kind != .delete
      }
      isRight = isRight && isThere == (after != nil)
      if let before, let after {
        if before != after, told.isEmpty { isRight = false }
        if before.entity != after.entity, !told.contains(.delete) { isRight = false }
        // A row is not reported as another one if it stays the same.
        if before.entity == after.entity, before == after, told.contains(where: { $0 != .update }) { isRight = false }
      }
      if !isRight {
        throw ProgramMismatch("history says \(told) of \(key), which was \(old.show(key)) and is \(stored.show(key))")
      }
    }
  }
}
