// The keys of fetched rows, without the rows.

/// The keys that a fetch found, in its order: 8 bytes per row if all rows have the same entity and store.
struct StoredKeys: Sendable {
  /// The store of all rows, until a row of another store is added.
  let store: StoreIdentity
  /// The index of the entity of all rows; `nil` if each row has its own.
  var entity: Int32?
  private(set) var keys: [Int64] = []
  private var entities: [Int32] = []
  /// The other stores, and each row's position among them, counted from 1; 0 means ``store``.
  private var otherStores: [StoreIdentity] = []
  private var positions: [Int32] = []

  init(store: StoreIdentity) { self.store = store }

  var count: Int { keys.count }

  /// Adds a row, unless its entity was not requested.
  mutating func append(_ key: Int64, _ entity: Int?) {
    if self.entity == nil {
      guard let entity else { return }
      entities.append(Int32(entity))
    }
    keys.append(key)
  }

  /// Adds a row of any store; the keys must not all have the same entity.
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
