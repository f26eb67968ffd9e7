// Rows of a fetch that are read a batch at a time, when one of them is looked at.

/// The keys of a fetch's rows, and the rows of the batches that were looked at last.
///
/// It belongs to its context's queue.
final class FetchedBatches {
  /// The rows of one stretch of the result, as they were read.
  private struct Batch {
    let number: Int
    let rows: RowTable<StoredRow>
    let changes: FollowedChanges
  }

  let keys: FetchedKeys
  private let context: ManagedObjectContext
  private let fetch: StoreFetch
  /// 0 to read no rows: objects are faults.
  private let size: Int
  /// The last two, so that going to and fro over a border reads nothing again; the last one looked at last.
  private var batches: [Batch] = []
  /// What stands for rows that were gone when their batch was read.
  private var missing: [Int: ManagedObject] = [:]

  init(_ keys: FetchedKeys, of fetch: StoreFetch, size: Int, context: ManagedObjectContext) {
    self.keys = keys
    self.fetch = fetch
    self.size = size
    self.context = context
  }

  func object(at position: Int) -> ManagedObject {
    if let object = keys.objects[position] ?? missing[position] { return object }
    let objectID = keys[position]
    if let object = context.registered[objectID], size == 0 || !object.isFault { return object }
    // Without its batch the object is a fault, whose reading says what is wrong.
    guard size > 0, let batch = batch(position / size) else { return context.objectOrFault(objectID) }
    if let row = batch.rows[objectID] {
      if let partial = fetch.partial { return context.object(for: row, since: batch.changes, partial) }
      return context.object(for: row, since: batch.changes)
    }
    let object = context.missingObject(objectID)
    missing[position] = object
    return object
  }

  /// The batch, read unless it is one of the last two; nil when it cannot be read.
  private func batch(_ number: Int) -> Batch? {
    if let last = batches.last, last.number == number { return last }
    if let index = batches.firstIndex(where: { $0.number == number }) {
      batches.append(batches.remove(at: index))
      return batches.last
    }
    let positions = number * size..<min((number + 1) * size, keys.count)
    let wanted = positions.filter { keys.objects[$0] == nil }.map { FetchExpression.object(keys[$0]) }
    let changes = context.storedChanges.follow()
    let predicate = FetchPredicate.comparison(.init(.path(FetchPath(keys: [])), .isIn, .list(wanted)))
    guard let rows = try? context.source.rows(fetch.with(predicate)) else { return nil }
    if fetch.partial == nil { context.fillFaults(with: rows, since: changes) }
    var byID = RowTable<StoredRow>(context.persistentStoreCoordinator.compiledModel)
    for row in rows { byID.updateValue(row, for: row.objectID) }
    if batches.count == 2 { batches.removeFirst() }
    batches.append(Batch(number: number, rows: byID, changes: changes))
    return batches.last
  }
}

/// The keys of a fetch's answer, with the new objects among them, which have no row yet.
struct FetchedKeys {
  private let keys: StoredKeys
  /// By their place.
  let objects: [Int: ManagedObject]

  init(_ keys: StoredKeys) {
    self.keys = keys
    objects = [:]
  }

  /// - Parameters:
  ///   - results: Rows and objects; only the keys of stored ones are kept.
  ///   - identity: What the keys name when nothing is stored.
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

  subscript(position: Int) -> ManagedObjectID { objects[position]?.objectID ?? keys[position] }
}

extension StoreFetch {
  /// The rows of the same entities that another predicate matches.
  fileprivate func with(_ predicate: FetchPredicate) -> StoreFetch {
    StoreFetch(
      layout: layout, family: family, predicate: predicate, sortDescriptors: [], window: .all, stores: stores,
      partial: partial)
  }
}
