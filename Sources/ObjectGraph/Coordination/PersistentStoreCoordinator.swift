// The coordinator: it knows the model and the stores, and passes each context's requests to the store they concern.
public import SQLiteDriver
internal import Synchronization

/// Connects contexts with stores.
public final class PersistentStoreCoordinator: Sendable {
  public let managedObjectModel: ManagedObjectModel
  let compiledModel: CompiledModel
  let rowCache: RowCache
  /// The classes of objects by their entity's place in the model; plain objects where there is none.
  let classes: [Int: ManagedObject.Type]
  /// Contexts that merge each other's saves.
  let followers = ContextFollowers()
  let remoteChangeObservers = RemoteChangeObservers()
  private let stores = Mutex<[any PersistentStore]>([])

  /// - Parameters:
  ///   - managedObjectModel: The model of the stores.
  ///   - classes: The class of an entity's objects, by entity name; names the model does not have are ignored.
  public init(managedObjectModel: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) {
    self.managedObjectModel = managedObjectModel
    let model = CompiledModel(managedObjectModel)
    compiledModel = model
    rowCache = RowCache(model)
    self.classes = classes.reduce(into: [:]) { result, entry in
      if let layout = model.layouts.first(where: { $0.entity.name == entry.key }) { result[layout.index] = entry.value }
    }
  }

  /// Opens the store, making it first when there is none at the path.
  /// - Throws: ``ObjectGraphError/incompatibleStore(path:differences:)`` when it was made with another model,
  ///   ``ObjectGraphError/store(_:during:)`` when SQLite cannot open it.
  public func addPersistentStore(_ description: PersistentStoreDescription) throws(ObjectGraphError) {
    // Every connection would open a database of its own.
    if description.path.isEmpty || description.path.hasPrefix(":memory:") {
      throw .incompatibleStore(path: description.path, differences: ["stores are files; name one"])
    }
    if isOpen(description.path) {
      throw .storeAlreadyOpen(path: description.path)
    }
    let store = try SQLiteStore(description, model: compiledModel)
    try store.watch { [remoteChangeObservers] in remoteChangeObservers.post($0) }
    stores.withLock { $0.append(store) }
  }

  func isOpen(_ path: String) -> Bool { stores.withLock { $0.contains { $0.path == path } } }

  /// Closes every store.
  ///
  /// Contexts of this coordinator have no store afterwards.
  /// - Throws: ``ObjectGraphError/store(_:during:)``.
  public func close() throws(ObjectGraphError) {
    for store in stores.withLock({ $0 }) {
      try store.close()
      stores.withLock { $0.removeAll { $0 === store } }
    }
  }

  /// Moves the store's write-ahead log into its database file; the default mode empties it too.
  ///
  /// - Parameter mode: How hard to try.
  /// - Returns: How much was moved; a checkpoint that readers or writers held up is no error.
  /// - Throws: ``ObjectGraphError/store(_:during:)``.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .truncate) throws(ObjectGraphError) -> CheckpointResult {
    try store().checkpoint(mode)
  }

  /// What the store's writing connection answers for a pragma; nil when SQLite has none of that name.
  /// - Throws: ``ObjectGraphError/store(_:during:)``.
  public func pragma(_ name: String) throws(ObjectGraphError) -> String? { try store().pragma(name) }

  func execute(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    let store = try store()
    for row in request.updates + request.deletions where row.objectID.store !== store.identity {
      throw .foreignObject(row.objectID)
    }
    return try store.save(request)
  }

  /// Reads rows until there are no more, or `goesOn`, which is asked after each, says no.
  func rows(_ fetch: StoreFetch, goesOn: () -> Bool = { true }) throws(ObjectGraphError) -> [StoredRow] {
    try store().rows(fetch, goesOn: goesOn)
  }

  func keys(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredKeys { try store().keys(fetch) }

  func dictionaries(_ request: FetchRequest, _ fetch: StoreFetch) throws(ObjectGraphError) -> DictionaryResults {
    try store().dictionaries(request, fetch)
  }

  func row(_ objectID: ManagedObjectID, layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot? {
    let store = try store()
    guard objectID.isTemporaryID || objectID.store === store.identity else { throw .foreignObject(objectID) }
    return try store.row(key: objectID.key, of: layout)
  }

  /// The stored rows of the IDs, in no order; those of temporary IDs and those that are gone are left out.
  func rows(of objectIDs: [ManagedObjectID]) throws(ObjectGraphError) -> [StoredRow] {
    let store = try store()
    let stored = objectIDs.filter { $0.store === store.identity && !$0.isTemporaryID }
    let roots = Dictionary(grouping: stored) { compiledModel.layouts[Int($0.entityIndex)].rootIndex }
    var rows: [StoredRow] = []
    for root in roots.keys.sorted() {
      rows += try store.rows(keys: (roots[root] ?? []).map(\.key), rootIndex: root)
    }
    return rows
  }

  /// The objects of a to-many relationship of each object, by its key; objects never saved have none.
  func relatedObjects(
    of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [Int64: [RelatedObject]] {
    let store = try store()
    let keys = objectIDs.filter { $0.store === store.identity && !$0.isTemporaryID }.map(\.key)
    return keys.isEmpty ? [:] : try store.relatedObjects(keys: keys, toMany)
  }

  /// The identity of the store that new objects go to; nil without a store.
  var insertionStoreIdentity: StoreIdentity? { stores.withLock { $0.first?.identity } }

  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int { try store().count(fetch) }

  /// The store that holds every entity; inserts go to the first one.
  func store() throws(ObjectGraphError) -> any PersistentStore {
    guard let store = stores.withLock({ $0.first }) else { throw .noStore }
    return store
  }
}
