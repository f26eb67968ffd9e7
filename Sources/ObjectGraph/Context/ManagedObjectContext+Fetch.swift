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

  /// The object of a stored row in this context.
  ///
  /// As in Core Data, a fault takes the row's values, and an object that has values keeps them.
  @inline(__always)
  func object(for row: StoredRow, read: ReadTime) -> ManagedObject {
    queue.check()
    guard let object = registered[row.objectID] else {
      return register(row.objectID, row.layout, row: row.snapshot, read: read)
    }
    if object.isFault { fill(object, with: row, read: read) }
    return object
  }

  @inline(never)
  private func fill(_ fault: ManagedObject, with row: StoredRow, read: ReadTime) {
    fault.fill(row.snapshot)
    rowCache.refresh(row.objectID, row.snapshot, read: read)
    registered.count(fault, cache: rowCache, read: read)
    if fault.hasCallbacks { fault.awake() }
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
}

extension FetchRequest {
  var sortsAlongRelationships: Bool { sortDescriptors.contains { $0.path.keys.count > 1 } }

  /// What to read if not everything: the properties, and what the rows are sorted by.
  fileprivate func partialProperties(_ family: [EntityLayout]) -> PartialProperties? {
    if propertiesToFetch.isEmpty || sortsAlongRelationships { return nil }
    return PartialProperties(
      Set(propertiesToFetch.map(\.name) + sortDescriptors.compactMap(\.path.keys.first)), of: family)
  }
}
