// The objects of a context by their rows: one object per row, for as long as something holds it.
internal import CoreDataModel

/// Finds the objects of a context by ID.
///
/// The map holds its objects strongly, and a sweep releases those that nothing else holds: a weak reference for each
/// object would cost more than the object. A sweep happens when as many objects were added as the last one kept. So
/// unused objects never take more memory than used ones, and the cost of a sweep is spread over the added objects.
struct IdentityMap {
  private var objects: RowTable<ManagedObject>
  /// How many objects were added since the last sweep, and how many remained after it.
  private var newcomers = 0
  private var survivors = 0
  /// Replaced objects: their rows belong to other entities now, but no merge has reported this yet.
  ///
  /// A sweep releases those that nothing else holds.
  private(set) var replaced: [ManagedObject] = []
  /// Whether there may be faults among the objects.
  ///
  /// If not, fetches do not look for them.
  var mayHaveFaults = false

  init(_ model: CompiledModel) { objects = RowTable(model) }

  /// How many added objects never trigger a sweep, even if there are few objects.
  private static let fewNewcomers = 1024

  /// The number of added objects that a block of work counts as, so that unused objects are found even if none are
  /// added.
  private static let newcomersOfWork = 128

  /// Whether a sweep after a block of work is worth its cost: always with few objects, with many if an eighth are new.
  mutating func isDueAfterWork() -> Bool {
    if newcomers == 0 && survivors == 0 { return false }
    newcomers += IdentityMap.newcomersOfWork
    return newcomers >= survivors / 8
  }

  subscript(objectID: ManagedObjectID) -> ManagedObject? {
    @inline(__always) get {
      guard let object = objects[objectID], object.objectID.entityIndex == objectID.entityIndex else { return nil }
      return object
    }
  }

  /// The object of the row, whichever entity of its hierarchy it has.
  func object(ofRow objectID: ManagedObjectID) -> ManagedObject? { objects[objectID] }

  var isEmpty: Bool { objects.count == 0 }

  var all: [ManagedObject] {
    var all: [ManagedObject] = []
    all.reserveCapacity(objects.count)
    objects.forEach { all.append($0) }
    return all
  }

  /// Adds an object with a row that was read at the given time.
  mutating func insert(_ object: ManagedObject, cache: RowCache, read: ReadTime) {
    _ = insert(object, as: object.objectID, row: object.committed ?? object.row, cache: cache, read: read)
  }

  /// Adds an object with its ID and row, which the caller has at hand: reading them from the object costs more.
  ///
  /// - Returns: Whether there may be as many unused objects as used ones, so that the map must be swept.
  @inline(__always)
  mutating func insert(
    _ object: ManagedObject, as objectID: ManagedObjectID, row: RowSnapshot?, cache: RowCache, read: ReadTime
  ) -> Bool {
    let old = objects.updateValue(object, for: objectID)
    newcomers += 1
    if row == nil { mayHaveFaults = true }
    if let old, old !== object {
      object.isRowCached = old.isRowCached
      old.isRegistered = false
      old.isRowCached = false
      replaced.append(old)
    }
    object.isRegistered = true
    if let row, !object.isRowCached {
      object.isRowCached = true
      // Do not select one of two rows first: that would retain the row once more.
      if object.layout.transientSlots.isEmpty {
        cache.use(objectID, row, read: read)
      } else {
        cache.use(objectID, object.layout.stored(row), read: read)
      }
    }
    return newcomers > max(IdentityMap.fewNewcomers, survivors)
  }

  /// Restores a replaced object, because its row belongs to its entity again.
  ///
  /// - Returns: The object; usually `nil`, because there is none.
  @inline(__always)
  mutating func reinstate(_ objectID: ManagedObjectID, cache: RowCache) -> ManagedObject? {
    replaced.isEmpty ? nil : reinstateReplaced(objectID, cache: cache)
  }

  @inline(never)
  private mutating func reinstateReplaced(_ objectID: ManagedObjectID, cache: RowCache) -> ManagedObject? {
    guard let index = replaced.firstIndex(where: { $0.objectID == objectID && !$0.isGone }) else { return nil }
    let object = replaced.remove(at: index)
    insertWithoutRow(object, cache: cache)
    return object
  }

  /// Adds an object that was in the map before.
  ///
  /// Its values are not added to the cache, because they are as old as the object.
  mutating func insertWithoutRow(_ object: ManagedObject, cache: RowCache) {
    _ = insert(object, as: object.objectID, row: nil, cache: cache, read: .distantPast)
  }

  /// Makes the row cache keep the object's row, if it has one; the row was read at the given time.
  func count(_ object: ManagedObject, cache: RowCache, read: ReadTime) {
    guard let row = object.committed ?? object.row else { return }
    keep(row, of: object, cache: cache, read: read)
  }

  /// Makes the row cache keep a row of the object; the row was read at the given time.
  func keep(_ row: RowSnapshot, of object: ManagedObject, cache: RowCache, read: ReadTime) {
    guard object.isRegistered, !object.isRowCached else { return }
    object.isRowCached = true
    cache.use(object.objectID, object.layout.stored(row), read: read)
  }

  /// The faults in the same table that were added just after or just before the row's object.
  ///
  /// It stops at the first object that is filled or that nothing else holds.
  mutating func faults(beside objectID: ManagedObjectID, most count: Int) -> [ManagedObject] {
    guard mayHaveFaults else { return [] }
    var faults: [ManagedObject] = []
    objects.neighbours(of: objectID) { object in
      guard faults.count < count, object.isFault, object.state == .stored, !object.isRowCached,
        !isKnownUniquelyReferenced(&object)
      else { return false }
      faults.append(object)
      return true
    }
    return faults
  }

  /// - Returns: The object of the row.
  @discardableResult
  mutating func remove(_ objectID: ManagedObjectID, cache: RowCache) -> ManagedObject? {
    guard self[objectID] != nil, let object = objects.removeValue(for: objectID) else { return nil }
    if object.isRowCached { cache.release(objectID) }
    object.isRegistered = false
    object.isRowCached = false
    return object
  }

  /// Releases the objects that nothing else holds, and their rows in the cache.
  ///
  /// - Returns: Those objects. The caller drops them once the map is no longer being changed, because a user's `deinit`
  ///   may call the context.
  mutating func sweep(_ cache: RowCache) -> [ManagedObject] {
    var unheld: [ManagedObject] = []
    if !replaced.isEmpty {
      var held: [ManagedObject] = []
      while var object = replaced.popLast() {
        if object.isGone || isKnownUniquelyReferenced(&object) { unheld.append(object) } else { held.append(object) }
      }
      replaced = held
    }
    var hasFaults = false
    objects.forEachTable { store, root, table in
      // Collect keys instead of whole IDs, each of which would retain its store.
      var released: [Int64] = []
      table.filter { object in
        if !isKnownUniquelyReferenced(&object) {
          if object.isFault { hasFaults = true }
          return true
        }
        if object.isRowCached { released.append(object.objectID.key) }
        object.isRegistered = false
        object.isRowCached = false
        unheld.append(object)
        return false
      }
      cache.release(released, of: store, root: root)
    }
    mayHaveFaults = hasFaults
    newcomers = 0
    survivors = objects.count
    return unheld
  }

  /// Stops the row cache from keeping the objects' rows.
  mutating func leaveCache(_ cache: RowCache) {
    objects.forEachTable { store, root, table in
      var released: [Int64] = []
      table.forEach { object in
        if object.isRowCached { released.append(object.objectID.key) }
        object.isRowCached = false
      }
      cache.release(released, of: store, root: root)
    }
  }

  /// Empties the map, and releases the rows in the cache.
  ///
  /// - Returns: All of its objects.
  mutating func removeAll(_ cache: RowCache) -> [ManagedObject] {
    let all = all + replaced
    replaced = []
    objects.forEachTable { store, root, table in
      var released: [Int64] = []
      table.filter { object in
        if object.isRowCached { released.append(object.objectID.key) }
        object.isRegistered = false
        object.isRowCached = false
        return false
      }
      cache.release(released, of: store, root: root)
    }
    newcomers = 0
    survivors = 0
    return all
  }
}
