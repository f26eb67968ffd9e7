// Faults: objects that read their values on first use, or read them again.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The object with this ID, without reading anything: a fault if the context does not have it yet.
  ///
  /// Whether the row exists is checked when the fault is filled. The ID may come from another coordinator that has the
  /// same store open.
  ///
  /// ```swift
  /// let quake = try context.object(with: quakeID)  // nothing is read
  /// try region.addObject(quake, forKey: "quakes")
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/foreignObject(_:)`` for an ID of another model.
  public func object(with objectID: ManagedObjectID) throws(ObjectGraphError) -> ManagedObject {
    let objectID = persistentStoreCoordinator.own(objectID)
    guard persistentStoreCoordinator.compiledModel.hasEntity(of: objectID) else { throw .foreignObject(objectID) }
    return objectOrFault(objectID)
  }

  /// The object with an ID that is known to belong to this context's model, because it came from a row of its stores.
  func objectOrFault(_ objectID: ManagedObjectID) -> ManagedObject {
    queue.check()
    if parentSource != nil { adoptPermanentIDs() }
    let objectID = settled(objectID)
    if objectID.isTemporaryID {
      // A new object of another family's context is in no store that this context reads.
      if objectID.store !== temporaryIdentity { return missingObject(objectID) }
      if let object = newObject(objectID.key) { return object }
    }
    if let object = registered[objectID] { return object }
    if objectID.isTemporaryID {
      let known = settledByParents(objectID)
      if !known.isTemporaryID { return objectOrFault(known) }
    }
    let layout = persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)]
    // Do not create a fault that replaces the row's object of another entity: it would hide that object's changes.
    if registered.object(ofRow: objectID) != nil, isMissing(objectID, layout) {
      return persistentStoreCoordinator.makeObject(objectID, layout, row: nil, state: .detached, owner: queue)
    }
    return register(objectID, layout, row: nil, read: .now)
  }

  /// Whether the ID has no row; also false if the row cannot be read now.
  private func isMissing(_ objectID: ManagedObjectID, _ layout: EntityLayout) -> Bool {
    do throws(ObjectGraphError) { return try readRow(objectID, layout: layout) == nil } catch { return false }
  }

  /// The object with this ID if the context already has it; it reads nothing and creates no fault.
  ///
  /// ```swift
  /// if let quake = context.registeredObject(for: quakeID) {
  ///   try context.refresh(quake, mergeChanges: true)
  /// }
  /// ```
  public func registeredObject(for objectID: ManagedObjectID) -> ManagedObject? {
    queue.check()
    adoptPermanentIDs()
    let objectID = settled(persistentStoreCoordinator.own(objectID))
    if objectID.isTemporaryID, objectID.store !== temporaryIdentity { return nil }
    return knownObject(objectID)
  }

  /// The object with this ID, which is read if necessary.
  ///
  /// ```swift
  /// do {
  ///   print(try context.existingObject(with: quakeID)["place"])
  /// } catch .missingObject {
  ///   print("somebody has deleted the quake")
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/missingObject(_:)`` if there is no such row, ``ObjectGraphError/foreignObject(_:)``
  ///   for an ID of another store, ``ObjectGraphError/store(_:during:)``.
  public func existingObject(with objectID: ManagedObjectID) throws(ObjectGraphError) -> ManagedObject {
    let object = try object(with: objectID)
    if object.isFault {
      let objectID = object.objectID
      guard !objectID.isTemporaryID || parentSource != nil, let found = try readRow(objectID, layout: object.layout)
      else {
        object.state = .detached
        storedChanges.append(CollectionOfOne(objectID))
        registered.remove(objectID, cache: rowCache)
        throw .missingObject(objectID)
      }
      object.fill(found.row)
      registered.count(object, cache: rowCache, read: found.read)
      if object.hasCallbacks { object.awake() }
    }
    return object
  }

  /// Reads the values of a fault; `nil` if its row is gone, which makes it a deleted object.
  func fill(_ object: ManagedObject) throws(ObjectGraphError) -> RowSnapshot? {
    guard let found = try readRow(ofFault: object) else {
      object.state = .detached
      storedChanges.append(CollectionOfOne(object.objectID))
      // If the row is stored later because its ID was obtained before, it gets a new object.
      registered.remove(object.objectID, cache: rowCache)
      return nil
    }
    object.fill(found.row)
    registered.count(object, cache: rowCache, read: found.read)
    return found.row
  }

  /// The row of a fault.
  ///
  /// If it is not in the cache, it is read together with the rows of nearby faults, which the cache keeps.
  private func readRow(
    ofFault object: ManagedObject
  ) throws(ObjectGraphError) -> (row: RowSnapshot, read: ReadTime)? {
    try readRow(object.objectID, layout: object.layout) {
      let size = faultBatchSize
      return size > 1 && stalenessInterval != 0 ? registered.faults(beside: object.objectID, most: size - 1) : []
    }
  }

  /// Rows read before this time are too old for this context.
  var oldestRow: ReadTime {
    let interval = stalenessInterval
    return interval < 0 ? .distantPast : ReadTime.now.earlier(bySeconds: interval)
  }

  /// A row from the cache if it is recent enough, else from the store, and when reading it began.
  func readRow(
    _ objectID: ManagedObjectID, layout: EntityLayout
  ) throws(ObjectGraphError) -> (row: RowSnapshot, read: ReadTime)? {
    try readRow(objectID, layout: layout) { [] }
  }

  /// Like ``readRow(_:layout:)``; if it reads the store, it also reads the rows of the other faults, for the cache.
  private func readRow(
    _ objectID: ManagedObjectID, layout: EntityLayout, with faults: () -> [ManagedObject]
  ) throws(ObjectGraphError) -> (row: RowSnapshot, read: ReadTime)? {
    // For a child, the parent's objects are what is stored, and they may change at any time.
    if parentSource != nil { return try source.row(objectID, layout: layout).map { ($0, .now) } }
    let cache = rowCache
    if let known = cache.row(objectID, readSince: oldestRow) { return known }
    let faults = faults()
    // Take the time before the read: a change during the read may or may not be included.
    let read = ReadTime.now
    let row: RowSnapshot?
    if faults.isEmpty {
      row = try source.row(objectID, layout: layout)
    } else {
      let rows = try source.rows(of: [objectID] + faults.map(\.objectID))
      for (fault, row) in zip(faults, rows.dropFirst()) {
        if let row, row.layout === fault.layout {
          registered.keep(row.snapshot, of: fault, cache: cache, read: read)
        }
      }
      row = rows.first.flatMap(\.self).flatMap { $0.layout === layout ? $0.snapshot : nil }
    }
    guard let row else {
      cache.remove(objectID)
      return nil
    }
    cache.refresh(objectID, row, read: read)
    return (row, read)
  }

  /// Creates and registers an object for a row.
  ///
  /// If others changed the row's entity and changed it back, the earlier object is used again if it still exists.
  func register(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, row: RowSnapshot?, read: ReadTime
  ) -> ManagedObject {
    if let object = registered.reinstate(objectID, cache: rowCache) {
      guard let row else { return object }
      return self.object(for: StoredRow(objectID: objectID, layout: layout, snapshot: row), read: read)
    }
    let coordinator = persistentStoreCoordinator
    let object = coordinator.makeObject(objectID, layout, row: row, state: .stored, owner: queue)
    let isFull = enter(object, as: objectID, row: row, read: read)
    if isFull { releaseUnheldObjects() }
    if object.hasCallbacks, row != nil { object.awake() }
    return object
  }

  /// Releases the registered objects that nothing else holds.
  func releaseUnheldObjects() {
    // Free them only after the map is updated, because their `deinit` may call the context.
    let unheld = registered.sweep(rowCache)
    withExtendedLifetime(unheld) {}
  }

  /// Releases unused objects after a block of work, if enough objects were added to make it worthwhile.
  func releaseAfterWork() {
    if registered.isDueAfterWork() { releaseUnheldObjects() }
  }
}

extension CompiledModel {
  /// Whether the ID belongs to an entity of this model with the same number.
  fileprivate func hasEntity(of objectID: ManagedObjectID) -> Bool {
    let index = Int(objectID.entityIndex)
    return layouts.indices.contains(index) && layouts[index].entity.name == objectID.entityName
  }
}
