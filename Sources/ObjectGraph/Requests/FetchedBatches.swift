// Rows of a fetch that are read in batches when one of them is used.
internal import CoreDataModel

/// The keys of a fetch's rows, and the rows of the most recently used batches.
///
/// Use it on its context's queue.
final class FetchedBatches {
  /// The rows of one section of the result, as they were read.
  ///
  /// A class, so that accessing one of its rows takes only one reference.
  private final class Batch {
    let number: Int
    /// `nil` at the positions of new objects.
    let rows: PlacedRows
    let changes: FollowedChanges

    init(number: Int, rows: PlacedRows, changes: FollowedChanges) {
      self.number = number
      self.rows = rows
      self.changes = changes
    }
  }

  let keys: FetchedKeys
  private let context: ManagedObjectContext
  private let fetch: StoreFetch
  /// 0 to read no rows: objects are then faults.
  private let size: Int
  // Exclusivity is unchecked, because each access to an object uses these; no user code runs while they are written.
  /// The last two batches, so that moving back and forth over a boundary reads nothing again; the most recently used
  /// one is last.
  @exclusivity(unchecked) private var batches: [Batch] = []
  /// The objects of rows that were gone when their batch was read.
  @exclusivity(unchecked) private var missing: [Int: ManagedObject] = [:]

  init(_ keys: FetchedKeys, of fetch: StoreFetch, size: Int, context: ManagedObjectContext) {
    self.keys = keys
    self.fetch = fetch
    self.size = size
    self.context = context
  }

  func object(at position: Int) -> ManagedObject {
    if let object = keys.object(at: position) { return object }
    // The usual case: a row in the most recently used batch.
    if missing.isEmpty, fetch.partial == nil, let batch = batches.last, batch.number == position / size,
      !batch.changes.isExpired, let number = batch.rows.number(at: position - batch.number * size)
    {
      return context.object(at: number, of: batch.rows.rows, since: batch.changes, nil)
    }
    if !missing.isEmpty, let object = missing[position] { return object }
    let objectID = keys[position]
    if let object = context.registered[objectID], size == 0 || !object.isFault { return object }
    // If the batch cannot be read, the object is a fault, which reports the error when it is read.
    guard size > 0, let batch = batch(position / size) else { return context.objectOrFault(objectID) }
    if let row = batch.rows[position - batch.number * size] {
      return context.object(for: row, since: batch.changes, fetch.partial)
    }
    let object = context.missingObject(objectID)
    missing[position] = object
    return object
  }

  /// The batch, which is read unless it is one of the last two and still valid; `nil` if it cannot be read.
  private func batch(_ number: Int) -> Batch? {
    if let last = batches.last, last.number == number, !last.changes.isExpired { return last }
    batches.removeAll { $0.changes.isExpired }
    if let index = batches.firstIndex(where: { $0.number == number }) {
      batches.append(batches.remove(at: index))
      return batches.last
    }
    let changes = context.storedChanges.follow()
    let positions = number * size..<min((number + 1) * size, keys.count)
    guard let rows = try? fetch.rows(of: positions.map { keys[$0] }, in: context) else { return nil }
    if fetch.partial == nil { context.fillFaults(with: rows.lazy.compactMap(\.self), since: changes) }
    if batches.count == 2 { batches.removeFirst() }
    batches.append(Batch(number: number, rows: rows, changes: changes))
    return batches.last
  }
}

/// The keys of a fetch's result, with new objects among them, which have no rows yet.
struct FetchedKeys {
  private let keys: StoredKeys
  /// New objects by position.
  private let objects: [Int: ManagedObject]

  init(_ keys: StoredKeys) {
    self.keys = keys
    objects = [:]
  }

  /// - Parameters:
  ///   - results: Rows and objects; only the keys of stored ones are kept.
  ///   - identity: The identity for the keys if nothing is stored.
  init(_ results: FoundObjects, identity: StoreIdentity) {
    let objectIDs = results.objectIDs
    var keys = StoredKeys(store: objectIDs.first { !$0.isTemporaryID }?.store ?? identity)
    var objects: [Int: ManagedObject] = [:]
    for (index, one) in results.found.enumerated() {
      if case .object(let object) = one, object.objectID.isTemporaryID { objects[index] = object }
      keys.append(objectIDs[index])
    }
    self.keys = keys
    self.objects = objects
  }

  var count: Int { keys.count }

  /// The object without a row at this position, if there is one.
  func object(at position: Int) -> ManagedObject? { objects.isEmpty ? nil : objects[position] }

  subscript(position: Int) -> ManagedObjectID { object(at: position)?.objectID ?? keys[position] }
}

extension StoreFetch {
  /// Reads the rows with the IDs, in their order: only rows of the requested entities, and only the requested
  /// properties.
  func rows(
    of objectIDs: [ManagedObjectID], in context: ManagedObjectContext
  ) throws(ObjectGraphError) -> PlacedRows {
    guard partial != nil else {
      let rows = try context.source.rows(of: objectIDs)
      if !layout.sharesTable { return rows }
      // Others may have changed the entity of a row.
      return PlacedRows(rows.map { row in family.contains { $0 === row?.layout } ? row : nil })
    }
    let stored = objectIDs.filter { !$0.isTemporaryID }.map(FetchExpression.object)
    let predicate = FetchPredicate.comparison(.init(.path(FetchPath(keys: [])), .isIn, .list(stored)))
    var byID = RowTable<StoredRow>(context.persistentStoreCoordinator.compiledModel)
    for row in try context.source.rows(with(predicate)) { byID.updateValue(row, for: row.objectID) }
    return PlacedRows(objectIDs.map { byID[$0] })
  }

  /// A fetch of the same entities with another predicate.
  private func with(_ predicate: FetchPredicate) -> StoreFetch {
    StoreFetch(
      layout: layout, family: family, predicate: predicate, sortDescriptors: [], window: .all, stores: stores,
      partial: partial)
  }
}
