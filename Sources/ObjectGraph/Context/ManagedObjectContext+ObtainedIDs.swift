// Permanent IDs before a save: new objects already have the IDs with which they will be stored.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Gives new objects permanent IDs before they are saved, so that you can pass on and keep the IDs.
  ///
  /// Separate transactions, one for each table, reserve the keys. Keys of objects that are never saved are not used
  /// again. Objects that have permanent IDs are skipped. An object keeps its ID: if its unique values turn out to be
  /// taken, the save fails under every merge policy, instead of overwriting another row.
  ///
  /// ```swift
  /// let quake = try Quake(context: context)
  /// try context.obtainPermanentIDs(for: [quake])
  /// let link = quake.objectID.uriRepresentation()  // stays the same once the quake is saved
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/foreignObject(_:)`` for an object of another context, ``ObjectGraphError/noStore``,
  ///   ``ObjectGraphError/entityInNoStore(_:)``, ``ObjectGraphError/readOnlyStore(path:)``,
  ///   ``ObjectGraphError/reentrantRequest``, ``ObjectGraphError/store(_:during:)``; some of the objects may have their
  ///   IDs then.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws(ObjectGraphError) {
    queue.check()
    for object in objects where object.context !== self || object.state == .detached {
      throw .foreignObject(object.objectID)
    }
    adoptPermanentIDs()
    try obtainPermanentIDs(objects.map(\.objectID))
  }

  /// Obtains permanent IDs by temporary IDs; the parent names a child's objects if they are its new objects as well.
  private func obtainPermanentIDs(_ objectIDs: [ManagedObjectID]) throws(ObjectGraphError) {
    var known: Set<ManagedObjectID> = []
    let temporary = objectIDs.filter { $0.isTemporaryID && $0.store === temporaryIdentity && known.insert($0).inserted }
    if temporary.isEmpty { return }
    let mine = temporary.filter { newObject($0.key) != nil }
    if !mine.isEmpty {
      let permanent = try persistentStoreCoordinator.permanentIDs(mine) { storeIdentity(of: $0) }
      family.forgetStores(ofKeys: mine.map(\.key))
      family.report(permanent)
      // A child is notified together with the others.
      if parentSource == nil { settleIDs() }
    }
    guard let parentSource, mine.count < temporary.count else { return }
    let others = temporary.filter { family.settled($0).isTemporaryID }
    try parentSource.ask { (parent) throws(ObjectGraphError) in
      parent.adoptPermanentIDs()
      try parent.obtainPermanentIDs(others)
    }
    adoptPermanentIDs()
  }

  /// Registers a new object under its permanent ID; the row cache only has stored rows.
  func enterUnsaved(_ object: ManagedObject) {
    hasObtainedIDs = true
    // The object replaces a fault that was created for the ID.
    if let fault = registered[object.objectID], fault !== object {
      registered.remove(object.objectID, cache: rowCache)
      fault.state = .detached
    }
    _ = enter(object, as: object.objectID, row: nil, read: .distantPast)
  }

  /// Removes an object from the new ones.
  func forget(_ object: ManagedObject) {
    object.state = .detached
    // Results must no longer create an object from what they know of it.
    storedChanges.append(CollectionOfOne(object.objectID))
    if !object.objectID.isTemporaryID { registered.remove(object.objectID, cache: rowCache) }
  }

  /// The stores of new objects that have permanent IDs, by their index among the new ones.
  var obtainedStores: [Int: StoreIdentity] {
    guard hasObtainedIDs else { return [:] }
    var stores: [Int: StoreIdentity] = [:]
    for (index, object) in pendingInsertions.enumerated() where !object.objectID.isTemporaryID {
      stores[index] = object.objectID.store
    }
    return stores
  }
}

extension PersistentStoreCoordinator {
  /// Reserves a key for each of the objects, in their order, and returns the IDs by temporary key.
  fileprivate func permanentIDs(
    _ objectIDs: [ManagedObjectID], in store: (ManagedObjectID) -> StoreIdentity?
  ) throws(ObjectGraphError) -> [Int64: ManagedObjectID] {
    let stores = openStores
    if stores.isEmpty { throw .noStore }
    try refuseReentrance()
    var permanent: [Int64: ManagedObjectID] = [:]
    for wanted in stores {
      let mine = objectIDs.filter { store($0) === wanted.identity }
      let roots = Dictionary(grouping: mine) { compiledModel.layouts[Int($0.entityIndex)].rootIndex }
      for root in roots.keys.sorted() {
        let objectIDs = roots[root] ?? []
        var key = try wanted.reserveKeys(objectIDs.count, of: compiledModel.layouts[root])
        for objectID in objectIDs {
          permanent[objectID.key] = objectID.permanent(key, in: wanted.identity)
          key += 1
        }
      }
    }
    for objectID in objectIDs where permanent[objectID.key] == nil { throw .entityInNoStore(objectID.entityName) }
    return permanent
  }
}
