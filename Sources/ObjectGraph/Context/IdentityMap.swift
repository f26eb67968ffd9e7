// Which object stands for which row in a context: one object a row, for as long as anybody holds it.

/// Finds the objects of a context by ID without keeping them alive.
struct IdentityMap {
  private struct Entry {
    weak var object: ManagedObject?
    /// Whether the row cache keeps the row on this object's account.
    var isCounted: Bool
  }

  private var entries: [ManagedObjectID: Entry] = [:]
  /// Entries of objects that are gone are swept when the map has doubled since the last sweep.
  private var sweepAt = 1024

  subscript(objectID: ManagedObjectID) -> ManagedObject? { entries[objectID]?.object }

  var objects: [ManagedObject] { entries.values.compactMap(\.object) }

  /// The rows the row cache keeps for this map.
  var countedIDs: [ManagedObjectID] { entries.filter(\.value.isCounted).map(\.key) }

  /// Adds an object; the rows of objects that were found gone are given back to the cache.
  mutating func insert(_ object: ManagedObject, cache: RowCache) {
    if entries.count >= sweepAt {
      cache.release(entries.filter { $0.value.object == nil && $0.value.isCounted }.map(\.key))
      entries = entries.filter { $0.value.object != nil }
      sweepAt = max(1024, entries.count * 2)
    }
    let wasCounted = entries[object.objectID]?.isCounted ?? false
    entries[object.objectID] = Entry(object: object, isCounted: wasCounted)
    count(object, cache: cache)
  }

  /// Has the row cache keep the object's row, once it has one.
  mutating func count(_ object: ManagedObject, cache: RowCache) {
    guard let row = object.committed ?? object.row, entries[object.objectID]?.isCounted == false else { return }
    entries[object.objectID]?.isCounted = true
    cache.use(object.objectID, row)
  }

  mutating func remove(_ objectID: ManagedObjectID, cache: RowCache) {
    if entries.removeValue(forKey: objectID)?.isCounted == true { cache.release([objectID]) }
  }

  /// Empties the map, handing each living object to `body`.
  mutating func removeAll(_ body: (ManagedObject) -> Void) {
    for entry in entries.values {
      if let object = entry.object { body(object) }
    }
    entries = [:]
    sweepAt = 1024
  }
}
