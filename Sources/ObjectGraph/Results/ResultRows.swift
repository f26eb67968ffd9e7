// The objects of a result by short keys, and the rows that their order was decided by.
internal import CoreDataModel

/// An object of a result in 16 bytes without a reference: its key, and the number of its store and entity.
struct ResultKey: Hashable {
  let key: Int64
  let table: Int32
}

/// What results know of each of their objects.
struct ResultRows {
  /// Objects of one entity in one store.
  struct Table {
    let store: StoreIdentity
    let layout: EntityLayout
    /// The store's place in the coordinator.
    var position: Int
    var rows = KeyTable<RowSnapshot>()
  }

  private let model: CompiledModel
  private var stores: [StoreIdentity]
  private var tables: [Table] = []

  /// - Parameters:
  ///   - model: The model of the objects.
  ///   - stores: The stores in the coordinator's order; empty where there is one.
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

  /// The same; nil where the result never had an object of the entity and store.
  func knownKey(_ objectID: ManagedObjectID) -> ResultKey? {
    for (index, table) in tables.enumerated()
    where table.store === objectID.store && table.layout.index == Int(objectID.entityIndex) {
      return ResultKey(key: objectID.key, table: Int32(index))
    }
    return nil
  }

  /// The keys that the row of the ID would have as one of the other entities of its table, as far as the result knows any.
  func otherKeys(ofRow objectID: ManagedObjectID) -> [ResultKey] {
    if objectID.isTemporaryID { return [] }
    let layout = model.layouts[Int(objectID.entityIndex)]
    return tables.indices.filter { index in
      let table = tables[index]
      return table.layout !== layout && table.layout.rootIndex == layout.rootIndex && table.store === objectID.store
    }.map { ResultKey(key: objectID.key, table: Int32($0)) }
  }

  /// Keeps the keys' numbers and no row, for a fetch from the stores that there are now.
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

  /// The keys of rows that are of no store yet.
  func temporaryKeys(_ identity: StoreIdentity) -> [ResultKey] {
    tables.indices.filter { tables[$0].store === identity }.flatMap { index in
      tables[index].rows.allKeys.map { ResultKey(key: $0, table: Int32(index)) }
    }
  }

  func layout(_ key: ResultKey) -> EntityLayout { tables[Int(key.table)].layout }

  /// The object's values as the result knows them.
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

  /// Stored objects by store and key, then those that were never saved in the order they were made: how objects follow
  /// each other that are equal in all descriptors.
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
