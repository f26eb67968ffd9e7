// The row cache: the rows that contexts hold objects of, as they were last read or saved, shared by all contexts.
internal import CoreDataModel
internal import Synchronization

/// Rows by object ID, each kept for as long as a context uses it.
///
/// A row holds what the store holds: callers give it without transient values, which are their context's own.
final class RowCache: Sendable {
  struct Entry {
    var row: RowSnapshot
    /// When it was read, for contexts that do not want to see old rows.
    var read: ReadTime
    var users: Int32
    /// The entity whose slots the row has; entities of one hierarchy share their keys, not their slots.
    var entityIndex: Int32

    mutating func take(_ row: RowSnapshot, of objectID: ManagedObjectID, _ read: ReadTime) {
      self.row = row
      self.read = read
      entityIndex = objectID.entityIndex
    }
  }

  private let entries: Mutex<RowTable<Entry>>

  init(_ model: CompiledModel) { entries = Mutex(RowTable(model)) }

  /// The row as the cache has it; nil when it has none, or one read before `oldest`.
  func row(_ objectID: ManagedObjectID, readSince oldest: ReadTime? = nil) -> RowSnapshot? {
    entries.withLock { entries in
      guard let entry = entries[objectID], entry.entityIndex == objectID.entityIndex else { return nil }
      if let oldest, entry.read < oldest { return nil }
      return entry.row
    }
  }

  /// A context has an object of the row now; a row as new as the cache's takes its place.
  func use(_ objectID: ManagedObjectID, _ row: RowSnapshot, read: ReadTime) {
    let entry = Entry(row: row, read: read, users: 1, entityIndex: objectID.entityIndex)
    entries.withLock { entries in
      entries.change(objectID, orInsert: entry) { known in
        known.users += 1
        if row.version >= known.row.version { known.take(row, of: objectID, read) }
      }
    }
  }

  /// A context has given up its objects of these rows.
  func release(_ objectIDs: [ManagedObjectID]) {
    if objectIDs.isEmpty { return }
    entries.withLock { entries in
      for objectID in objectIDs {
        _ = entries.change(objectID) { entry in
          entry.users -= 1
          return entry.users > 0
        }
      }
    }
  }

  /// The store has a new row; rows that nobody uses are not kept.
  func update(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    entries.withLock { entries in
      _ = entries.change(objectID) { entry in
        entry.take(row, of: objectID, .now)
        return true
      }
    }
  }

  /// A row was read again; one that is older than the cache's was overtaken by a save meanwhile.
  func refresh(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    entries.withLock { entries in
      _ = entries.change(objectID) { entry in
        if row.version >= entry.row.version { entry.take(row, of: objectID, .now) }
        return true
      }
    }
  }

  func remove(_ objectID: ManagedObjectID) {
    entries.withLock { _ = $0.removeValue(for: objectID) }
  }

  /// For invariant checks: how many rows are kept.
  var count: Int { entries.withLock { $0.count } }
}
