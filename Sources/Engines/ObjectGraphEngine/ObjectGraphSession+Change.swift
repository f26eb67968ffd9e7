// Updates and deletes of stored rows: object by object, or by one batch request.
internal import ObjectGraph
internal import Scenarios
internal import Workloads

extension ObjectGraphSession {
  func change(_ change: RowChange) throws {
    let request = FetchRequest(entityName: entityName, predicate: change.condition?.predicate)
    try context.performAndWait {
      switch (strategy, change.action) {
      case (.save, _): try changeObjects(request, change.action)
      case (.batchUpdate, .update(let assignments)):
        let values = Dictionary(assignments.map { ($0.attribute, $0.value) }) { _, last in last }
        var update = BatchUpdateRequest(
          entityName: entityName, propertiesToUpdate: values, predicate: request.predicate)
        update.resultType = resultType
        stages?.began(.batchUpdate)
        let result = try context.execute(update)
        observing?.note(result)
      case (.batchDelete, .delete): try delete(BatchDeleteRequest(fetchRequest: request))
      case (.batchDeleteIDs, .delete):
        stages?.began(.fetch)
        try delete(BatchDeleteRequest(objectIDs: try context.fetchObjectIDs(request)))
      default: throw SampleError.unsupportedOperation(change.operation)
      }
    }
  }

  private func delete(_ request: BatchDeleteRequest) throws {
    var request = request
    request.resultType = resultType
    stages?.began(.batchDelete)
    let result = try context.execute(request)
    observing?.note(result)
  }

  /// Fetches the objects and saves after every so many of them have been changed or marked for deletion.
  private func changeObjects(_ request: FetchRequest, _ action: RowChange.Action) throws {
    stages?.began(.fetch)
    let objects = try context.fetch(request)
    let step = size.rows(of: objects.count)
    for start in stride(from: 0, to: objects.count, by: step) {
      stages?.began(.objectChanges)
      for object in objects[start..<min(start + step, objects.count)] {
        switch action {
        case .update(let assignments):
          for assignment in assignments { object[assignment.attribute] = assignment.value }
        case .delete: try context.delete(object)
        case .fetch: throw SampleError.unsupportedOperation(.fetch)
        }
      }
      try context.save(tracer: stages)
    }
    stages?.began(.release)
  }
}
