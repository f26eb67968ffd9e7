// Updates and deletes of stored rows: object by object, or by one batch request.
internal import CoreDataModel
internal import BatchmarkEngine
internal import ObjectGraph
internal import Scenarios

/// A session that fetches objects, changes or deletes them, and saves.
final class ObjectChangeSession: StackSession, ChangeSession {
  let stack: ObjectGraphStack
  private let context: ManagedObjectContext
  private let saveEvery: RowCount
  private let change: (ManagedObject, ManagedObjectContext) throws -> Void

  /// - Parameters:
  ///   - setup: The store.
  ///   - cell: Says how many objects a save has.
  ///   - change: What is done to each object.
  /// - Throws: What keeps the store from being opened.
  init(
    _ setup: StoreSetup, _ cell: Cell, change: @escaping (ManagedObject, ManagedObjectContext) throws -> Void
  ) throws {
    stack = try ObjectGraphStack(setup, cell)
    saveEvery = cell[.saveEvery]
    self.change = change
    context = stack.makeContext()
  }

  func change(where condition: RowCondition?) throws {
    try context.performAndWait {
      stages?.began(.fetch)
      let objects = try context.fetch(FetchRequest(entityName: stack.entity.name, predicate: condition?.predicate))
      let step = saveEvery.limited(to: objects.count)
      for start in stride(from: 0, to: objects.count, by: step) {
        stages?.began(.objectChanges)
        for object in objects[start..<min(start + step, objects.count)] { try change(object, context) }
        try context.save(tracer: stages)
      }
      stages?.began(.release)
    }
  }
}

/// A session that changes or deletes rows by one batch request.
final class BatchChangeSession: StackSession, ChangeSession {
  let stack: ObjectGraphStack
  private let context: ManagedObjectContext
  private let execute: (FetchRequest<ManagedObject>, BatchChangeSession) throws -> BatchResult

  /// - Parameters:
  ///   - setup: The store.
  ///   - cell: Says who observes.
  ///   - execute: Makes the request for the rows that a fetch request chooses, and carries it out.
  /// - Throws: What keeps the store from being opened.
  init(
    _ setup: StoreSetup, _ cell: Cell,
    execute: @escaping (FetchRequest<ManagedObject>, BatchChangeSession) throws -> BatchResult
  ) throws {
    stack = try ObjectGraphStack(setup, cell)
    self.execute = execute
    context = stack.makeContext()
  }

  func change(where condition: RowCondition?) throws {
    let request = FetchRequest(entityName: stack.entity.name, predicate: condition?.predicate)
    try context.performAndWait {
      let result = try execute(request, self)
      stack.observing?.note(result)
    }
  }

  /// Gives the rows the values.
  func update(_ request: FetchRequest<ManagedObject>, _ assignments: [Assignment]) throws -> BatchResult {
    let values = Dictionary(assignments.map { ($0.attribute, $0.value) }) { _, last in last }
    var update = BatchUpdateRequest(
      entityName: stack.entity.name, propertiesToUpdate: values, predicate: request.predicate)
    update.resultType = stack.resultType
    stages?.began(.batchUpdate)
    return try context.execute(update)
  }

  /// Deletes what the request fetches.
  func delete(_ request: FetchRequest<ManagedObject>) throws -> BatchResult {
    try delete(BatchDeleteRequest(fetchRequest: request))
  }

  /// Fetches the object IDs first, and deletes by them.
  func deleteByObjectIDs(_ request: FetchRequest<ManagedObject>) throws -> BatchResult {
    stages?.began(.fetch)
    return try delete(BatchDeleteRequest(objectIDs: try context.fetchObjectIDs(request)))
  }

  private func delete(_ request: BatchDeleteRequest) throws -> BatchResult {
    var request = request
    request.resultType = stack.resultType
    stages?.began(.batchDelete)
    return try context.execute(request)
  }
}
