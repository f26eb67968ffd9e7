// Values by row: a table of keys for each entity hierarchy of each store.
internal import CoreDataModel

/// Values by row.
///
/// Entities of one hierarchy share their keys, so a row is found whatever entity of it the ID names.
struct RowTable<Value> {
  struct StoreTables {
    let store: StoreIdentity
    /// By the root's place in the model; those of other entities stay empty.
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

  /// - Returns: The value that was there; nil also for an entity that the model does not have.
  @discardableResult
  @inline(__always)
  mutating func updateValue(_ value: Value, for objectID: ManagedObjectID) -> Value? {
    guard let root = root(of: objectID) else { return nil }
    let store = index(of: objectID.store) ?? add(objectID.store)
    return stores[store].tables[root].updateValue(value, forKey: objectID.key)
  }

  /// Changes the row's value where it stands; a value the body answers false for is removed.
  ///
  /// - Returns: Whether there was a value.
  @discardableResult
  @inline(__always)
  mutating func change(_ objectID: ManagedObjectID, _ body: (inout Value) -> Bool) -> Bool {
    guard let root = root(of: objectID), let store = index(of: objectID.store) else { return false }
    return stores[store].tables[root].change(objectID.key, body)
  }

  /// Changes the row's value where it stands, or gives the row its first value; nothing for an entity that the model
  /// does not have.
  @inline(__always)
  mutating func change(
    _ objectID: ManagedObjectID, orInsert value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    guard let root = root(of: objectID) else { return }
    let store = index(of: objectID.store) ?? add(objectID.store)
    stores[store].tables[root].change(objectID.key, orInsert: value(), body)
  }

  /// Shows the body the values that came after the row's until it says no, and then those that came before it.
  mutating func neighbours(of objectID: ManagedObjectID, _ body: (inout Value) -> Bool) {
    guard let root = root(of: objectID), let store = index(of: objectID.store) else { return }
    stores[store].tables[root].neighbours(of: objectID.key, body)
  }

  /// - Returns: The value that was there.
  @discardableResult
  mutating func removeValue(for objectID: ManagedObjectID) -> Value? {
    guard let root = root(of: objectID), let store = index(of: objectID.store) else { return nil }
    return stores[store].tables[root].removeValue(forKey: objectID.key)
  }

  /// Shows the body the values of each store and hierarchy that has some, by the place of the hierarchy's root in the model.
  @inline(__always)
  mutating func forEachTable(_ body: (StoreIdentity, _ root: Int, inout KeyTable<Value>) -> Void) {
    for store in stores.indices {
      for root in stores[store].tables.indices where !stores[store].tables[root].isEmpty {
        body(stores[store].store, root, &stores[store].tables[root])
      }
    }
    stores.removeAll { $0.tables.allSatisfy(\.isEmpty) }
  }

  /// Shows the body the values of one store and hierarchy; it may be called for none.
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
