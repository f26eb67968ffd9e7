// Chooses the store of an object, and keeps relationships within one store.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Chooses the store that a new object is saved to.
  ///
  /// By default, it is saved to the first writable store that has its entity.
  ///
  /// Assign the object before you link it with stored objects, which must all be in the same store.
  ///
  /// ```swift
  /// let quake = try Quake(context: context)
  /// try context.assign(quake, to: archive)
  /// try context.save()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/objectInStore(_:path:)`` for a saved object, ``ObjectGraphError/foreignObject(_:)``
  ///   for an object of another context, ``ObjectGraphError/wrongStore(found:expected:)`` for a store that is not open
  ///   in the coordinator, does not have the entity, or is read-only,
  ///   ``ObjectGraphError/relationshipAcrossStores(key:object:store:destination:destinationStore:)`` if the object is
  ///   linked with a stored object of another store.
  public func assign(_ object: ManagedObject, to store: PersistentStore) throws(ObjectGraphError) {
    queue.check()
    guard object.context === self, !object.isGone, object.state != .scratch else {
      throw .foreignObject(object.objectID)
    }
    if !object.objectID.isTemporaryID {
      throw .objectInStore(object.objectID, path: object.objectID.store.path)
    }
    let identities = persistentStoreCoordinator.openStores.map(\.identity)
    _ = try StoreAssignment(identities).position(of: store, holding: object.layout)
    if store.isReadOnly {
      throw .wrongStore(found: "the store \(store), which was opened read-only", expected: "one that may be written")
    }
    try object.checkStoredPartners(areIn: store.identity)
    family.assign(object.objectID.key, to: store.identity)
  }

  /// The stores in the coordinator's order, for sorting results from several of them; empty if there is only one.
  var storeOrder: [StoreIdentity] {
    let stores = persistentStoreCoordinator.openStores
    return stores.count > 1 ? stores.map(\.identity) : []
  }
}

extension ManagedObject {
  /// Whether both objects are, or will be, in the same store; the save checks pairs of new objects.
  @inline(__always)
  final func sharesStore(with other: ManagedObject) -> Bool {
    if objectID.store === other.objectID.store { return true }
    return sharesStoreByIdentity(with: other)
  }

  @inline(never)
  private final func sharesStoreByIdentity(with other: ManagedObject) -> Bool {
    guard let context else { return false }
    return context.storeIdentity(of: objectID) === context.storeIdentity(of: other.objectID)
  }

  /// Refuses an object of another store.
  ///
  /// - Throws: ``ObjectGraphError/relationshipAcrossStores(key:object:store:destination:destinationStore:)``.
  final func checkStore(of other: ManagedObject, _ key: String) throws(ObjectGraphError) {
    if sharesStore(with: other) { return }
    throw acrossStores(key, other.objectID, from: context?.storeIdentity(of: objectID))
  }

  /// Refuses a store that does not contain the stored objects of relationships.
  fileprivate final func checkStoredPartners(areIn store: StoreIdentity) throws(ObjectGraphError) {
    func check(_ key: String, _ other: ManagedObject) throws(ObjectGraphError) {
      if other.objectID.isTemporaryID || other.objectID.store === store { return }
      throw acrossStores(key, other.objectID, from: store)
    }
    for slot in layout.slots.indices {
      if let toOne = layout.slots[slot].toOne, let other = destination(slot) {
        try check(toOne.relationship.name, other)
      }
    }
    guard let links else { return }
    for (index, toMany) in layout.toManyRelationships.enumerated() {
      for other in links.lists[index].added { try check(toMany.relationship.name, other) }
    }
  }

  private final func acrossStores(
    _ key: String, _ other: ManagedObjectID, from store: StoreIdentity?
  ) -> ObjectGraphError {
    .relationshipAcrossStores(
      key: key, object: objectID, store: store?.path ?? "none", destination: other,
      destinationStore: context?.storeIdentity(of: other)?.path ?? "none")
  }
}
