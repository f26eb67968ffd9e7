// History through the coordinator and its contexts.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PersistentStoreCoordinator {
  /// The last transaction that was stored, by any writer; nil where no history is kept.
  ///
  /// ```swift
  /// let token = try coordinator.currentPersistentHistoryToken()
  /// try JSONEncoder().encode(token).write(to: URL(filePath: "last-token.json"))
  /// ```
  ///
  /// - Parameter stores: The stores that the token is to cover; nil for all that keep history.
  /// - Returns: A token that covers them.
  /// - Throws: ``ObjectGraphError/noStore``, ``ObjectGraphError/wrongStore(found:expected:)``,
  ///   ``ObjectGraphError/store(_:during:)``.
  public func currentPersistentHistoryToken(
    fromStores stores: [PersistentStore]? = nil
  ) throws(ObjectGraphError) -> PersistentHistoryToken? {
    var tokens: [PersistentHistoryToken?] = []
    for store in try self.stores(among: stores) { tokens.append(try store.currentHistoryToken()) }
    return .covering(tokens)
  }

  /// Merges everything that was stored after the token into the contexts; each changed row is read once for all of them.
  ///
  /// ```swift
  /// let others = PersistentHistoryFilter(excludedAuthors: ["app"])
  /// let token = try coordinator.mergeHistory(after: lastToken, into: [context], filter: others)
  /// ```
  ///
  /// - Parameters:
  ///   - token: Up to where the contexts know; without one, all of history is merged.
  ///   - contexts: Contexts of this coordinator.
  ///   - filter: Which changes are wanted, such as those of other authors.
  /// - Returns: Up to where the contexts know now; what the filter leaves out counts as known.
  /// - Throws: as the execution of a ``PersistentHistoryChangeRequest``; ``ObjectGraphError/store(_:during:)`` when
  ///   a row cannot be read, ``ObjectGraphError/queryGeneration(found:expected:)`` when a context is pinned to a query
  ///   generation.
  public func mergeHistory(
    after token: PersistentHistoryToken?, into contexts: [ManagedObjectContext],
    filter: PersistentHistoryFilter = PersistentHistoryFilter()
  ) throws(ObjectGraphError) -> PersistentHistoryToken? {
    // What the filter leaves out is known too, as far as it was stored before.
    let known = filter == PersistentHistoryFilter() ? nil : try currentPersistentHistoryToken()
    var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
    request.filter = filter
    let transactions = try execute(request).transactions
    if !transactions.isEmpty {
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: ChangedObjectIDs(transactions), into: contexts)
    }
    return .covering([known, transactions.last?.token, token])
  }

  func execute(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError) -> PersistentHistoryResult {
    if request.isDeletion { try refuseReentrance() }
    let stores = try stores(among: request.affectedStores)
    if stores.count == 1 { return try stores[0].history(request.narrowed(to: stores[0].identity.uuid)) }
    let keeping = stores.filter(\.keepsHistory)
    guard let first = keeping.first else { throw .historyNotTracked(path: stores[0].identity.path) }
    return try request.result(of: keeping, first)
  }

  /// The stores that are named, in the coordinator's order; all when none are.
  private func stores(among wanted: [PersistentStore]?) throws(ObjectGraphError) -> [SQLiteStore] {
    let all = openStores
    if all.isEmpty { throw .noStore }
    guard let wanted else { return all }
    var named: Set<PersistentStore> = []
    for store in wanted { named.insert(try self.store(store).handle) }
    return all.filter { named.contains($0.handle) }
  }
}

extension ManagedObjectContext {
  /// Asks for the store's history, or deletes the older part of it.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// for transaction in try context.execute(request).transactions {
  ///   print(transaction.author ?? "", transaction.changes?.count ?? 0)
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/historyNotTracked(path:)``, ``ObjectGraphError/historyTokenExpired(found:oldest:)``,
  ///   ``ObjectGraphError/foreignHistoryToken(found:expected:)``, ``ObjectGraphError/invalidHistoryRequest(found:expected:)``,
  ///   ``ObjectGraphError/unknownEntity(found:expected:)`` for an entity of the filter, ``ObjectGraphError/store(_:during:)``.
  @discardableResult
  public func execute(
    _ request: PersistentHistoryChangeRequest
  ) throws(ObjectGraphError) -> PersistentHistoryResult {
    queue.check()
    return try persistentStoreCoordinator.execute(request)
  }
}
