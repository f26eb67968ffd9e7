// Fetches of stored rows as whole objects, faults, objects in batches, dictionaries, object IDs, or a count.
internal import CoreDataModel
internal import BatchmarkEngine
internal import ObjectGraph

/// A session that reads rows with a fetch request.
final class ObjectFetchSession: StackSession, FetchSession {
  /// The result type of the request.
  enum Result {
    /// Objects, whole or as faults.
    case objects(isWhole: Bool)
    /// Whole objects, with those on the query's path.
    case prefetched
    case dictionaries, objectIDs, count
  }

  let stack: ObjectGraphStack
  private let context: ManagedObjectContext
  private let result: Result
  private let batchSize: RowCount
  private let values: ObjectValues
  /// The fetched result, kept alive as by a list on a screen.
  private var held: Any?
  /// The objects reached from it, kept alive as by an app that shows them.
  var reached: [ManagedObject] = []

  init(_ setup: StoreSetup, _ cell: Cell, _ result: Result) throws {
    stack = try ObjectGraphStack(setup, cell)
    self.result = result
    batchSize = cell[.batchSize]
    values = ObjectValues(of: stack.entity)
    context = stack.makeContext()
  }

  /// Keeps a result alive until the end of the session.
  func hold(_ result: Any) { held = result }

  func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws {
    var request = FetchRequest(
      entityName: stack.entity.name, predicate: query.condition?.predicate, sortDescriptors: query.sortDescriptors)
    request.fetchOffset = query.offset
    request.fetchLimit = query.limit ?? 0
    rows = try context.performAndWait { [rows, request] in
      var rows = rows
      try fetch(request, query, into: &rows)
      return rows
    }
  }

  private func fetch(
    _ chosen: FetchRequest<ManagedObject>, _ query: FetchQuery, into rows: inout FetchedRows
  ) throws {
    var request = chosen
    stages?.began(.fetch)
    switch result {
    case .objects, .prefetched:
      if case .objects(isWhole: false) = result { request.includesPropertyValues = false }
      if case .prefetched = result, !query.path.isEmpty {
        request.relationshipKeyPathsForPrefetching = [query.path.joined(separator: ".")]
      }
      if case .rows(let size) = batchSize { request.fetchBatchSize = size }
      let objects = try context.fetch(request)
      stages?.began(.valueReading)
      held = objects
      if !query.path.isEmpty { return try follow(query.path, from: objects, values, into: &rows) }
      if let grouping = query.grouping { return group(objects, by: grouping, into: &rows) }
      for object in objects { rows.add(values.hash(of: object)) }
    case .dictionaries where query.grouping != nil:
      try group(request, query, over: context, into: &rows)
    case .dictionaries:
      request.propertiesToFetch = values.attributes.map { .property($0.name) }
      let dictionaries = try context.fetchDictionaries(request)
      stages?.began(.valueReading)
      for row in dictionaries { rows.add(values.hash(of: row)) }
      held = dictionaries
    case .objectIDs: rows.count(try context.fetchObjectIDs(request).count)
    case .count: rows.count(try context.count(for: request))
    }
  }
}
