// The objects of a result as short keys, with the rows that decided their order.
internal import CoreDataModel

/// An object of a result in 16 bytes without a reference: its key, and the number of its store and entity.
struct ResultKey: Hashable {
  let key: Int64
  let table: Int32
}

/// What a result knows about each of its objects.
struct ResultRows {
  /// The objects of one entity in one store.
  struct Table {
    let store: StoreIdentity
    let layout: EntityLayout
    /// The index of the store in the coordinator.
    var position: Int
    var rows = KeyTable<RowSnapshot>()
  }

  private let model: CompiledModel
  private var stores: [StoreIdentity]
  private var tables: [Table] = []

  /// - Parameters:
  ///   - model: The model of the objects.
  ///   - stores: The stores in the coordinator's order; empty if there is only one.
  init(_ model: CompiledModel, stores: [StoreIdentity]) {
    self.model = model
    self.stores = stores
  }

  /// The key of an object; O(entities of the result × stores).
  mutating func key(_ objectID: ManagedObjectID) -> ResultKey {
    if let key = knownKey(objectID) { return key }
    tables.append(
      Table(
        store: objectID.store, layout: model.layouts[Int(objectID.entityIndex)], position: position(objectID.store)))
    return ResultKey(key: objectID.key, table: Int32(tables.count - 1))
  }

  /// The key of an object; `nil` if the result never had an object of this entity and store.
  func knownKey(_ objectID: ManagedObjectID) -> ResultKey? {
    for (index, table) in tables.enumerated()
    where table.store === objectID.store && table.layout.index == Int(objectID.entityIndex) {
      return ResultKey(key: objectID.key, table: Int32(index))
    }
    return nil
  }

  /// The keys that the ID's row would have in the other entities of its table, for all tables that the result has.
  func otherKeys(ofRow objectID: ManagedObjectID) -> [ResultKey] {
    if objectID.isTemporaryID { return [] }
    let layout = model.layouts[Int(objectID.entityIndex)]
    return tables.indices.filter { index in
      let table = tables[index]
      return table.layout !== layout && table.layout.rootIndex == layout.rootIndex && table.store === objectID.store
    }.map { ResultKey(key: objectID.key, table: Int32($0)) }
  }

  /// Keeps the numbers of tables but no rows, for a fetch from the present stores.
  mutating func forgetRows(stores: [StoreIdentity]) {
    self.stores = stores
    for index in tables.indices {
      tables[index].rows = KeyTable()
      tables[index].position = position(tables[index].store)
    }
  }

  private func position(_ store: StoreIdentity) -> Int { stores.firstIndex { $0 === store } ?? stores.count }

  func objectID(_ key: ResultKey) -> ManagedObjectID {
    let table = tables[Int(key.table)]
    return ManagedObjectID(store: table.store, entityIndex: Int32(table.layout.index), key: key.key)
  }

  /// The keys of objects that are not in a store yet.
  func temporaryKeys(_ identity: StoreIdentity) -> [ResultKey] {
    tables.indices.filter { tables[$0].store === identity }.flatMap { index in
      tables[index].rows.allKeys.map { ResultKey(key: $0, table: Int32(index)) }
    }
  }

  func layout(_ key: ResultKey) -> EntityLayout { tables[Int(key.table)].layout }

  /// The object's values that the result knows.
  subscript(key: ResultKey) -> RowSnapshot? {
    get { tables[Int(key.table)].rows[key.key] }
    set {
      if let newValue {
        tables[Int(key.table)].rows.updateValue(newValue, forKey: key.key)
      } else {
        tables[Int(key.table)].rows.removeValue(forKey: key.key)
      }
    }
  }

  /// The order of objects that are equal in all descriptors: stored objects by store and key, followed by those that
  /// were never saved in creation order.
  func precedesByKey(_ left: ResultKey, _ right: ResultKey) -> Bool {
    switch (left.key < 0, right.key < 0) {
    case (true, true): return left.key > right.key
    case (false, true): return true
    case (true, false): return false
    case (false, false):
      if left.table == right.table { return left.key < right.key }
      let (one, other) = (tables[Int(left.table)].position, tables[Int(right.table)].position)
      return one == other ? left.key < right.key : one < other
    }
  }
}
