// Access to history through the coordinator and its contexts.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PersistentStoreCoordinator {
  /// A token for the last transaction stored by any writer; `nil` without history.
  ///
  /// ```swift
  /// let token = try coordinator.currentPersistentHistoryToken()
  /// try JSONEncoder().encode(token).write(to: URL(filePath: "last-token.json"))
  /// ```
  ///
  /// - Parameter stores: The stores that the token must cover; `nil` for all with history.
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

  /// Merges everything that was stored after the token into the contexts; each changed row is read only once.
  ///
  /// ```swift
  /// let others = PersistentHistoryFilter(excludedAuthors: ["app"])
  /// let token = try coordinator.mergeHistory(after: lastToken, into: [context], filter: others)
  /// ```
  ///
  /// - Parameters:
  ///   - token: How far the contexts have read; without one, all of the history is merged.
  ///   - contexts: Contexts of this coordinator.
  ///   - filter: Selects changes, such as those of other authors.
  /// - Returns: How far the contexts have read now, including changes that the filter excludes.
  /// - Throws: The same errors as executing a ``PersistentHistoryChangeRequest``; ``ObjectGraphError/store(_:during:)``
  ///   if a row cannot be read, ``ObjectGraphError/queryGeneration(found:expected:)`` if a context is pinned to a query
  ///   generation.
  public func mergeHistory(
    after token: PersistentHistoryToken?, into contexts: [ManagedObjectContext],
    filter: PersistentHistoryFilter = PersistentHistoryFilter()
  ) throws(ObjectGraphError) -> PersistentHistoryToken? {
    // Changes that the filter excludes also count as read, if they were stored before this.
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

  /// The selected stores in the coordinator's order; all stores without a selection.
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
  /// Fetches the history of the stores, or deletes its older part.
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
