// The keys of fetched rows, without the rows.

/// What a fetch of keys found in a store, in its order: 8 bytes a row where all rows are of one entity.
struct StoredKeys: Sendable {
  let store: StoreIdentity
  /// The place of the entity that all rows are of; nil when each row has its own.
  var entity: Int32?
  private(set) var keys: [Int64] = []
  private var entities: [Int32] = []

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

  subscript(position: Int) -> ManagedObjectID {
    ManagedObjectID(store: store, entityIndex: entity ?? entities[position], key: keys[position])
  }
}
