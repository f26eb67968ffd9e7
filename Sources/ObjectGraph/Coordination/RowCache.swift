// The row cache: the rows of all contexts' objects, as last read or saved.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// Rows by object ID, each kept for as long as a context uses it.
///
/// A row has the stored values: callers pass it without transient values, which belong to their context.
final class RowCache: Sendable {
  struct Entry {
    var row: RowSnapshot
    /// When reading it began, for contexts that do not want old rows.
    var read: ReadTime
    var users: Int32
    /// The entity that the row's slots belong to; entities of one hierarchy share keys, but not slots.
    var entityIndex: Int32

    /// Whether the other row was stored later, or is the same and was read later.
    func isNoNewer(than other: RowSnapshot, _ read: ReadTime) -> Bool {
      other.version == row.version ? read >= self.read : other.version > row.version
    }

    // Pass the entity's index instead of the whole ID: a closure that captures the ID copies it and retains its store
    // for each row.
    mutating func take(_ row: RowSnapshot, of entityIndex: Int32, _ read: ReadTime) {
      self.row = row
      self.read = read
      self.entityIndex = entityIndex
    }
  }

  private struct State {
    var entries: RowTable<Entry>
    /// When rows of each entity were last changed by writes that bypassed the cache, by the entity's index in the
    /// model; rows read before that may be outdated.
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

  /// The cached row, and when it was read.
  ///
  /// `nil` if the cache has none, if it was read before `oldest`, or if later writes to its entity bypassed the cache.
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

  /// Records that writes to these entities bypassed the cache until now; O(1) for each entity, however many rows there
  /// are.
  func expire(_ entities: Range<Int>) {
    state.withLock { state in
      let now = ReadTime.now
      for index in entities { state.changed[index] = now }
    }
  }

  /// Records that a context has an object of the row; the row replaces the cached one if it is at least as new.
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

  /// Records that a context has released its object of this row.
  func release(_ objectID: ManagedObjectID) {
    state.withLock { state in
      _ = state.entries.change(objectID) { entry in
        entry.users -= 1
        return entry.users > 0
      }
    }
  }

  /// Records that a context has released its objects of these rows, which must be in one store and one hierarchy.
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

  /// Updates a stored row that was read after `read`, and may have an earlier version than the cached one.
  ///
  /// Rows that no context uses are not kept. A row that a save has replaced since is ignored.
  func update(_ objectID: ManagedObjectID, _ row: RowSnapshot, read: ReadTime) {
    take(objectID, row, read, mayBeEarlierVersion: true)
  }

  /// Updates a row that was read or stored.
  ///
  /// If it is older than the cached row, a save has replaced it since.
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

  /// The number of rows in the cache, for checks of invariants.
  var count: Int { state.withLock { $0.entries.count } }
}

extension PersistentStoreCoordinator {
  /// Reads cached rows again that were changed by writes that bypassed the cache.
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
