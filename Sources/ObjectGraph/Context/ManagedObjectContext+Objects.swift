// The objects of a context: creates and deletes them, lists those with unsaved changes, and forgets them all.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Creates a new object of the entity with its default values.
  ///
  /// ```swift
  /// let quake = try context.insertNewObject(forEntityName: "Quake")
  /// quake["code"] = "us1000ep7p"
  /// quake[Quake.magnitude] = 4.6
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/abstractEntity(_:)``.
  @discardableResult
  public func insertNewObject(forEntityName name: String) throws(ObjectGraphError) -> ManagedObject {
    queue.check()
    let layout = try persistentStoreCoordinator.compiledModel.concreteLayout(named: name)
    let object = persistentStoreCoordinator.makeObject(
      newID(layout), layout, row: layout.defaults, state: .inserted, owner: queue)
    takeIn(object)
    return object
  }

  /// The temporary ID of a new object of the entity.
  @inline(__always)
  func newID(_ layout: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(store: temporaryIdentity, entityIndex: Int32(layout.index), key: family.nextKey())
  }

  /// Registers a new object, which the next save inserts.
  func takeIn(_ object: ManagedObject) {
    pendingInsertions.append(object)
    newObjects?[object.objectID.key] = object
    if object.hasCallbacks { object.awakeFromInsert() }
  }

  /// Marks the object for deletion by the next save; a new object is forgotten at once.
  ///
  /// Deleting an object twice has no effect.
  ///
  /// ```swift
  /// for quake in region[Region.quakes] where quake[Quake.magnitude] ?? 0 < 1 { try context.delete(quake) }
  /// try context.save()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/foreignObject(_:)`` for an object of another context,
  ///   ``ObjectGraphError/callDuringSave(_:at:)`` from a merge policy's function,
  ///   ``ObjectGraphError/deletedObject(_:)`` for one that is already deleted, ``ObjectGraphError/missingObject(_:)``
  ///   for a fault without a row, ``ObjectGraphError/store(_:during:)`` for one that cannot be read.
  public func delete(_ object: ManagedObject) throws(ObjectGraphError) {
    queue.check()
    try refuseInPolicy("delete(_:)")
    try markForDeletion(object)
  }

  /// Forgets every object and every unsaved change.
  ///
  /// Stored objects that you still hold become faults that are never filled; get new ones by their IDs. New objects are
  /// deleted. Observers of ``ContextNotification/Name/objectsDidChange`` are notified before it returns, see
  /// ``ContextNotification/invalidatedAllObjects``.
  ///
  /// ```swift
  /// for (number, row) in rows.enumerated() {
  ///   let quake = try Quake(context: context)
  ///   for (key, value) in row { try quake.setValue(value, forKey: key) }
  ///   if number % 5_000 == 4_999 { try context.save(); context.reset() }
  /// }
  /// ```
  ///
  /// During a save of this context, until its rows are stored, it does nothing, and the save fails with
  /// ``ObjectGraphError/callDuringSave(_:at:)``.
  public func reset() {
    queue.check()
    if isRefusedDuringSave("reset()") { return }
    prepareUndoing()
    for object in pendingInsertions { object.detach(as: .detached) }
    let changed = pendingUpdates + pendingDeletions
    forgetPending()
    unreported = UnreportedChanges()
    for object in registered.removeAll(rowCache) + changed {
      if object.isGone { object.detach(as: object.state) } else { object.forget() }
    }
    formerIDs = FormerIDs()
    if observers.isObserved(.objectsDidChange) {
      observers.post(ContextNotification(.objectsDidChange, invalidatedAllObjects: true))
    }
  }

  /// Removes all pending changes.
  ///
  /// The caller takes care of the objects.
  func forgetPending() {
    family.forgetStores(of: pendingInsertions)
    pendingInsertions = []
    pendingUpdates = []
    pendingDeletions = []
    unpropagated = []
    lostRows = []
    newObjects = nil
    childKeys = []
    hasObtainedIDs = false
  }

  /// Called by an object before its first change since it was read or saved.
  func noteChange(of object: ManagedObject) {
    if !object.isListed {
      object.isListed = true
      pendingUpdates.append(object)
    }
  }
}

/// The pending and the registered objects.
extension ManagedObjectContext {
  /// Whether saving would write anything.
  ///
  /// ```swift
  /// try context.delete(quake)
  /// if context.hasChanges { try context.save() }
  /// ```
  public var hasChanges: Bool {
    queue.check()
    return pendingInsertions.contains { $0.isInserted } || pendingUpdates.contains { $0.isUpdated }
      || !pendingDeletions.isEmpty
  }

  /// New objects in creation order.
  ///
  /// ```swift
  /// let quake = try Quake(context: context)
  /// context.insertedObjects.contains(quake)  // true
  /// ```
  public var insertedObjects: [ManagedObject] {
    queue.check()
    return pendingInsertions.filter(\.isInserted)
  }

  /// Stored objects with unsaved changes, in the order of their first change.
  ///
  /// ```swift
  /// quake[Quake.magnitude] = 4.7
  /// for object in context.updatedObjects { print(object.objectID, object.changedValues()) }
  /// ```
  public var updatedObjects: [ManagedObject] {
    queue.check()
    return pendingUpdates.filter(\.isUpdated)
  }

  /// Stored objects that the next save deletes, in the order they were marked.
  public var deletedObjects: [ManagedObject] {
    queue.check()
    return pendingDeletions
  }

  /// The stored objects that are still in use, in no particular order, followed by the new ones.
  ///
  /// ```swift
  /// let faults = context.registeredObjects.filter(\.isFault).count
  /// print("\(faults) of \(context.registeredObjects.count) objects hold no values")
  /// ```
  public var registeredObjects: [ManagedObject] {
    queue.check()
    releaseUnheldObjects()
    // New objects with permanent IDs are in the map already.
    return registered.all.filter { !$0.isInserted } + insertedObjects
  }
}
