// The row cache: the rows that contexts hold objects of, as they were last read or saved, shared by all contexts.
internal import Synchronization

/// Rows by object ID, each kept for as long as a context uses it.
///
/// A row holds what the store holds: callers give it without transient values, which are their context's own.
final class RowCache: Sendable {
  private struct Entry {
    var row: RowSnapshot
    var users: Int
    /// When it was read, for contexts that do not want to see old rows.
    var read: ContinuousClock.Instant

    /// One more user, who brought the row.
    mutating func take(_ row: RowSnapshot, _ read: ContinuousClock.Instant) {
      users += 1
      if row.version >= self.row.version {
        self.row = row
        self.read = read
      }
    }
  }

  private let entries = Mutex<[ManagedObjectID: Entry]>([:])

  /// The row as the cache has it; nil when it has none, or one read before `oldest`.
  func row(_ objectID: ManagedObjectID, readSince oldest: ContinuousClock.Instant? = nil) -> RowSnapshot? {
    entries.withLock { entries in
      guard let entry = entries[objectID], oldest.map({ entry.read >= $0 }) ?? true else { return nil }
      return entry.row
    }
  }

  /// A context has an object of the row now; a row as new as the cache's takes its place.
  func use(_ objectID: ManagedObjectID, _ row: RowSnapshot, read: ContinuousClock.Instant) {
    entries.withLock { entries in
      entries[objectID, default: Entry(row: row, users: 0, read: read)].take(row, read)
    }
  }

  /// A context has given up its objects of these rows.
  func release(_ objectIDs: [ManagedObjectID]) {
    entries.withLock { entries in
      for objectID in objectIDs {
        guard var entry = entries[objectID] else { continue }
        entry.users -= 1
        entries[objectID] = entry.users > 0 ? entry : nil
      }
    }
  }

  /// The store has a new row; rows that nobody uses are not kept.
  func update(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    entries.withLock { entries in
      guard var entry = entries[objectID] else { return }
      entry.row = row
      entry.read = .now
      entries[objectID] = entry
    }
  }

  /// A row was read again; one that is older than the cache's was overtaken by a save meanwhile.
  func refresh(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    entries.withLock { entries in
      guard var entry = entries[objectID], row.version >= entry.row.version else { return }
      entry.row = row
      entry.read = .now
      entries[objectID] = entry
    }
  }

  func remove(_ objectID: ManagedObjectID) { entries.withLock { $0[objectID] = nil } }

  /// For invariant checks: how many rows are kept.
  var count: Int { entries.withLock { $0.count } }
}
