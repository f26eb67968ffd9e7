// Batch requests on their way to the store.

extension PersistentStoreCoordinator {
  func execute(_ request: BatchInsertRequest, mergePolicy: MergePolicy) throws(ObjectGraphError) -> BatchResult {
    let layout = try compiledModel.concreteLayout(named: request.entityName)
    return try store().insert(request, layout: layout, mergePolicy: mergePolicy, makeObject: makeObject)
  }

  func execute(_ request: BatchUpdateRequest) throws(ObjectGraphError) -> BatchResult {
    var fetch = FetchRequest(entityName: request.entityName, predicate: request.predicate)
    fetch.includesSubentities = request.includesSubentities
    return try store().update(request, try compiledModel.fetch(fetch))
  }

  func execute(_ request: BatchDeleteRequest) throws(ObjectGraphError) -> BatchResult {
    switch request.rows {
    case .found(let fetch):
      try fetch.checkForObjects()
      return try store().delete(try compiledModel.fetch(fetch), resultType: request.resultType, by: request.origin)
    case .objectIDs(let objectIDs):
      let store = try store()
      guard let first = objectIDs.first else { return BatchTally(resultType: request.resultType).result }
      for objectID in objectIDs {
        if objectID.isTemporaryID {
          throw .invalidBatch(
            entity: first.entityName, found: "the temporary object ID \(objectID)",
            expected: "IDs of stored rows; save the object first, or delete it in its context")
        }
        if objectID.store !== store.identity { throw .foreignObject(objectID) }
        if objectID.entityIndex != first.entityIndex {
          throw .invalidBatch(
            entity: first.entityName, found: "object IDs of \(first.entityName) and of \(objectID.entityName)",
            expected: "IDs of one entity; delete those of others by a request of their own")
        }
      }
      return try store.delete(
        keys: objectIDs.map(\.key), of: compiledModel.layouts[Int(first.entityIndex)], resultType: request.resultType,
        by: request.origin)
    }
  }
}
