// Reads from stores: directly from the one that a request concerns, or combined from several.
internal import CoreDataModel

/// The stored content of one or several stores, as contexts read it.
protocol MultiStoreReader: ObjectReader {
  var compiledModel: CompiledModel { get }

  /// The stores in the order in which they were added; at least one.
  func readers() throws(ObjectGraphError) -> [SQLiteReader]
}

extension PersistentStoreCoordinator: MultiStoreReader {}

extension MultiStoreReader {
  func rows(_ fetch: StoreFetch, shouldContinue: () -> Bool = { true }) throws(ObjectGraphError) -> StoredRows {
    let stores = try readers(for: fetch)
    if stores.count == 1 { return try stores[0].rows(fetch, shouldContinue: shouldContinue) }
    var part = fetch
    part.window = fetch.window.ofEachStore
    var runs: [SortedRun<StoredRow>] = []
    var isStopped = false
    for store in stores where !isStopped {
      let run = try store.sortedRows(part) {
        isStopped = !shouldContinue()
        return !isStopped
      }
      runs.append(run)
    }
    return StoredRows(SortedRun.merged(runs, by: fetch.sortDescriptors, window: fetch.window))
  }

  func keys(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredKeys {
    let stores = try readers(for: fetch)
    if stores.count == 1 { return try stores[0].keys(fetch) }
    var part = fetch
    part.window = fetch.window.ofEachStore
    var runs: [SortedRun<ManagedObjectID>] = []
    for store in stores { runs.append(try store.sortedKeys(part)) }
    var keys = StoredKeys(store: stores[0].identity)
    for objectID in SortedRun.merged(runs, by: fetch.sortDescriptors, window: fetch.window) { keys.append(objectID) }
    return keys
  }

  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int {
    var count = 0
    for store in try readers(for: fetch) { count += try store.count(fetch) }
    return count
  }

  func dictionaries(_ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch) throws(ObjectGraphError)
    -> DictionaryResults
  {
    let stores = try readers(for: fetch)
    if stores.count == 1 { return try stores[0].dictionaries(request, fetch) }
    var part = fetch
    part.window = fetch.window.ofEachStore
    var names: [String] = []
    var runs: [SortedRun<DictionaryRow>] = []
    for store in stores {
      let found = try store.sortedDictionaries(request, part)
      names = found.names
      runs.append(found.rows)
    }
    var results = DictionaryResults(names: names)
    for row in SortedRun.merged(runs, by: fetch.sortDescriptors, window: fetch.window) { results.append(row) }
    return results
  }

  func row(_ objectID: ManagedObjectID, layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot? {
    if objectID.isTemporaryID { return nil }
    for store in try readers() where store.identity === objectID.store {
      return try store.row(key: objectID.key, of: layout)
    }
    throw .foreignObject(objectID)
  }

  /// The stored rows for the IDs, in the same order; `nil` for temporary IDs and deleted rows.
  func rows(of objectIDs: [ManagedObjectID]) throws(ObjectGraphError) -> PlacedRows {
    var rows = PlacedRows(count: objectIDs.count)
    let roots = compiledModel.layouts.map(\.rootIndex)
    for store in try readers() {
      // By the root's index in the model: the positions of the IDs in its table, and their keys.
      var places = [[Int]](repeating: [], count: roots.count)
      var keys = [[Int64]](repeating: [], count: roots.count)
      for (place, objectID) in objectIDs.enumerated()
      where objectID.store === store.identity && !objectID.isTemporaryID {
        let root = roots[Int(objectID.entityIndex)]
        places[root].append(place)
        keys[root].append(objectID.key)
      }
      for root in roots.indices where !keys[root].isEmpty {
        try store.readRows(of: keys[root], rootIndex: root, into: &rows, at: places[root])
      }
    }
    return rows
  }

  /// The objects of a to-many relationship for each object, by key; objects that were never saved have none.
  ///
  /// All objects must be in the same store.
  func relatedObjects(
    of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [Int64: [RelatedObject]] {
    for store in try readers() {
      let keys = objectIDs.keys(in: store)
      if !keys.isEmpty { return try store.relatedObjects(keys: keys, toMany) }
    }
    return [:]
  }

  func relatedRows(of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout) throws(ObjectGraphError) -> RelatedRows {
    let rootIndex = compiledModel.layouts[toMany.destinationIndex].rootIndex
    for store in try readers() {
      let keys = objectIDs.keys(in: store)
      if !keys.isEmpty { return try store.relatedRows(keys: keys, toMany, rootIndex: rootIndex) }
    }
    return RelatedRows()
  }

  /// The stores of the fetch: those that have its entity and that it selects, if it selects any.
  private func readers(for fetch: StoreFetch) throws(ObjectGraphError) -> [SQLiteReader] {
    let all = try readers()
    if all.count == 1, fetch.stores == nil, all[0].identity.holds(fetch.layout) { return all }
    let positions = try StoreAssignment(all.map(\.identity)).positions(holding: fetch.layout, among: fetch.stores)
    return positions.map { all[$0] }
  }
}

extension [ManagedObjectID] {
  /// The keys of the IDs that are in the store.
  fileprivate func keys(in store: SQLiteReader) -> [Int64] {
    filter { $0.store === store.identity && !$0.isTemporaryID }.map(\.key)
  }
}
