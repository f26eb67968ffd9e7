// Fetching and counting: what the store has, with the context's unsaved changes on top.

extension ManagedObjectContext {
  /// The objects of the request's entity: stored ones in the order of their keys, then new ones in the order they
  /// were made, without those marked for deletion.
  ///
  /// A row that is already an object of this context stays that object, with its unsaved values. The answer is lazy:
  /// an object is made when it is looked at.
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func fetch(_ request: FetchRequest) throws(ObjectGraphError) -> FetchResults {
    queue.check()
    let family = try family(of: request)
    let deleted = request.includesPendingChanges ? pendingDeletions(of: family) : []
    let window = request.window
    // With deletions pending, the window can only be laid over what remains.
    var rows = try persistentStoreCoordinator.rows(of: family, limit: deleted.isEmpty ? window.reaching : nil)
    if !deleted.isEmpty { rows.removeAll { deleted.contains($0.objectID) } }
    let pending = request.includesPendingChanges ? pendingInsertions(of: family) : []
    return FetchResults(
      context: self, rows: rows, pending: pending, range: window.range(in: rows.count + pending.count))
  }

  /// How many objects ``fetch(_:)`` would give, without reading them.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func count(for request: FetchRequest) throws(ObjectGraphError) -> Int {
    queue.check()
    let family = try family(of: request)
    var count = try persistentStoreCoordinator.count(of: family)
    if request.includesPendingChanges {
      count += pendingInsertions(of: family).count - pendingDeletions(of: family).count
    }
    return request.window.range(in: max(count, 0)).count
  }

  /// The object that stands for a stored row in this context; one that has values keeps them, as in Core Data.
  func object(for row: StoredRow) -> ManagedObject {
    queue.check()
    if let object = registered[row.objectID] { return object }
    let layout = persistentStoreCoordinator.compiledModel.layouts[Int(row.objectID.entityIndex)]
    return register(
      ObjectSeed(objectID: row.objectID, layout: layout, row: row.snapshot, state: .stored, context: self))
  }

  /// The entities whose objects are asked for: the request's own and, if wanted, those that inherit from it.
  private func family(of request: FetchRequest) throws(ObjectGraphError) -> [EntityLayout] {
    let model = persistentStoreCoordinator.compiledModel
    let layout = try model.layout(named: request.entityName)
    return (request.includesSubentities ? Array(model.layouts[layout.family]) : [layout])
      .filter { !$0.entity.isAbstract }
  }

  private func pendingInsertions(of family: [EntityLayout]) -> [ManagedObject] {
    pendingInsertions.filter { object in object.isInserted && family.contains { $0 === object.layout } }
  }

  private func pendingDeletions(of family: [EntityLayout]) -> Set<ManagedObjectID> {
    Set(pendingDeletions.lazy.filter { object in family.contains { $0 === object.layout } }.map(\.objectID))
  }
}
