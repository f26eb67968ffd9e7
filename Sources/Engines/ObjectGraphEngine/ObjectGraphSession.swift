// One store of the ObjectGraph engine: a stack, a context, and how each strategy feeds it.
internal import ObjectGraph
internal import Scenarios
internal import Workloads

/// A session of the `objectgraph` engine.
final class ObjectGraphSession: EngineSession {
  let strategy: ObjectGraphEngine.StrategyName
  let size: ParameterValue
  let entityName: String
  private let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  init(_ setup: StoreSetup, strategy: ObjectGraphEngine.StrategyName, size: ParameterValue) throws {
    self.strategy = strategy
    self.size = size
    entityName = setup.entityName
    coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
    try coordinator.addPersistentStore(setup.storeDescription)
    context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    let policy = setup.mergePolicy
    context.performAndWait { context.mergePolicy = policy }
  }

  func ingest(_ rows: ColumnarRows) throws {
    let source = RowSource(rows)
    let step = size.rows(of: rows.count)
    try context.performAndWait {
      for start in stride(from: 0, to: rows.count, by: step) {
        try store(source, range: start..<min(start + step, rows.count))
      }
    }
  }

  func checkpoint() throws { try coordinator.checkpoint() }

  func pragma(_ name: String) throws -> String? { try coordinator.pragma(name) }

  func close() throws { try coordinator.close() }

  /// One save or one request.
  private func store(_ source: RowSource, range: Range<Int>) throws {
    switch strategy {
    case .save:
      for row in range { source.fill(try context.insertNewObject(forEntityName: entityName), row: row) }
      try context.save()
    case .batchObjects:
      var objects: [[String: AttributeValue]] = []
      objects.reserveCapacity(range.count)
      for row in range {
        var values: [String: AttributeValue] = [:]
        values.reserveCapacity(source.fields.count)
        source.fill(&values, row: row)
        objects.append(values)
      }
      try context.execute(BatchInsertRequest(entityName: entityName, objects: objects))
    case .batchDictionary:
      var row = range.lowerBound
      let request = BatchInsertRequest(entityName: entityName) { (values: inout [String: AttributeValue]) in
        guard row < range.upperBound else { return true }
        source.fill(&values, row: row)
        row += 1
        return false
      }
      try context.execute(request)
    case .batchManagedObject:
      var row = range.lowerBound
      let request = BatchInsertRequest(entityName: entityName) { (object: ManagedObject) in
        guard row < range.upperBound else { return true }
        source.fill(object, row: row)
        row += 1
        return false
      }
      try context.execute(request)
    case .batchUpdate, .batchDelete, .batchDeleteIDs: throw SampleError.unsupportedOperation(.insert)
    }
  }
}
