// Fetches and counts: the store's content with the context's unsaved changes on top.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The objects of the request's entity that match its predicate, in its order, within its offset and limit.
  ///
  /// Without sort descriptors, stored objects are ordered by store and key, followed by new ones in creation order.
  /// Unsaved changes count: objects marked for deletion are omitted, changed ones are matched by their unsaved values,
  /// new ones are included. If the context already has an object for a row, the result contains that object, and a
  /// fault takes over the row's values: fetching `SELF IN %@` fills many faults with one statement. The result is lazy:
  /// an object that the context does not have yet is created on first use.
  ///
  /// ```swift
  /// var request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 4.5)
  /// request.sortDescriptors = [FetchSortDescriptor(Quake.time, ascending: false)]
  /// request.fetchLimit = 10
  /// for quake in try context.fetch(request) { print(quake[Quake.place] ?? "") }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/predicate(_:)``,
  ///   ``ObjectGraphError/wrongClass(found:expected:)`` if objects of the entity do not have the request's class,
  ///   ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for requests that only dictionaries can answer,
  ///   ``ObjectGraphError/store(_:during:)``.
  public func fetch<ResultType>(
    _ request: FetchRequest<ResultType>
  ) throws(ObjectGraphError) -> FetchResults<ResultType> {
    queue.check()
    try persistentStoreCoordinator.checkClass(of: request)
    return FetchResults(try find(request.untyped))
  }

  /// The objects that the request finds, whatever their class.
  func find(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> FoundObjects {
    if !request.relationshipKeyPathsForPrefetching.isEmpty { return try fetchPrefetching(request) }
    adoptPermanentIDs()
    if request.includesPendingChanges { try propagateDeletionsOfEvent() }
    var fetch = try storeFetch(request)
    // A child's rows are already in its parent's memory.
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
    // A failing initializer would already have allocated the object.
    let partial = fetch.partial.map { PartialFetch(fetch, $0) }
    if pending.isEmpty { return FoundObjects(context: self, rows: rows, changes: changes, partial: partial) }
    return try results(of: request, rows: rows, pending, changes, partial)
  }

  /// Fetches the objects together with those of the request's relationships.
  private func fetchPrefetching(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> FoundObjects {
    // Refuse invalid requests, including parts that prefetching does not use.
    let layout = try storeFetch(request).layout
    var plain = request
    plain.relationshipKeyPathsForPrefetching = []
    plain.fetchBatchSize = 0
    plain.propertiesToFetch = []
    let changes = storedChanges.follow()
    return try prefetching(request.relationshipKeyPathsForPrefetching, of: layout, for: try find(plain), changes)
  }

  /// The objects found, after fetching the objects of these relationships.
  func prefetching(
    _ paths: [String], of layout: EntityLayout, for found: FoundObjects, _ changes: FollowedChanges
  ) throws(ObjectGraphError) -> FoundObjects {
    let objects = (0..<found.count).map { found[$0] }
    let prefetched = try prefetch(paths, from: objects, of: layout)
    return FoundObjects(
      context: self, found: objects.map(FoundObject.object), changes: changes, prefetched: prefetched)
  }

  /// The IDs of the objects that ``fetch(_:)`` would return, in its order; reads only keys and, with unsaved changes,
  /// sort values.
  ///
  /// ```swift
  /// let quakeIDs = try context.fetchObjectIDs(FetchRequest(entityName: "Quake", predicate: Quake.magnitude > 4.5))
  /// let places = try await container.performBackgroundTask { other in
  ///   try quakeIDs.map { try other.existingObject(with: $0)["place"] }
  /// }
  /// ```
  ///
  /// - Throws: The same errors as ``fetch(_:)``.
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

  /// The keys of the rows that the request finds.
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

  /// How many objects ``fetch(_:)`` would return; the store counts them if there are no pending changes.
  ///
  /// ```swift
  /// let felt = FetchRequest(entityName: "Quake", predicate: Quake.felt > 0)
  /// let count = try context.count(for: felt)  // reads no rows
  /// ```
  ///
  /// - Throws: The same errors as ``fetch(_:)``.
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
  /// As in Core Data, a fault takes over the row's values, and an object that has values keeps them.
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

  /// The request with its entities: its own and, if requested, its sub-entities.
  func storeFetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> StoreFetch {
    try request.checkForObjects()
    let fetch = try familyFetch(request)
    try request.checkPartialProperties(fetch.layout)
    return fetch
  }

  /// Like `storeFetch(_:)`, but without checking that the request can return objects.
  func familyFetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> StoreFetch {
    try persistentStoreCoordinator.compiledModel.fetch(request)
  }
}

extension FetchRequest {
  var sortsAlongRelationships: Bool { sortDescriptors.contains { $0.path.keys.count > 1 } }

  /// What to read if not everything: the requested properties, and the sort keys.
  fileprivate func partialProperties(_ family: [EntityLayout]) -> PartialProperties? {
    if propertiesToFetch.isEmpty || sortsAlongRelationships { return nil }
    return PartialProperties(
      Set(propertiesToFetch.map(\.name) + sortDescriptors.compactMap(\.path.keys.first)), of: family)
  }
}
