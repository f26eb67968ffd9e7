// The objects of a context by their rows: one object per row, for as long as something holds it.
internal import CoreDataModel

/// Finds the objects of a context by ID.
///
/// The map holds its objects, and a sweep releases those that nothing else holds: a weak reference for each object would
/// cost more than the object. A sweep happens when as many objects were added as the last one kept. So unused objects
/// never take more memory than used ones, and the cost of a sweep is spread over the added objects.
struct IdentityMap {
  private var objects: RowTable<ManagedObject>
  /// How many objects came since the map was last swept, and how many stayed then.
  private var newcomers = 0
  private var survivors = 0
  /// Replaced objects, whose rows belong to other entities now, until a merge reports it.
  ///
  /// A sweep releases those that nothing else holds.
  private(set) var replaced: [ManagedObject] = []
  /// Whether there may be faults among the objects.
  ///
  /// If not, a fetch does not look for them.
  var mayHaveFaults = false

  init(_ model: CompiledModel) { objects = RowTable(model) }

  /// How many newcomers are let be however few objects there are.
  private static let fewNewcomers = 1024

  /// The number of newcomers that a block of work counts as, so that dropped objects are found even if none arrive.
  private static let newcomersOfWork = 128

  /// Whether a sweep after a block of work is paid for: few objects are always swept, many when an eighth is new.
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

  /// The object of the row, whichever entity of its hierarchy it is of.
  func object(ofRow objectID: ManagedObjectID) -> ManagedObject? { objects[objectID] }

  var isEmpty: Bool { objects.count == 0 }

  var all: [ManagedObject] {
    var all: [ManagedObject] = []
    all.reserveCapacity(objects.count)
    objects.forEach { all.append($0) }
    return all
  }

  /// Adds an object, whose row was read at the given time.
  mutating func insert(_ object: ManagedObject, cache: RowCache, read: ReadTime) {
    _ = insert(object, as: object.objectID, row: object.committed ?? object.row, cache: cache, read: read)
  }

  /// Adds an object whose ID and row are at hand, because reading them from the object costs more.
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
      // Not one row of two: a row that is chosen is counted once more.
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
  /// - Returns: The object; nil when there is none, as nearly always.
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

  /// Adds an object that was here before; the cache does not get its values, which are as old as the object.
  mutating func insertWithoutRow(_ object: ManagedObject, cache: RowCache) {
    _ = insert(object, as: object.objectID, row: nil, cache: cache, read: .distantPast)
  }

  /// Makes the row cache keep the object's row, which was read at the given time, once it has one.
  func count(_ object: ManagedObject, cache: RowCache, read: ReadTime) {
    guard let row = object.committed ?? object.row else { return }
    keep(row, of: object, cache: cache, read: read)
  }

  /// Makes the row cache keep a row of the object, which was read at the given time.
  func keep(_ row: RowSnapshot, of object: ManagedObject, cache: RowCache, read: ReadTime) {
    guard object.isRegistered, !object.isRowCached else { return }
    object.isRowCached = true
    cache.use(object.objectID, object.layout.stored(row), read: read)
  }

  /// The faults of the same table that were added right after the row's object and right before it, up to the first one whose
  /// row was read or that nothing holds.
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

  /// - Returns: The object that stood for the row.
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
      // Not whole IDs: each would count a reference to its store.
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

  /// Empties the map, and gives the rows back to the cache.
  ///
  /// - Returns: What it held.
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
