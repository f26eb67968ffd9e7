// The row cache: the rows that contexts hold objects of, as they were last read or saved, shared by all contexts.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// Rows by object ID, each kept for as long as a context uses it.
///
/// A row holds what the store holds: callers give it without transient values, which are their context's own.
final class RowCache: Sendable {
  struct Entry {
    var row: RowSnapshot
    /// When its reading began, for contexts that do not want to see old rows.
    var read: ReadTime
    var users: Int32
    /// The entity whose slots the row has; entities of one hierarchy share their keys, not their slots.
    var entityIndex: Int32

    /// Whether the other row was stored later, or is the same and was read later.
    func isNoNewer(than other: RowSnapshot, _ read: ReadTime) -> Bool {
      other.version == row.version ? read >= self.read : other.version > row.version
    }

    // Not the whole ID: a closure that has one copies it, and counts a reference to its store, for each row.
    mutating func take(_ row: RowSnapshot, of entityIndex: Int32, _ read: ReadTime) {
      self.row = row
      self.read = read
      self.entityIndex = entityIndex
    }
  }

  private struct State {
    var entries: RowTable<Entry>
    /// When rows of each entity were last changed past the cache, by the entity's place in the model: what was read before
    /// may be otherwise now.
    var changed: [ReadTime]

    func entry(_ objectID: ManagedObjectID) -> Entry? {
      guard let entry = entries[objectID], entry.entityIndex == objectID.entityIndex else { return nil }
      return entry
    }
  }

  private let state: Lock<State>

  init(_ model: CompiledModel) {
    state = Lock(
      State(
        entries: RowTable(model), changed: [ReadTime](repeating: .distantPast, count: model.layouts.count)))
  }

  /// The row as it is stored as far as the cache knows, and when it was read; nil when the cache has none, one read before
  /// `oldest`, or one read before rows of the entity were changed past the cache.
  func row(
    _ objectID: ManagedObjectID, readSince oldest: ReadTime = .distantPast
  ) -> (row: RowSnapshot, read: ReadTime)? {
    state.withLock { state in
      guard let entry = state.entry(objectID), entry.read >= oldest,
        entry.read >= state.changed[Int(entry.entityIndex)]
      else { return nil }
      return (entry.row, entry.read)
    }
  }

  /// The last row that the cache received, which may be old.
  func lastRow(_ objectID: ManagedObjectID) -> RowSnapshot? { state.withLock { $0.entry(objectID)?.row } }

  /// Rows of these entities were changed past the cache until now; O(1) for each entity, however many rows there are.
  func expire(_ entities: Range<Int>) {
    state.withLock { state in
      let now = ReadTime.now
      for index in entities { state.changed[index] = now }
    }
  }

  /// A context has an object of the row now; a row as new as the cache's takes its place.
  func use(_ objectID: ManagedObjectID, _ row: RowSnapshot, read: ReadTime) {
    let entityIndex = objectID.entityIndex
    state.withLock { state in
      state.entries.change(
        objectID, orInsert: Entry(row: row, read: read, users: 1, entityIndex: entityIndex)
      ) { known in
        known.users += 1
        if known.isNoNewer(than: row, read) { known.take(row, of: entityIndex, read) }
      }
    }
  }

  /// A context has released its object of this row.
  func release(_ objectID: ManagedObjectID) {
    state.withLock { state in
      _ = state.entries.change(objectID) { entry in
        entry.users -= 1
        return entry.users > 0
      }
    }
  }

  /// A context has released its objects of these rows, which are of one store and one hierarchy.
  func release(_ keys: [Int64], of store: StoreIdentity, root: Int) {
    if keys.isEmpty { return }
    state.withLock { state in
      state.entries.changeTable(of: store, root: root) { entries in
        var unused = 0
        for key in keys {
          entries.change(key) { entry in
            entry.users -= 1
            if entry.users == 0 { unused += 1 }
            return true
          }
        }
        if unused * 4 >= entries.count {
          entries.filter { $0.users > 0 }
        } else if unused > 0 {
          for key in keys { entries.change(key) { $0.users > 0 } }
        }
      }
    }
  }

  /// The store has a row that was read after `read`, and may be of an earlier version than the cache's.
  ///
  /// Rows that no context uses are not kept. A row that a save has replaced since is ignored.
  func update(_ objectID: ManagedObjectID, _ row: RowSnapshot, read: ReadTime) {
    take(objectID, row, read, mayBeEarlierVersion: true)
  }

  /// A row was read or stored.
  ///
  /// If it is older than the cache's, a save has replaced it since.
  func refresh(_ objectID: ManagedObjectID, _ row: RowSnapshot, read: ReadTime) {
    take(objectID, row, read, mayBeEarlierVersion: false)
  }

  private func take(
    _ objectID: ManagedObjectID, _ row: RowSnapshot, _ read: ReadTime, mayBeEarlierVersion: Bool
  ) {
    let entityIndex = objectID.entityIndex
    state.withLock { state in
      _ = state.entries.change(objectID) { entry in
        if entry.isNoNewer(than: row, read) || mayBeEarlierVersion && entry.read <= read {
          entry.take(row, of: entityIndex, read)
        }
        return true
      }
    }
  }

  func remove(_ objectID: ManagedObjectID) {
    state.withLock { _ = $0.entries.removeValue(for: objectID) }
  }

  /// For invariant checks: how many rows are kept.
  var count: Int { state.withLock { $0.entries.count } }
}

extension PersistentStoreCoordinator {
  /// Reads again the cached rows that were changed past the cache.
  func refreshCache(_ changes: ChangedObjectIDs) throws(ObjectGraphError) {
    let changes = own(changes)
    for objectID in changes.updated + changes.inserted where rowCache.lastRow(objectID) != nil {
      let read = ReadTime.now
      if let row = try row(objectID, layout: compiledModel.layouts[Int(objectID.entityIndex)]) {
        rowCache.refresh(objectID, row, read: read)
      } else {
        rowCache.remove(objectID)
      }
    }
    for objectID in changes.deleted { rowCache.remove(objectID) }
  }
}
