// Applies unsaved changes to what a fetch read: which rows they hide, which objects they add, and in which order.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The request's result from stored rows that match its predicate, in its order and from the first one: applies
  /// pending changes and cuts the result to the offset and limit.
  ///
  /// If the request excludes pending changes, the rows are already cut.
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

  /// How many rows to read for the request's offset and limit, given that pending changes may hide some.
  func window(for request: FetchRequest<ManagedObject>, _ fetch: StoreFetch) -> Window {
    request.window.reaching(past: pendingChanges(of: fetch).overlaid.count)
  }

  /// Whether pending changes hid so many rows that more may be needed for the request's offset and limit.
  func lacksRows(_ rows: StoredRows, of fetch: StoreFetch, for request: FetchRequest<ManagedObject>) -> Bool {
    guard fetch.window.limit > 0, rows.count == fetch.window.limit else { return false }
    let overlaid = pendingChanges(of: fetch).overlaid
    return rows.count(where: { !overlaid.contains($0.objectID) }) < request.window.reaching(past: 0).limit
  }

  /// The request's result from stored rows and pending changes.
  func results(
    of request: FetchRequest<ManagedObject>, rows: StoredRows, _ pending: PendingChanges, _ changes: FollowedChanges,
    _ partial: PartialFetch? = nil
  ) throws(ObjectGraphError) -> FoundObjects {
    let kept = rows.filter { !pending.overlaid.contains($0.objectID) }
    // Sorting along relationships requires objects, which know their destinations.
    let followsRelationships = request.sortsAlongRelationships
    var found = kept.map { followsRelationships ? .object(object(for: $0, read: changes.start)) : FoundObject.row($0) }
    let changed = try pending.objects.filter(by: request.predicate)
    found = found.merged(with: changed, storeOrder)
    if !request.sortDescriptors.isEmpty { found = try found.sorted(by: request.sortDescriptors) }
    return FoundObjects(
      context: self, found: Array(found[request.window.range(in: found.count)]), changes: changes, partial: partial)
  }

  /// The unsaved changes that affect the fetch.
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

/// The unsaved changes that affect a fetch.
struct PendingChanges {
  /// Stored objects with rows that are no longer up to date.
  var overlaid: Set<ManagedObjectID> = []
  /// Changed and new objects.
  var objects: [ManagedObject] = []

  var isEmpty: Bool { overlaid.isEmpty && objects.isEmpty }
}

extension [ManagedObject] {
  /// The objects with unsaved values that match the predicate.
  fileprivate func filter(by predicate: FetchPredicate?) throws(ObjectGraphError) -> [ManagedObject] {
    guard let predicate else { return self }
    return try evaluating {
      let evaluator = PredicateEvaluator(predicate)
      return try filter { try evaluator.evaluate($0) }
    }
  }
}

extension ManagedObjectID {
  /// Sorts stored objects by store and key, followed by those that were never saved in creation order.
  fileprivate func position(_ stores: [StoreIdentity]) -> (Int, Int64) {
    if key < 0 { return (.max, -key) }
    return (stores.isEmpty ? 0 : stores.firstIndex { $0 === store } ?? stores.count, key)
  }
}

extension [FoundObject] {
  func sorted(by descriptors: [FetchSortDescriptor]) throws(ObjectGraphError) -> [FoundObject] {
    try evaluating { try descriptors.sorted(self) }
  }

  /// Merges stored objects into rows in key order, and appends new objects.
  fileprivate func merged(with objects: [ManagedObject], _ stores: [StoreIdentity]) -> [FoundObject] {
    // For a child, an object that only its parent has counts as stored, even if it is changed here.
    func isNew(_ object: ManagedObject) -> Bool { object.isInserted && object.objectID.isTemporaryID }
    let stored = objects.filter { !isNew($0) }.map(FoundObject.object)
    // Sort them, because new objects from children may be older than this context's own.
    let new = objects.filter(isNew).sorted { $0.objectID.key > $1.objectID.key }.map(FoundObject.object)
    // Objects that only a parent has are keyed from -1 downwards, and `position` handles them.
    return (self + stored).sorted { $0.predicateObjectID.position(stores) < $1.predicateObjectID.position(stores) }
      + new
  }
}

/// Runs an evaluation in memory and converts its errors to predicate errors.
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
