// Updates and deletes of stored rows, object by object or by one batch request.
internal import CoreDataModel
internal import BatchmarkEngine
internal import ObjectGraph

/// A session that fetches objects, changes or deletes them, and saves.
final class ObjectChangeSession: StackSession, ChangeSession {
  let stack: ObjectGraphStack
  private let context: ManagedObjectContext
  private let saveEvery: RowCount
  private let change: (ManagedObject, ManagedObjectContext) throws -> Void

  /// - Parameters:
  ///   - setup: The store.
  ///   - cell: Determines the number of objects per save.
  ///   - change: The change of each object.
  /// - Throws: The error of opening the store.
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
        try stack.setup.request { try context.save(tracer: stages) }
      }
      stages?.began(.release)
    }
  }
}

/// A session that changes or deletes rows with batch requests: one request, unless the cell limits its rows.
final class BatchChangeSession: StackSession, ChangeSession {
  let stack: ObjectGraphStack
  private let context: ManagedObjectContext
  private let requestSize: RowCount
  private let execute: (FetchRequest<ManagedObject>, BatchChangeSession) throws -> Void

  /// - Parameters:
  ///   - setup: The store.
  ///   - cell: Determines the observer, and the maximum number of rows per request.
  ///   - execute: Performs requests for the rows of a fetch request.
  /// - Throws: The error of opening the store.
  init(
    _ setup: StoreSetup, _ cell: Cell,
    execute: @escaping (FetchRequest<ManagedObject>, BatchChangeSession) throws -> Void
  ) throws {
    stack = try ObjectGraphStack(setup, cell)
    requestSize = cell[.requestSize]
    self.execute = execute
    context = stack.makeContext()
  }

  func change(where condition: RowCondition?) throws {
    let request = FetchRequest(entityName: stack.entity.name, predicate: condition?.predicate)
    try context.performAndWait { try execute(request, self) }
  }

  /// Sets the values in the rows.
  func update(_ request: FetchRequest<ManagedObject>, _ assignments: [Assignment]) throws {
    let values = Dictionary(assignments.map { ($0.attribute, $0.value) }) { _, last in last }
    var update = BatchUpdateRequest(
      entityName: stack.entity.name, propertiesToUpdate: values, predicate: request.predicate)
    update.resultType = stack.resultType
    stages?.began(.batchUpdate)
    let result = try context.execute(update)
    stack.observing?.note(result)
  }

  /// Deletes the rows of the request: all at once, or a limited number per request until none is left.
  func delete(_ request: FetchRequest<ManagedObject>) throws {
    guard case .rows(let rows) = requestSize else {
      _ = try delete(BatchDeleteRequest(fetchRequest: request), resultType: stack.resultType)
      return
    }
    var request = request
    request.fetchLimit = rows
    let resultType = stack.resultType == .statusOnly ? BatchResultType.count : stack.resultType
    while try delete(BatchDeleteRequest(fetchRequest: request), resultType: resultType).hasRows {}
  }

  /// Fetches the object IDs first, and then deletes by them.
  func deleteByObjectIDs(_ request: FetchRequest<ManagedObject>) throws {
    stages?.began(.fetch)
    _ = try delete(
      BatchDeleteRequest(objectIDs: try context.fetchObjectIDs(request)), resultType: stack.resultType)
  }

  private func delete(_ request: BatchDeleteRequest, resultType: BatchResultType) throws -> BatchResult {
    var request = request
    request.resultType = resultType
    stages?.began(.batchDelete)
    let result = try stack.setup.request { [request] in try context.execute(request) }
    stack.observing?.note(result)
    return result
  }
}

extension BatchResult {
  /// Whether the request deleted any row.
  fileprivate var hasRows: Bool {
    switch self {
    case .statusOnly: false
    case .count(let count): count > 0
    case .objectIDs(let objectIDs): !objectIDs.isEmpty
    case .changes(let changes): !changes.deleted.isEmpty
    }
  }
}
