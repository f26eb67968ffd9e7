// Values by row: a table of keys for each entity hierarchy of each store.
internal import CoreDataModel

/// Values by row.
///
/// Entities of one hierarchy share their keys, so a row is found by an ID with any of them.
struct RowTable<Value> {
  struct StoreTables {
    let store: StoreIdentity
    /// By the root's index in the model; the tables of other entities stay empty.
    var tables: ContiguousArray<KeyTable<Value>>
  }

  /// The root of each entity of the model.
  private let roots: [Int]
  private var stores: ContiguousArray<StoreTables> = []

  init(_ model: CompiledModel) {
    roots = model.layouts.map(\.rootIndex)
  }

  var count: Int { stores.reduce(0) { $0 + $1.tables.reduce(0) { $0 + $1.count } } }

  subscript(objectID: ManagedObjectID) -> Value? {
    @inline(__always) get {
      guard let root = root(of: objectID), let store = index(of: objectID.store) else { return nil }
      return stores[store].tables[root][objectID.key]
    }
  }

  /// - Returns: The previous value; also `nil` for an entity that the model does not have.
  @discardableResult
  @inline(__always)
  mutating func updateValue(_ value: Value, for objectID: ManagedObjectID) -> Value? {
    guard let root = root(of: objectID) else { return nil }
    let store = index(of: objectID.store) ?? add(objectID.store)
    return stores[store].tables[root].updateValue(value, forKey: objectID.key)
  }

  /// Changes the row's value in place; if the body returns false, the value is removed.
  ///
  /// - Returns: Whether there was a value.
  @discardableResult
  @inline(__always)
  mutating func change(_ objectID: ManagedObjectID, _ body: (inout Value) -> Bool) -> Bool {
    guard let root = root(of: objectID), let store = index(of: objectID.store) else { return false }
    return stores[store].tables[root].change(objectID.key, body)
  }

  /// Changes the row's value in place, or inserts a first value; does nothing for an entity that the model does not
  /// have.
  @inline(__always)
  mutating func change(
    _ objectID: ManagedObjectID, orInsert value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    guard let root = root(of: objectID) else { return }
    let store = index(of: objectID.store) ?? add(objectID.store)
    stores[store].tables[root].change(objectID.key, orInsert: value(), body)
  }

  /// Passes the values that were added after the row's to the body until it returns false, followed by those added
  /// before it.
  mutating func neighbours(of objectID: ManagedObjectID, _ body: (inout Value) -> Bool) {
    guard let root = root(of: objectID), let store = index(of: objectID.store) else { return }
    stores[store].tables[root].neighbours(of: objectID.key, body)
  }

  /// - Returns: The removed value.
  @discardableResult
  mutating func removeValue(for objectID: ManagedObjectID) -> Value? {
    guard let root = root(of: objectID), let store = index(of: objectID.store) else { return nil }
    return stores[store].tables[root].removeValue(forKey: objectID.key)
  }

  /// Passes the nonempty tables of each store and hierarchy to the body, with the index of the hierarchy's root in the
  /// model.
  @inline(__always)
  mutating func forEachTable(_ body: (StoreIdentity, _ root: Int, inout KeyTable<Value>) -> Void) {
    for store in stores.indices {
      for root in stores[store].tables.indices where !stores[store].tables[root].isEmpty {
        body(stores[store].store, root, &stores[store].tables[root])
      }
    }
    stores.removeAll { $0.tables.allSatisfy(\.isEmpty) }
  }

  /// Passes the table of one store and hierarchy to the body, if there is one.
  @inline(__always)
  mutating func changeTable(of store: StoreIdentity, root: Int, _ body: (inout KeyTable<Value>) -> Void) {
    guard let index = index(of: store) else { return }
    body(&stores[index].tables[root])
    if stores[index].tables.allSatisfy(\.isEmpty) { stores.remove(at: index) }
  }

  func forEach(_ body: (Value) -> Void) {
    for store in stores { for table in store.tables { table.forEach(body) } }
  }

  @inline(__always)
  private func root(of objectID: ManagedObjectID) -> Int? {
    let index = Int(objectID.entityIndex)
    return index < roots.count ? roots[index] : nil
  }

  @inline(__always)
  private func index(of store: StoreIdentity) -> Int? {
    for index in stores.indices where stores[index].store === store { return index }
    return nil
  }

  @inline(never)
  private mutating func add(_ store: StoreIdentity) -> Int {
    stores.append(
      StoreTables(store: store, tables: ContiguousArray(repeating: KeyTable(), count: roots.count)))
    return stores.count - 1
  }
}
