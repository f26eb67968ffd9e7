// History through the coordinator and its contexts.

extension PersistentStoreCoordinator {
  /// The last transaction that was stored, by whomever; nil where no history is kept.
  ///
  /// - Throws: ``ObjectGraphError/noStore``, ``ObjectGraphError/store(_:during:)``.
  public func currentPersistentHistoryToken() throws(ObjectGraphError) -> PersistentHistoryToken? {
    try store().currentHistoryToken()
  }

  func execute(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError) -> PersistentHistoryResult {
    try store().history(request)
  }
}

extension ManagedObjectContext {
  /// Asks for the store's history, or deletes the older part of it.
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
