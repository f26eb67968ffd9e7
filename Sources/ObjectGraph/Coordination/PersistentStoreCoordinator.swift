// The coordinator: has the model and the stores, and passes each context's requests to the stores that they concern.
public import CoreDataModel
internal import Support
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Connects contexts with stores.
///
/// ```swift
/// let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(PersistentStoreDescription(path: "quakes.sqlite"))
/// let context = ManagedObjectContext(coordinator: coordinator)
/// ```
public final class PersistentStoreCoordinator: Sendable {
  /// The model with which every store is opened.
  public let managedObjectModel: ManagedObjectModel
  let compiledModel: CompiledModel
  let rowCache: RowCache
  /// The classes of objects by their entity's index in the model; `nil` for plain objects.
  ///
  /// Empty if no entity has a class.
  let classes: [ManagedObject.Type?]
  /// Contexts that merge each other's saves.
  let followers = ContextFollowers()
  let remoteChangeObservers = ObserverList<PersistentStoreRemoteChange>()
  private let stores = Lock(OpenStores())

  /// Creates a coordinator with plain managed objects.
  ///
  /// ```swift
  /// let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
  /// coordinator.persistentStores.isEmpty  // true: they are added
  /// ```
  ///
  /// - Parameter managedObjectModel: The model of the stores.
  public convenience init(managedObjectModel: ManagedObjectModel) {
    self.init(CompiledModel(managedObjectModel), classes: [])
  }

  /// Creates a coordinator with classes for entities.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   managedObjectModel: model, classes: ["Quake": Quake.self, "Region": Region.self])
  /// ```
  ///
  /// - Parameters:
  ///   - managedObjectModel: The model of the stores.
  ///   - classes: The classes of objects by entity name; other entities have plain managed objects.
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)`` for a name that the model does not have.
  public convenience init(
    managedObjectModel: ManagedObjectModel, classes: [String: ManagedObject.Type]
  ) throws(ObjectGraphError) {
    let model = CompiledModel(managedObjectModel)
    var known = [ManagedObject.Type?](repeating: nil, count: classes.isEmpty ? 0 : model.layouts.count)
    for name in classes.keys.sorted() { known[try model.layout(named: name).index] = classes[name] }
    self.init(model, classes: known)
  }

  private init(_ model: CompiledModel, classes: [ManagedObject.Type?]) {
    managedObjectModel = model.model
    compiledModel = model
    rowCache = RowCache(model)
    self.classes = classes
  }

  /// Opens the store, and creates it first if it does not exist.
  ///
  /// Several stores may have the same entity. A fetch combines their rows, and new objects are saved to the first
  /// writable store, unless ``ManagedObjectContext/assign(_:to:)`` chooses another one.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.tracksPersistentHistory = true
  /// let store = try coordinator.addPersistentStore(description)
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/incompatibleModel(path:entities:)`` if it was created with another model and is
  ///   opened for writing, ``ObjectGraphError/incompatibleStore(path:differences:)`` if it lacks parts of the model,
  ///   ``ObjectGraphError/unknownConfiguration(found:expected:)``, ``ObjectGraphError/storeAlreadyOpen(path:)``,
  ///   ``ObjectGraphError/storeIdentifierTaken(path:by:)`` for a copy of an open store,
  ///   ``ObjectGraphError/pragma(_:found:expected:path:)``, ``ObjectGraphError/store(_:during:)`` if SQLite cannot open
  ///   it.
  @discardableResult
  public func addPersistentStore(
    _ description: PersistentStoreDescription
  ) throws(ObjectGraphError) -> PersistentStore {
    // With such a path, every connection would open a separate database.
    if description.path.isEmpty || description.path.hasPrefix(":memory:") {
      throw .incompatibleStore(path: description.path, differences: ["stores are files; name one"])
    }
    if isOpen(description.path) {
      throw .storeAlreadyOpen(path: description.path)
    }
    // Check this before opening the store, which may change it: a copy must be refused unchanged.
    if !openStores.isEmpty, let uuid = StoreOpening.identifier(of: description) {
      try refuseIdentifier(uuid, of: description.path)
    }
    let store = try SQLiteStore(description, model: compiledModel)
    do throws(ObjectGraphError) {
      try store.watch { [remoteChangeObservers] in remoteChangeObservers.post($0) }
    } catch {
      try? store.close()
      throw error
    }
    let taken = stores.withLock { stores in
      let taken = stores.all.first { $0.identity.uuid == store.identity.uuid }
      if taken == nil { stores.append(store) }
      return taken
    }
    if let taken {
      try store.close()
      throw .storeIdentifierTaken(path: description.path, by: taken.identity.path)
    }
    return store.handle
  }

  /// Creates a coordinator of plain objects for a store that is already open.
  convenience init(_ model: CompiledModel, over store: SQLiteStore) {
    self.init(model, classes: [])
    stores.withLock { $0.append(store) }
  }

  private func refuseIdentifier(_ uuid: String, of path: String) throws(ObjectGraphError) {
    for store in openStores where store.identity.uuid == uuid {
      throw .storeIdentifierTaken(path: path, by: store.identity.path)
    }
  }

  func isOpen(_ path: String) -> Bool { stores.withLock { $0.all.contains { $0.identity.path == path } } }

  /// The open stores in the order in which they were added.
  ///
  /// ```swift
  /// for store in coordinator.persistentStores where !store.isReadOnly {
  ///   try coordinator.checkpoint(of: store)
  /// }
  /// ```
  public var persistentStores: [PersistentStore] { openStores.map(\.handle) }

  /// The store that contains the object; `nil` for a temporary ID, and if the store is not open here.
  ///
  /// ```swift
  /// if coordinator.persistentStore(for: quakeID) == archive {
  ///   print("the quake is in the archive")
  /// }
  /// ```
  public func persistentStore(for objectID: ManagedObjectID) -> PersistentStore? {
    let objectID = own(objectID)
    return objectID.isTemporaryID ? nil : openStores.first { $0.identity === objectID.store }?.handle
  }

  /// Closes a store; its objects can then be neither read nor saved.
  ///
  /// ```swift
  /// try coordinator.remove(archive)
  /// coordinator.persistentStores.contains(archive)  // false
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)`` if it is not open in this coordinator;
  ///   ``ObjectGraphError/reentrantRequest`` from a function that a request of the store calls, in which case it stays
  ///   open; ``ObjectGraphError/store(_:during:)``.
  public func remove(_ store: PersistentStore) throws(ObjectGraphError) {
    let found = try self.store(store)
    try found.close()
    stores.withLock { $0.remove(found) }
  }

  /// Closes every store.
  ///
  /// Contexts of this coordinator then have no store.
  ///
  /// ```swift
  /// try coordinator.checkpoint()
  /// try coordinator.close()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/reentrantRequest`` from a function that a request calls, in which case every store
  ///   stays open; ``ObjectGraphError/store(_:during:)``.
  public func close() throws(ObjectGraphError) {
    for store in openStores { try store.refuseReentrantClosing() }
    for store in openStores {
      try store.close()
      stores.withLock { $0.remove(store) }
    }
  }

  // MARK: Stores

  /// Refuses requests that would wait for a store while the caller writes to another one: whoever holds that store may
  /// be waiting for the caller.
  ///
  /// A single store only refuses requests during its own.
  ///
  /// - Throws: ``ObjectGraphError/reentrantRequest``.
  func refuseReentrance() throws(ObjectGraphError) {
    let stores = openStores
    if stores.count > 1, stores.contains(where: \.isBeingWrittenByCaller) { throw .reentrantRequest }
  }

  /// The open stores in their order.
  var openStores: [SQLiteStore] { stores.withLock { $0.all } }

  func readers() throws(ObjectGraphError) -> [SQLiteReader] {
    let readers = stores.withLock { $0.readers }
    if readers.isEmpty { throw .noStore }
    return readers
  }

  /// The selected store; the first by default.
  func store(_ wanted: PersistentStore? = nil) throws(ObjectGraphError) -> SQLiteStore {
    let all = openStores
    guard let first = all.first else { throw .noStore }
    guard let wanted else { return first }
    for store in all where store.identity === wanted.identity { return store }
    throw .wrongStore(
      found: "the store \(wanted), which is not open in this coordinator",
      expected: "one of \(all.map(\.identity.path).joined(separator: ", "))")
  }

  /// The stores of a request: those that have the entity and that it selects, if it selects any.
  func stores(
    holding layout: EntityLayout, among wanted: [PersistentStore]?
  ) throws(ObjectGraphError) -> [SQLiteStore] {
    let all = openStores
    if all.isEmpty { throw .noStore }
    return try StoreAssignment(all.map(\.identity)).positions(holding: layout, among: wanted).map { all[$0] }
  }

  /// The identity of the store for new objects of the entity; `nil` if there is none.
  func insertionStoreIdentity(_ layout: EntityLayout) -> StoreIdentity? {
    openStores.first { !$0.identity.isReadOnly && $0.identity.holds(layout) }?.identity
  }
}

/// The stores of a coordinator and their readers.
private struct OpenStores {
  private(set) var all: [SQLiteStore] = []
  private(set) var readers: [SQLiteReader] = []

  mutating func append(_ store: SQLiteStore) {
    all.append(store)
    readers.append(store.reader)
  }

  mutating func remove(_ store: SQLiteStore) {
    all.removeAll { $0 === store }
    readers.removeAll { $0 === store.reader }
  }
}
