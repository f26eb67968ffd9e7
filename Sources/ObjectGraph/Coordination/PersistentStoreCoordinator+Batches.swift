// Passes batch requests to the stores that they concern.
internal import CoreDataModel

extension PersistentStoreCoordinator {
  func execute(_ request: BatchInsertRequest, mergePolicy: MergePolicy) throws(ObjectGraphError) -> BatchResult {
    let layout = try compiledModel.concreteLayout(named: request.entityName)
    try refuseReentrance()
    let store = try insertionStore(request, layout)
    // Do this even if it fails, because some of its transactions may be stored.
    defer { expireCache(insertionOf: layout, mergePolicy) }
    return try store.insert(request, layout: layout, mergePolicy: mergePolicy) { objectID, layout in
      makeObject(objectID, layout, row: layout.defaults, state: .scratch, owner: nil)
    }
  }

  /// The first store that the request selects, or the one for new objects.
  private func insertionStore(
    _ request: BatchInsertRequest, _ layout: EntityLayout
  ) throws(ObjectGraphError) -> SQLiteStore {
    let all = openStores
    if all.isEmpty { throw .noStore }
    let choice = StoreAssignment(all.map(\.identity))
    if let wanted = request.affectedStores {
      _ = try choice.positions(holding: layout, among: wanted)
      return all[try choice.position(of: wanted[0], holding: layout)]
    }
    if let position = choice.placeOfNewObjects(layout) { return all[position] }
    // A read-only store with the entity reports the error itself.
    return all[try choice.positions(holding: layout, among: nil)[0]]
  }

  func execute(_ request: BatchUpdateRequest) throws(ObjectGraphError) -> BatchResult {
    var fetchRequest = FetchRequest(entityName: request.entityName, predicate: request.predicate)
    fetchRequest.includesSubentities = request.includesSubentities
    let fetch = try compiledModel.fetch(fetchRequest)
    let stores = try stores(holding: fetch.layout, among: request.affectedStores)
    defer { rowCache.expire(fetch.layout.family) }
    return try carryOut(MultiStoreBatch(.update(request, fetch), request.resultType, request.origin, in: stores))
  }

  func execute(_ request: BatchDeleteRequest) throws(ObjectGraphError) -> BatchResult {
    switch request.rows {
    case .found(let fetchRequest):
      try fetchRequest.checkForObjects()
      let fetch = try compiledModel.fetch(fetchRequest)
      let stores = try stores(holding: fetch.layout, among: request.affectedStores)
      if stores.count > 1, fetch.window != .all {
        throw .invalidBatch(
          entity: fetch.layout.entity.name, found: "a limit or an offset over \(stores.count) stores",
          expected: "one store in affectedStores, because each store deletes its own rows only")
      }
      defer { expireCache(deletionOf: fetch.layout) }
      return try carryOut(MultiStoreBatch(.delete(fetch), request.resultType, request.origin, in: stores))
    case .objectIDs(let objectIDs): return try delete(objectIDs, request)
    }
  }

  private func delete(
    _ objectIDs: [ManagedObjectID], _ request: BatchDeleteRequest
  ) throws(ObjectGraphError) -> BatchResult {
    let all = openStores
    if all.isEmpty { throw .noStore }
    let objectIDs = objectIDs.map(own)
    guard let first = objectIDs.first else { return BatchTally(resultType: request.resultType).result }
    var keys = [[Int64]](repeating: [], count: all.count)
    for objectID in objectIDs {
      if objectID.isTemporaryID {
        throw .invalidBatch(
          entity: first.entityName, found: "the temporary object ID \(objectID)",
          expected: "IDs of stored rows; save the object first, or delete it in its context")
      }
      guard let position = all.firstIndex(where: { $0.identity === objectID.store }) else {
        throw .foreignObject(objectID)
      }
      if objectID.entityIndex != first.entityIndex {
        throw .invalidBatch(
          entity: first.entityName, found: "object IDs of \(first.entityName) and of \(objectID.entityName)",
          expected: "IDs of one entity; delete others by another request")
      }
      if let wanted = request.affectedStores, !wanted.contains(all[position].handle) {
        throw .wrongStore(
          found: "\(objectID), of the store \(all[position].identity.path)",
          expected: "object IDs of the affectedStores")
      }
      keys[position].append(objectID.key)
    }
    let layout = compiledModel.layouts[Int(first.entityIndex)]
    let positions = all.indices.filter { !keys[$0].isEmpty }
    defer { expireCache(deletionOf: layout) }
    return try carryOut(
      MultiStoreBatch(
        .deleteKeys(positions.map { keys[$0] }, of: layout), request.resultType, request.origin,
        in: positions.map { all[$0] }))
  }

  /// Makes contexts read rows again that a batch insert may have overwritten.
  ///
  /// A row that changes its entity also changes the rows that refer to it.
  private func expireCache(insertionOf layout: EntityLayout, _ mergePolicy: MergePolicy) {
    guard !layout.constraints.isEmpty, ConflictResolution(batchInsertUnder: mergePolicy) == .overwriteStored else {
      return
    }
    rowCache.expire(layout.sharesTable ? compiledModel.layouts.indices : layout.index..<layout.index + 1)
  }

  /// Makes contexts read rows again that a batch delete may have deleted or removed from relationships.
  private func expireCache(deletionOf layout: EntityLayout) {
    let isRelated = compiledModel.layouts[layout.family].contains(where: \.hasRelationships)
    rowCache.expire(isRelated ? compiledModel.layouts.indices : layout.family)
  }

  /// Makes every store execute its part, all or none, and combines the results.
  private func carryOut(_ batch: MultiStoreBatch) throws(ObjectGraphError) -> BatchResult {
    try refuseReentrance()
    if batch.stores.count == 1 { return try batch.carryOut(0) {} }
    var writing = MultiStoreTransaction(batch)
    try writing.run()
    return batch.results.compactMap(\.self).sum(batch.resultType)
  }
}

/// A batch update or delete in the stores that it concerns.
private final class MultiStoreBatch: MultiStoreRequest {
  enum Work {
    case update(BatchUpdateRequest, StoreFetch)
    case delete(StoreFetch)
    /// A list of keys for each store.
    case deleteKeys([[Int64]], of: EntityLayout)
  }

  let stores: [SQLiteStore]
  let resultType: BatchResultType
  private(set) var results: [BatchResult?]
  private let work: Work
  private let origin: RequestOrigin

  init(_ work: Work, _ resultType: BatchResultType, _ origin: RequestOrigin, in stores: [SQLiteStore]) {
    self.work = work
    self.resultType = resultType
    self.origin = origin
    self.stores = stores
    results = [BatchResult?](repeating: nil, count: stores.count)
  }

  var paths: [String] { stores.map(\.identity.path) }

  func write(
    _ position: Int, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> Bool {
    results[position] = try carryOut(position) { () throws(ObjectGraphError) in _ = try mayCommit() }
    return true
  }

  func carryOut(
    _ position: Int, beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult {
    let store = stores[position]
    switch work {
    case .update(let request, let fetch): return try store.update(request, fetch, beforeCommit: beforeCommit)
    case .delete(let fetch):
      return try store.delete(fetch, resultType: resultType, by: origin, beforeCommit: beforeCommit)
    case .deleteKeys(let keys, let layout):
      return try store.delete(
        keys: keys[position], of: layout, resultType: resultType, by: origin, beforeCommit: beforeCommit)
    }
  }
}

extension [BatchResult] {
  /// Combines results of one type in their order.
  fileprivate func sum(_ resultType: BatchResultType) -> BatchResult {
    var tally = BatchTally(resultType: resultType)
    var objectIDs: [ManagedObjectID] = []
    for result in self {
      switch result {
      case .statusOnly: break
      case .count(let count): tally.count += count
      case .objectIDs(let found): objectIDs += found
      case .changes(let changes):
        tally.changes.inserted += changes.inserted
        tally.changes.updated += changes.updated
        tally.changes.deleted += changes.deleted
      }
    }
    return resultType == .objectIDs ? .objectIDs(objectIDs) : tally.result
  }
}
