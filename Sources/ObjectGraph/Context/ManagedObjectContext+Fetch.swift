// Fetching and counting: what the store has, with the context's unsaved changes on top.

extension ManagedObjectContext {
  /// The objects of the request's entity: stored ones in the order of their keys, then new ones in the order they
  /// were made, without those marked for deletion.
  ///
  /// A row that is already an object of this context stays that object, with its unsaved values.
  ///
  /// The answer is lazy: an object is made when it is looked at.
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func fetch(_ request: FetchRequest) throws(ObjectGraphError) -> FetchResults {
    queue.check()
    let layout = try persistentStoreCoordinator.compiledModel.layout(named: request.entityName)
    let deleted = pendingDeletions(of: layout)
    let pending =
      request.includesPendingChanges ? pendingInsertions.filter { $0.layout === layout && $0.isInserted } : []
    // With deletions pending, the window can only be laid over what remains.
    let window = request.window
    let storeWindow = deleted.isEmpty || !request.includesPendingChanges ? window.reaching : nil
    var rows = try persistentStoreCoordinator.rows(of: layout, window: storeWindow)
    if request.includesPendingChanges, !deleted.isEmpty { rows.removeAll { deleted.contains($0.objectID) } }
    return FetchResults(
      context: self, layout: layout, rows: rows, pending: pending, range: window.range(in: rows.count + pending.count))
  }

  /// How many objects ``fetch(_:)`` would give, without reading them.
  /// - Throws: as ``fetch(_:)``.
  public func count(for request: FetchRequest) throws(ObjectGraphError) -> Int {
    queue.check()
    let layout = try persistentStoreCoordinator.compiledModel.layout(named: request.entityName)
    var count = try persistentStoreCoordinator.count(of: layout)
    if request.includesPendingChanges {
      count += pendingInsertions.count { $0.layout === layout && $0.isInserted } - pendingDeletions(of: layout).count
    }
    return request.window.range(in: max(count, 0)).count
  }

  /// The object that stands for a stored row in this context.
  ///
  /// One that is a fault takes the row; one that has values keeps them, as in Core Data.
  func object(for row: StoredRow, layout: EntityLayout) -> ManagedObject {
    queue.check()
    guard let object = registered[row.objectID] else {
      return register(
        ObjectSeed(objectID: row.objectID, layout: layout, row: row.snapshot, state: .stored, context: self))
    }
    return object
  }

  private func pendingDeletions(of layout: EntityLayout) -> Set<ManagedObjectID> {
    Set(pendingDeletions.lazy.filter { $0.layout === layout }.map(\.objectID))
  }
}
