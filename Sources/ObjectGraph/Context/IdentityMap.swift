// Which object stands for which row in a context: one object a row, for as long as anybody holds it.

/// Finds the objects of a context by ID without keeping them alive.
struct IdentityMap {
  private struct Entry {
    weak var object: ManagedObject?
  }

  private var entries: [ManagedObjectID: Entry] = [:]
  /// Entries of objects that are gone are swept when the map has doubled since the last sweep.
  private var sweepAt = 1024

  subscript(objectID: ManagedObjectID) -> ManagedObject? { entries[objectID]?.object }

  mutating func insert(_ object: ManagedObject) {
    if entries.count >= sweepAt {
      entries = entries.filter { $0.value.object != nil }
      sweepAt = max(1024, entries.count * 2)
    }
    entries[object.objectID] = Entry(object: object)
  }

  mutating func remove(_ objectID: ManagedObjectID) { entries[objectID] = nil }

  /// Empties the map, handing each living object to `body`.
  mutating func removeAll(_ body: (ManagedObject) -> Void) {
    for entry in entries.values {
      if let object = entry.object { body(object) }
    }
    entries = [:]
    sweepAt = 1024
  }
}
