// Which object stands for which row in a context: one object a row, for as long as anybody holds it.

/// Finds the objects of a context by ID without keeping them alive.
struct IdentityMap {
  /// A class, because a dictionary that moves weak references when it grows pays for each of them.
  private final class Entry {
    weak var object: ManagedObject?
    /// Whether the row cache keeps the row on this object's account.
    var isCounted = false

    init(_ object: ManagedObject) { self.object = object }
  }

  private var entries: [ManagedObjectID: Entry] = [:]
  /// Entries of objects that are gone are swept when the map has doubled since the last sweep.
  private var sweepAt = 1024

  subscript(objectID: ManagedObjectID) -> ManagedObject? { entries[objectID]?.object }

  var objects: [ManagedObject] { entries.values.compactMap(\.object) }

  /// The rows the row cache keeps for this map.
  var countedIDs: [ManagedObjectID] { entries.filter(\.value.isCounted).map(\.key) }

  /// Adds an object, whose row was read at the given time; the rows of objects that were found gone are given back to
  /// the cache.
  mutating func insert(_ object: ManagedObject, cache: RowCache, read: ContinuousClock.Instant) {
    if entries.count >= sweepAt { sweep(cache) }
    let entry = Entry(object)
    if let old = entries.updateValue(entry, forKey: object.objectID) { entry.isCounted = old.isCounted }
    count(object, entry, cache, read)
  }

  /// Has the row cache keep the object's row, once it has one.
  func count(_ object: ManagedObject, cache: RowCache) {
    if let entry = entries[object.objectID] { count(object, entry, cache, .now) }
  }

  private func count(_ object: ManagedObject, _ entry: Entry, _ cache: RowCache, _ read: ContinuousClock.Instant) {
    guard !entry.isCounted, let row = object.committed ?? object.row else { return }
    entry.isCounted = true
    cache.use(object.objectID, object.layout.stored(row), read: read)
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

  private mutating func sweep(_ cache: RowCache) {
    let gone = entries.filter { $0.value.object == nil }
    // With nothing to sweep, the map only has to grow.
    if !gone.isEmpty {
      cache.release(gone.filter(\.value.isCounted).map(\.key))
      for objectID in gone.keys { entries[objectID] = nil }
    }
    sweepAt = max(1024, entries.count * 2)
  }
}
