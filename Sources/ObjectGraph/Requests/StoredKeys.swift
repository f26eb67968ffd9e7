// The keys of fetched rows, without the rows.

/// What a fetch of keys found, in its order: 8 bytes a row where all rows are of one entity and one store.
struct StoredKeys: Sendable {
  /// The store of all rows, while no row of another one came.
  let store: StoreIdentity
  /// The place of the entity that all rows are of; nil when each row has its own.
  var entity: Int32?
  private(set) var keys: [Int64] = []
  private var entities: [Int32] = []
  /// The other stores, and each row's place among them, counted from 1; 0 is ``store``.
  private var otherStores: [StoreIdentity] = []
  private var positions: [Int32] = []

  init(store: StoreIdentity) { self.store = store }

  var count: Int { keys.count }

  /// Adds a row; one of an entity that was not asked for is left out.
  mutating func append(_ key: Int64, _ entity: Int?) {
    if self.entity == nil {
      guard let entity else { return }
      entities.append(Int32(entity))
    }
    keys.append(key)
  }

  /// Adds a row of any store; the keys must not be all of one entity.
  mutating func append(_ objectID: ManagedObjectID) {
    entities.append(objectID.entityIndex)
    keys.append(objectID.key)
    if objectID.store === store || objectID.isTemporaryID {
      if !positions.isEmpty { positions.append(0) }
      return
    }
    let known = otherStores.firstIndex { $0 === objectID.store }
    if known == nil { otherStores.append(objectID.store) }
    if positions.isEmpty { positions = [Int32](repeating: 0, count: keys.count - 1) }
    positions.append(Int32((known ?? otherStores.count - 1) + 1))
  }

  subscript(position: Int) -> ManagedObjectID {
    let store = positions.isEmpty || positions[position] == 0 ? store : otherStores[Int(positions[position]) - 1]
    return ManagedObjectID(store: store, entityIndex: entity ?? entities[position], key: keys[position])
  }
}
