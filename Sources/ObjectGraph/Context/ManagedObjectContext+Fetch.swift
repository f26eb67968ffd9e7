// Fetching and counting: what the store has, with the context's unsaved changes on top.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The objects of the request's entity that its predicate matches, in its order, within its window.
  ///
  /// Without an order, stored objects come in the order of their stores and keys, then new ones in the order they were made.
  /// Unsaved changes decide too: objects marked for deletion are left out, changed ones are judged by their unsaved
  /// values, new ones are added. A row that is already an object of this context stays that object, and a fault takes the
  /// row: fetching `SELF IN %@` fills many faults with one statement. The answer is lazy: an object that the context does
  /// not have yet is made when it is looked at.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 4.5)
  /// request.sortDescriptors = [FetchSortDescriptor(Quake.time, ascending: false)]
  /// request.fetchLimit = 10
  /// for quake in try context.fetch(request) { print(quake[Quake.place] ?? "") }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/predicate(_:)``,
  ///   ``ObjectGraphError/wrongClass(found:expected:)`` when objects of the entity are not of the request's class,
  ///   ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for what only dictionaries can answer,
  ///   ``ObjectGraphError/store(_:during:)``.
  public func fetch<ResultType>(
    _ request: FetchRequest<ResultType>
  ) throws(ObjectGraphError) -> FetchResults<ResultType> {
    queue.check()
    try persistentStoreCoordinator.checkClass(of: request)
    return FetchResults(try find(request.untyped))
  }

  /// The same, whatever the objects' class.
  func find(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> FoundObjects {
    if !request.relationshipKeyPathsForPrefetching.isEmpty { return try fetchPrefetching(request) }
    adoptPermanentIDs()
    if request.includesPendingChanges { try propagateDeletionsOfEvent() }
    var fetch = try storeFetch(request)
    // A child's rows are in its parent's memory already.
    if parentSource == nil { fetch.partial = request.partialProperties(fetch.family) }
    if parentSource == nil, request.fetchBatchSize > 0 || !request.includesPropertyValues {
      let size = request.includesPropertyValues ? request.fetchBatchSize : 0
      return FoundObjects(context: self, keys: try keys(request, fetch), of: fetch, batchSize: size)
    }
    let changes = storedChanges.follow()
    let pending = request.includesPendingChanges ? pendingChanges(of: fetch) : PendingChanges()
    if !pending.isEmpty { fetch.window = request.window.reaching(past: pending.overlaid.count) }
    let rows = try source.rows(fetch)
    if fetch.partial == nil { fillFaults(with: rows, since: changes) }
    // An initializer that fails would have allocated the object before.
    let partial = fetch.partial.map { PartialFetch(fetch, $0) }
    if pending.isEmpty { return FoundObjects(context: self, rows: rows, changes: changes, partial: partial) }
    return try results(of: request, rows: rows, pending, changes, partial)
  }

  /// The same with the objects of the request's relationships.
  private func fetchPrefetching(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> FoundObjects {
    // What cannot be asked is refused, also what prefetching has no use for.
    let layout = try storeFetch(request).layout
    var plain = request
    plain.relationshipKeyPathsForPrefetching = []
    plain.fetchBatchSize = 0
    plain.propertiesToFetch = []
    let changes = storedChanges.follow()
    return try prefetching(request.relationshipKeyPathsForPrefetching, of: layout, for: try find(plain), changes)
  }

  /// What was found, with the objects of these relationships.
  func prefetching(
    _ paths: [String], of layout: EntityLayout, for found: FoundObjects, _ changes: FollowedChanges
  ) throws(ObjectGraphError) -> FoundObjects {
    let objects = (0..<found.count).map { found[$0] }
    let prefetched = try prefetch(paths, from: objects, of: layout)
    return FoundObjects(
      context: self, found: objects.map(FoundObject.object), changes: changes, prefetched: prefetched)
  }

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

  /// The IDs of the objects ``fetch(_:)`` would give, in its order; of the rows nothing but their keys is read, and with
  /// unsaved changes what they are sorted by.
  ///
  /// ```swift
  /// let quakeIDs = try context.fetchObjectIDs(FetchRequest(entityName: "Quake", predicate: Quake.magnitude > 4.5))
  /// let places = try await container.performBackgroundTask { other in
  ///   try quakeIDs.map { try other.existingObject(with: $0)["place"] }
  /// }
  /// ```
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetchObjectIDs(
    _ request: FetchRequest<some ManagedObject>
  ) throws(ObjectGraphError) -> [ManagedObjectID] {
    queue.check()
    let request = request.untyped
    if request.includesPendingChanges { try propagateDeletionsOfEvent() }
    if parentSource != nil { return try find(request).objectIDs }
    let keys = try keys(request, try storeFetch(request))
    return (0..<keys.count).map { keys[$0] }
  }

  /// What the request finds, without the rows.
  private func keys(_ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch) throws(ObjectGraphError) -> FetchedKeys
  {
    let pending = request.includesPendingChanges ? pendingChanges(of: fetch) : PendingChanges()
    if pending.isEmpty { return FetchedKeys(try stored.keys(fetch)) }
    var fetch = fetch
    fetch.window = request.window.reaching(past: pending.overlaid.count)
    if !request.sortsAlongRelationships {
      fetch.columns = Set(
        request.sortDescriptors.compactMap { fetch.layout.slot(named: $0.path.keys.first ?? "") }
          .compactMap { fetch.layout.slots[$0].columnName })
    }
    let rows = try source.rows(fetch)
    return FetchedKeys(
      try results(of: request, rows: rows, pending, storedChanges.follow()), identity: temporaryIdentity)
  }

  private func results(
    of request: FetchRequest<ManagedObject>, rows: StoredRows, _ pending: PendingChanges, _ changes: FollowedChanges,
    _ partial: PartialFetch? = nil
  ) throws(ObjectGraphError) -> FoundObjects {
    let kept = rows.filter { !pending.overlaid.contains($0.objectID) }
    // An order through relationships asks objects, which know where they lead.
    let followsRelationships = request.sortsAlongRelationships
    var found = kept.map { followsRelationships ? .object(object(for: $0, read: changes.start)) : FoundObject.row($0) }
    let changed = try pending.objects.filter(by: request.predicate)
    found = found.merged(with: changed, storeOrder)
    if !request.sortDescriptors.isEmpty { found = try found.sorted(by: request.sortDescriptors) }
    return FoundObjects(
      context: self, found: Array(found[request.window.range(in: found.count)]), changes: changes, partial: partial)
  }

  /// How many objects ``fetch(_:)`` would give, counted by the store where no change is pending.
  ///
  /// ```swift
  /// let felt = FetchRequest(entityName: "Quake", predicate: Quake.felt > 0)
  /// let count = try context.count(for: felt)  // reads no rows
  /// ```
  ///
  /// - Throws: as ``fetch(_:)``.
  public func count(for request: FetchRequest<some ManagedObject>) throws(ObjectGraphError) -> Int {
    queue.check()
    let request = request.untyped
    adoptPermanentIDs()
    if request.includesPendingChanges { try propagateDeletionsOfEvent() }
    let fetch = try storeFetch(request)
    if request.includesPendingChanges, !pendingChanges(of: fetch).isEmpty {
      return try find(request).count
    }
    return request.window.range(in: try source.count(fetch)).count
  }

  /// The object that stands for a stored row in this context; a fault takes the row, an object that has values keeps
  /// them, as in Core Data.
  func object(for row: StoredRow, read: ReadTime) -> ManagedObject {
    queue.check()
    if let object = registered[row.objectID] {
      if object.isFault {
        object.fill(row.snapshot)
        rowCache.refresh(row.objectID, row.snapshot, read: read)
        registered.count(object, cache: rowCache, read: read)
        if object.hasCallbacks { object.awake() }
      }
      return object
    }
    return register(row.objectID, row.layout, row: row.snapshot, read: read)
  }

  /// The request with its entities: its own and, if wanted, those that inherit from it.
  func storeFetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> StoreFetch {
    try request.checkForObjects()
    let fetch = try familyFetch(request)
    try request.checkPartialProperties(fetch.layout)
    return fetch
  }

  /// The same without the check that objects can answer it.
  func familyFetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> StoreFetch {
    try persistentStoreCoordinator.compiledModel.fetch(request)
  }

  private func pendingChanges(of fetch: StoreFetch) -> PendingChanges {
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

extension FetchRequest {
  fileprivate var sortsAlongRelationships: Bool { sortDescriptors.contains { $0.path.keys.count > 1 } }

  /// What is to be read where not all is: the properties, and what the rows are sorted by.
  fileprivate func partialProperties(_ family: [EntityLayout]) -> PartialProperties? {
    if propertiesToFetch.isEmpty || sortsAlongRelationships { return nil }
    return PartialProperties(
      Set(propertiesToFetch.map(\.name) + sortDescriptors.compactMap(\.path.keys.first)), of: family)
  }
}

/// The unsaved changes that a fetch has to do with.
private struct PendingChanges {
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
  fileprivate func sorted(by descriptors: [FetchSortDescriptor]) throws(ObjectGraphError) -> [FoundObject] {
    try evaluating { try descriptors.sorted(self) }
  }

  /// Rows in the order of their keys with stored objects among them, and new objects at the end.
  fileprivate func merged(with objects: [ManagedObject], _ stores: [StoreIdentity]) -> [FoundObject] {
    // What only a parent has is stored for a child, also if it is changed here.
    func isNew(_ object: ManagedObject) -> Bool { object.isInserted && object.objectID.isTemporaryID }
    let stored = objects.filter { !isNew($0) }.map(FoundObject.object)
    // Those that children have saved to this context may be older than its own.
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
