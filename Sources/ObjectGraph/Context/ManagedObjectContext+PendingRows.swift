// Unsaved changes on top of what a fetch read: which rows they hide, which objects they add, in which order.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Stored rows that the request's predicate matches, in its order and from the first, as its answer: pending changes
  /// laid over them, cut to its window.
  ///
  /// Without pending changes wanted, the rows are cut already.
  func results(
    of request: FetchRequest<ManagedObject>, rows: StoredRows, changes: FollowedChanges
  ) throws(ObjectGraphError) -> FoundObjects {
    queue.check()
    fillFaults(with: rows, since: changes)
    guard request.includesPendingChanges else {
      return FoundObjects(context: self, rows: rows, changes: changes)
    }
    return try results(of: request, rows: rows, pendingChanges(of: try storeFetch(request)), changes)
  }

  /// What must be read for the request's window, which can only be laid over what the pending changes leave.
  func window(for request: FetchRequest<ManagedObject>, _ fetch: StoreFetch) -> Window {
    request.window.reaching(past: pendingChanges(of: fetch).overlaid.count)
  }

  /// Whether pending changes took so many of the rows that there may be others for the request's window.
  func lacksRows(_ rows: StoredRows, of fetch: StoreFetch, for request: FetchRequest<ManagedObject>) -> Bool {
    guard fetch.window.limit > 0, rows.count == fetch.window.limit else { return false }
    let overlaid = pendingChanges(of: fetch).overlaid
    return rows.count(where: { !overlaid.contains($0.objectID) }) < request.window.reaching(past: 0).limit
  }

  /// The same with what is pending.
  func results(
    of request: FetchRequest<ManagedObject>, rows: StoredRows, _ pending: PendingChanges, _ changes: FollowedChanges,
    _ partial: PartialFetch? = nil
  ) throws(ObjectGraphError) -> FoundObjects {
    let kept = rows.filter { !pending.overlaid.contains($0.objectID) }
    // An order through relationships uses objects, which know their destinations.
    let followsRelationships = request.sortsAlongRelationships
    var found = kept.map { followsRelationships ? .object(object(for: $0, read: changes.start)) : FoundObject.row($0) }
    let changed = try pending.objects.filter(by: request.predicate)
    found = found.merged(with: changed, storeOrder)
    if !request.sortDescriptors.isEmpty { found = try found.sorted(by: request.sortDescriptors) }
    return FoundObjects(
      context: self, found: Array(found[request.window.range(in: found.count)]), changes: changes, partial: partial)
  }

  /// The unsaved changes that the fetch has to do with.
  func pendingChanges(of fetch: StoreFetch) -> PendingChanges {
    let family = fetch.family
    func isWanted(_ object: ManagedObject) -> Bool {
      guard family.contains(where: { $0 === object.layout }) else { return false }
      guard let stores = fetch.stores else { return true }
      let identity = storeIdentity(of: object.objectID)
      return stores.contains { $0.identity === identity }
    }
    let updated = pendingUpdates.filter { $0.isUpdated && isWanted($0) }
    let deleted = pendingDeletions.filter(isWanted)
    return PendingChanges(
      overlaid: Set((updated + deleted).map(\.objectID)),
      objects: updated + pendingInsertions.filter { $0.isInserted && isWanted($0) })
  }
}

/// The unsaved changes that a fetch has to do with.
struct PendingChanges {
  /// Stored objects whose rows no longer say what they are.
  var overlaid: Set<ManagedObjectID> = []
  /// Changed and new objects.
  var objects: [ManagedObject] = []

  var isEmpty: Bool { overlaid.isEmpty && objects.isEmpty }
}

extension [ManagedObject] {
  /// The objects whose unsaved values the predicate matches.
  fileprivate func filter(by predicate: FetchPredicate?) throws(ObjectGraphError) -> [ManagedObject] {
    guard let predicate else { return self }
    return try evaluating {
      let evaluator = PredicateEvaluator(predicate)
      return try filter { try evaluator.evaluate($0) }
    }
  }
}

extension ManagedObjectID {
  /// Stored objects by their store and key, then those that were never saved in the order they were made.
  fileprivate func position(_ stores: [StoreIdentity]) -> (Int, Int64) {
    if key < 0 { return (.max, -key) }
    return (stores.isEmpty ? 0 : stores.firstIndex { $0 === store } ?? stores.count, key)
  }
}

extension [FoundObject] {
  func sorted(by descriptors: [FetchSortDescriptor]) throws(ObjectGraphError) -> [FoundObject] {
    try evaluating { try descriptors.sorted(self) }
  }

  /// Rows in the order of their keys with stored objects among them, and new objects at the end.
  fileprivate func merged(with objects: [ManagedObject], _ stores: [StoreIdentity]) -> [FoundObject] {
    // What only a parent has is stored for a child, also if it is changed here.
    func isNew(_ object: ManagedObject) -> Bool { object.isInserted && object.objectID.isTemporaryID }
    let stored = objects.filter { !isNew($0) }.map(FoundObject.object)
    // Rows that children saved to this context may be older than its own.
    let new = objects.filter(isNew).sorted { $0.objectID.key > $1.objectID.key }.map(FoundObject.object)
    // Keys of what only a parent has are below 0, and count down.
    return (self + stored).sorted { $0.predicateObjectID.position(stores) < $1.predicateObjectID.position(stores) }
      + new
  }
}

/// Runs evaluation in memory, whose errors are those of predicates.
private func evaluating<T>(_ body: () throws -> T) throws(ObjectGraphError) -> T {
  do {
    return try body()
  } catch let error as FetchPredicateError {
    throw .predicate(error)
  } catch let error as ObjectGraphError {
    throw error
  } catch {
    throw .predicate(.unsupported(in: "a predicate", reason: "\(error)"))
  }
}
