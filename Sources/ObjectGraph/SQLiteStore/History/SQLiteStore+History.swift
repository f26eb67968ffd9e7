// A store's history: fetches it after a point, deletes it before a point, and returns its end.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SQLiteStore {
  /// Executes a request for history.
  ///
  /// - Throws: ``ObjectGraphError/historyNotTracked(path:)``, ``ObjectGraphError/historyTokenExpired(found:oldest:)``,
  ///   ``ObjectGraphError/foreignHistoryToken(found:expected:)``.
  func history(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError) -> PersistentHistoryResult {
    if !keepsHistory { throw .historyNotTracked(path: path) }
    if case .token(let token) = request.point, token.storeID != identity.uuid {
      throw .foreignHistoryToken(found: token, expected: identity.uuid)
    }
    return request.isDeletion ? try deleteHistory(request) : try fetchHistory(request)
  }

  /// A token for the last transaction that was stored; `nil` without history.
  func currentHistoryToken() throws(ObjectGraphError) -> PersistentHistoryToken? {
    if !keepsHistory { return nil }
    let number = try reader.read { (reader) throws(ObjectGraphError) in
      try during("reading the history token") { () throws(SQLiteError) in
        let statement = try reader.statement(StoreWatcher.lastTransaction)
        defer { statement.reset() }
        return try statement.step() ? statement.int64(0) : 0
      }
    }
    return PersistentHistoryToken(storeID: identity.uuid, transactionNumber: number)
  }

  private func fetchHistory(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError)
    -> PersistentHistoryResult
  {
    let query = try HistoryQuery(request, store: self)
    return try reader.read { (reader) throws(ObjectGraphError) in
      // Use one snapshot of the store, so that nothing is deleted between checking the token and reading the last
      // change.
      try during("reading history") { () throws(SQLiteError) in try reader.connection.begin(.deferred) }
      defer { reader.connection.rollback() }
      if case .token(let token) = request.point { try check(token, reader) }
      return try during("reading history") { () throws(SQLiteError) in
        switch request.resultType {
        case .statusOnly: return .statusOnly(true)
        case .count: return .count(try query.count(reader))
        case .transactionsOnly: return .transactions(try query.transactions(reader, withChanges: false))
        case .transactionsAndChanges: return .transactions(try query.transactions(reader, withChanges: true))
        case .changesOnly:
          return .changes(try query.transactions(reader, withChanges: true).flatMap { $0.changes ?? [] })
        case .objectIDs:
          var known: Set<ManagedObjectID> = []
          let changes = try query.transactions(reader, withChanges: true).flatMap { $0.changes ?? [] }
          return .objectIDs(changes.map(\.changedObjectID).filter { known.insert($0).inserted })
        }
      }
    }
  }

  /// Checks a token: it is valid while its transaction exists, or for an empty history while nothing was deleted.
  private func check(_ token: PersistentHistoryToken, _ reader: StoreReader) throws(ObjectGraphError) {
    let (isThere, oldest, last) = try during("looking for a history token") {
      () throws(SQLiteError) -> (Bool, Int64, Int64) in
      let statement = try reader.statement(
        "SELECT EXISTS (SELECT 1 FROM ATRANSACTION WHERE Z_PK = ?), ifnull((SELECT min(Z_PK) FROM ATRANSACTION), 0), "
          + "ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002), 0)")
      try statement.bind(token.transactionNumber, at: 1)
      defer { statement.reset() }
      guard try statement.step() else { return (false, 0, 0) }
      return (statement.int64(0) == 1, statement.int64(1), statement.int64(2))
    }
    let isBeginning = token.transactionNumber == 0 && (oldest == 1 || last == 0)
    if isThere || isBeginning { return }
    throw .historyTokenExpired(
      found: token,
      oldest: oldest == 0 ? nil : PersistentHistoryToken(storeID: identity.uuid, transactionNumber: oldest))
  }

  private func deleteHistory(
    _ request: PersistentHistoryChangeRequest
  ) throws(ObjectGraphError) -> PersistentHistoryResult {
    if request.filter != PersistentHistoryFilter() || request.fetchLimit != 0 {
      throw .invalidHistoryRequest(
        found: "a deletion with a filter or a limit",
        expected: "neither, because tokens need every transaction after the oldest one")
    }
    let first: SQLFragment =
      switch request.point {
      case .beginning: "0"
      // Keep the newest transaction, even before a token of a later state of the store, so that the current token does
      // not expire.
      case .token(let token):
        "SELECT min(\(bind: .integer(token.transactionNumber)), ifnull(max(Z_PK), 0)) FROM ATRANSACTION"
      case .date(let date):
        "SELECT ifnull(min(Z_PK), (SELECT max(Z_PK) FROM ATRANSACTION)) FROM ATRANSACTION WHERE ZTIMESTAMP >= \(bind: .date(date))"
      }
    let count = try write { (writer) throws(ObjectGraphError) in
      try writer.transaction("deleting history") { () throws(ObjectGraphError) in
        try during("deleting history") { () throws(SQLiteError) in
          for sql: SQLFragment in [
            "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < (\(first))", "DELETE FROM ATRANSACTION WHERE Z_PK < (\(first))",
          ] {
            try writer.prepare(sql).run()
          }
          return writer.connection.changes
        }
      }
    }
    return request.resultType == .count ? .count(count) : .statusOnly(true)
  }
}
