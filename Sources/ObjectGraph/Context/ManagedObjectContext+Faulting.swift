// Faults: objects whose values are read when they are looked at, and objects that are to read theirs again.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The object of that ID, without reading anything: a fault when the context has none yet.
  ///
  /// Whether the row exists shows when the fault is filled. The ID may come from another coordinator that has the same
  /// store open.
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

  /// The same for an ID that is known to be of this context's model, because it is one of a row of its stores.
  func objectOrFault(_ objectID: ManagedObjectID) -> ManagedObject {
    queue.check()
    if parentSource != nil { adoptPermanentIDs() }
    let objectID = settled(objectID)
    if objectID.isTemporaryID {
      // What is new in a context of another family is in no store that this one reads.
      if objectID.store !== temporaryIdentity { return missingObject(objectID) }
      if let object = newObject(objectID.key) { return object }
    }
    if let object = registered[objectID] { return object }
    if objectID.isTemporaryID {
      let known = settledByParents(objectID)
      if !known.isTemporaryID { return objectOrFault(known) }
    }
    let layout = persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)]
    // A fault that takes the place of the row's object, which is of another entity, would hide what was changed of it.
    if registered.object(ofRow: objectID) != nil, isMissing(objectID, layout) {
      return persistentStoreCoordinator.makeObject(objectID, layout, row: nil, state: .detached, owner: queue)
    }
    return register(objectID, layout, row: nil, read: .now)
  }

  /// Whether the ID has no row; also false if the row cannot be read now.
  private func isMissing(_ objectID: ManagedObjectID, _ layout: EntityLayout) -> Bool {
    do throws(ObjectGraphError) { return try readRow(objectID, layout: layout) == nil } catch { return false }
  }

  /// The object of that ID if the context has it already; nothing is read, and no fault is made.
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

  /// The object of that ID, which is read if necessary.
  ///
  /// ```swift
  /// do {
  ///   print(try context.existingObject(with: quakeID)["place"])
  /// } catch .missingObject {
  ///   print("somebody has deleted the quake")
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/missingObject(_:)`` when there is no such row,
  ///   ``ObjectGraphError/foreignObject(_:)`` for an ID of another store, ``ObjectGraphError/store(_:during:)``.
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

  /// Reads the values of a fault; nil when its row is gone, which makes it a deleted object.
  func fill(_ object: ManagedObject) throws(ObjectGraphError) -> RowSnapshot? {
    guard let found = try readRow(ofFault: object) else {
      object.state = .detached
      storedChanges.append(CollectionOfOne(object.objectID))
      // A row that is stored later, after its ID was obtained, is a separate object.
      registered.remove(object.objectID, cache: rowCache)
      return nil
    }
    object.fill(found.row)
    registered.count(object, cache: rowCache, read: found.read)
    return found.row
  }

  /// The row of a fault.
  ///
  /// Unless the cache has it, it is read together with the rows of nearby faults, which the cache keeps.
  private func readRow(
    ofFault object: ManagedObject
  ) throws(ObjectGraphError) -> (row: RowSnapshot, read: ReadTime)? {
    try readRow(object.objectID, layout: object.layout) {
      let size = faultBatchSize
      return size > 1 && stalenessInterval != 0 ? registered.faults(beside: object.objectID, most: size - 1) : []
    }
  }

  /// Rows read before then are too old for this context.
  var oldestRow: ReadTime {
    let interval = stalenessInterval
    return interval < 0 ? .distantPast : ReadTime.now.earlier(bySeconds: interval)
  }

  /// A row from the cache if it is young enough, else from the store, and when its reading began.
  func readRow(
    _ objectID: ManagedObjectID, layout: EntityLayout
  ) throws(ObjectGraphError) -> (row: RowSnapshot, read: ReadTime)? {
    try readRow(objectID, layout: layout) { [] }
  }

  /// The same; when the store is read, the rows of the other faults are read with it, for the cache to keep.
  private func readRow(
    _ objectID: ManagedObjectID, layout: EntityLayout, with faults: () -> [ManagedObject]
  ) throws(ObjectGraphError) -> (row: RowSnapshot, read: ReadTime)? {
    // For a child what its parent has is stored, and may change at any time.
    if parentSource != nil { return try source.row(objectID, layout: layout).map { ($0, .now) } }
    let cache = rowCache
    if let known = cache.row(objectID, readSince: oldestRow) { return known }
    let faults = faults()
    // Taken before the read: what changes meanwhile may or may not be in it.
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

  /// Makes and registers an object for a row.
  ///
  /// If others had changed the row's entity and changed it back, the earlier object, if it is still held, is used again.
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
    // They are freed after the map is done, because their `deinit` may call the context.
    let unheld = registered.sweep(rowCache)
    withExtendedLifetime(unheld) {}
  }

  /// The same after a block of work, if enough objects came to pay for it.
  func releaseAfterWork() {
    if registered.isDueAfterWork() { releaseUnheldObjects() }
  }
}

extension CompiledModel {
  /// Whether the ID is of an entity of this model, under the same number.
  fileprivate func hasEntity(of objectID: ManagedObjectID) -> Bool {
    let index = Int(objectID.entityIndex)
    return layouts.indices.contains(index) && layouts[index].entity.name == objectID.entityName
  }
}
