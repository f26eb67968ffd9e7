// Combines the histories of several stores.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PersistentHistoryChangeRequest {
  /// Combines the results of several stores.
  ///
  /// Transactions are ordered by store, and within each store by number. Each transaction's token records how far a
  /// reader of all transactions up to it has read each store, so a reader that keeps the last token misses nothing and
  /// sees nothing twice. A store that the token does not contain, such as one added later, is read from its beginning.
  /// If that was deleted, the token is expired.
  func result(
    of stores: [SQLiteStore], _ first: SQLiteStore
  ) throws(ObjectGraphError) -> PersistentHistoryResult {
    if case .token(let token) = point, !stores.contains(where: { token.knows($0) }) {
      throw .foreignHistoryToken(found: token, expected: first.identity.uuid)
    }
    return isDeletion ? try deletion(stores) : try fetch(stores)
  }

  private func fetch(_ stores: [SQLiteStore]) throws(ObjectGraphError) -> PersistentHistoryResult {
    var positions: [String: Int64] = [:]
    if case .token(let token) = point { positions = token.positions }
    var rest = self
    // Read transactions, which show the changes and objects within a limit of transactions.
    if resultType == .changesOnly || resultType == .objectIDs {
      rest.resultType = .transactionsAndChanges
    }
    var transactions: [PersistentHistoryTransaction] = []
    var count = 0
    for store in stores {
      if fetchLimit > 0 {
        rest.fetchLimit = fetchLimit - count
        if rest.fetchLimit <= 0 { break }
      }
      rest.otherPositions = positions
      let found = try store.history(rest.narrowed(to: store.identity.uuid))
      if case .count(let number) = found { count += number } else { count += found.transactions.count }
      transactions += found.transactions
      if let last = found.transactions.last { positions[store.identity.uuid] = last.transactionNumber }
    }
    switch resultType {
    case .statusOnly: return .statusOnly(true)
    case .count: return .count(count)
    case .transactionsOnly, .transactionsAndChanges: return .transactions(transactions)
    case .changesOnly: return .changes(transactions.flatMap { $0.changes ?? [] })
    case .objectIDs:
      var known: Set<ManagedObjectID> = []
      let objectIDs = transactions.flatMap { $0.changes ?? [] }.map(\.changedObjectID)
      return .objectIDs(objectIDs.filter { known.insert($0).inserted })
    }
  }

  /// Deletes the requested history of each store, in one transaction for each.
  private func deletion(_ stores: [SQLiteStore]) throws(ObjectGraphError) -> PersistentHistoryResult {
    var count = 0
    for store in stores {
      if case .token(let token) = point, !token.knows(store) { continue }
      if case .count(let number) = try store.history(narrowed(to: store.identity.uuid)) { count += number }
    }
    return resultType == .count ? .count(count) : .statusOnly(true)
  }

  /// The request for one store, from the store's position in the token.
  ///
  /// If the token does not contain the store and the request is for this store alone, the token stays unchanged, and
  /// the store refuses it.
  func narrowed(to storeID: String) -> PersistentHistoryChangeRequest {
    guard case .token(let token) = point else { return self }
    var narrowed = self
    if let number = token.transactionNumber(in: storeID) {
      narrowed.point = .token(PersistentHistoryToken(storeID: storeID, transactionNumber: number))
      if narrowed.otherPositions.isEmpty { narrowed.otherPositions = token.positions }
    } else if !otherPositions.isEmpty {
      narrowed.point = .token(PersistentHistoryToken(storeID: storeID, transactionNumber: 0))
    }
    return narrowed
  }
}

extension PersistentHistoryToken {
  fileprivate func knows(_ store: SQLiteStore) -> Bool { transactionNumber(in: store.identity.uuid) != nil }
}
