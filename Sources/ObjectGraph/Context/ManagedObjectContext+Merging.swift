// Merging: learning of what other contexts, or requests past all contexts, have stored.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Whether saves of other contexts of the coordinator - for a child, of other children of its parent - are merged into
  /// this one, some time after they happen; any thread may set it.
  ///
  /// ```swift
  /// let view = container.viewContext
  /// view.automaticallyMergesChangesFromParent = true
  /// ```
  public var automaticallyMergesChangesFromParent: Bool {
    get { siblings.contains(self) }
    set { siblings.follow(self, newValue) }
  }

  /// The contexts that save to the same place as this one.
  private var siblings: ContextFollowers { parent?.children ?? persistentStoreCoordinator.followers }

  /// Takes in what another context of the same coordinator saved: changed objects show the new values under their own
  /// changes, deleted ones are gone, new ones can be found.
  ///
  /// ```swift
  /// let view = await container.viewContext
  /// let observation = context.observe(.didSave) { saved in
  ///   view.perform(later: { try? view.mergeChanges(fromContextDidSave: saved) })
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a row cannot be read: the others are merged then,
  ///   ``ObjectGraphError/queryGeneration(found:expected:)`` in a context that is pinned to a query generation.
  public func mergeChanges(fromContextDidSave notification: ContextNotification) throws(ObjectGraphError) {
    queue.check()
    try checkMayMerge()
    try merge(
      ChangedObjectIDs(
        inserted: notification.inserted, updated: notification.updated, deleted: notification.deleted))
  }

  /// Takes in what was stored past all contexts, by a batch request or by another coordinator, such as a transaction of
  /// history: `context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())`.
  ///
  /// ```swift
  /// var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "unknown"])
  /// request.resultType = .changes
  /// if let changes = try context.execute(request).changes { try context.mergeChanges(fromContextDidSave: changes) }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a row cannot be read,
  ///   ``ObjectGraphError/queryGeneration(found:expected:)`` in a context that is pinned to a query generation.
  public func mergeChanges(fromContextDidSave changes: ChangedObjectIDs) throws(ObjectGraphError) {
    queue.check()
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
  }

  /// Takes changes made past all contexts, as by a batch request, into several contexts.
  ///
  /// The rows are read once for all of them. A parent comes before its children, in whatever order they are named.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.resultType = .changes
  /// if let changes = try context.execute(request).changes {
  ///   try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [container.viewContext, context])
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a row cannot be read; before anything is merged,
  ///   ``ObjectGraphError/queryGeneration(found:expected:)`` when a context is pinned to a query generation.
  public static func mergeChanges(
    fromRemoteContextSave changes: ChangedObjectIDs, into contexts: [ManagedObjectContext]
  ) throws(ObjectGraphError) {
    for context in contexts {
      let result = context.performAndWait { Result { () throws(ObjectGraphError) in try context.checkMayMerge() } }
      try result.get()
    }
    var coordinators: [PersistentStoreCoordinator] = []
    for context in contexts where !coordinators.contains(where: { $0 === context.persistentStoreCoordinator }) {
      coordinators.append(context.persistentStoreCoordinator)
    }
    for coordinator in coordinators { try coordinator.refreshCache(changes) }
    // Parents first, because their children read again what they have.
    for context in contexts.sorted(by: { $0.ancestors < $1.ancestors }) {
      let result = context.performAndWait {
        Result { () throws(ObjectGraphError) in try context.merge(changes) }
      }
      try result.get()
    }
  }

  /// How many contexts stand between this one and the coordinator.
  private var ancestors: Int { parent.map { $0.ancestors + 1 } ?? 0 }

  func merge(_ changes: ChangedObjectIDs) throws(ObjectGraphError) {
    adoptPermanentIDs()
    // Others cannot have stored what is new here; for a child, what its parent has as new is stored.
    let told = persistentStoreCoordinator.own(changes).filter { objectID in
      !objectID.isTemporaryID
        || parentSource != nil && objectID.store === temporaryIdentity && newObject(objectID.key) == nil
    }
    var changes = told.map(settledByParents)
    // A new object that its parent gave up for a stored row has that row's ID by now, and the row is there.
    let replaced = Set(zip(told.deleted, changes.deleted).filter { $0.isTemporaryID && !$1.isTemporaryID }.map(\.1))
      .subtracting(told.deleted)
    changes.deleted.removeAll(where: replaced.contains)
    changes.updated += replaced
    var refreshed: [ManagedObjectID] = []
    unreported.inserted += changes.inserted
    unreported.deleted += changes.deleted.filter { registered[$0] == nil }
    storedChanges.append(changes.updated)
    storedChanges.append(changes.deleted)
    // Only a row with unique values can be one that was there before, and that a new object was written over.
    let layouts = persistentStoreCoordinator.compiledModel.layouts
    storedChanges.append(changes.inserted.lazy.filter { !layouts[Int($0.entityIndex)].constraints.isEmpty })
    // The values that were deleted say where the links lead that are to be taken back.
    try propagateDeletions()
    var changed: [ManagedObject] = []
    // A fetch may have given the place of an object to one of another entity.
    let formerObjects = registered.replaced
    let written = changes.inserted + changes.updated
    var taken: [ManagedObjectID] = []
    var gone = changes.deleted
    for objectID in written + changes.deleted {
      let older = try detachOlder(objectID, formerObjects)
      if older.isEmpty { continue }
      taken.append(objectID)
      gone += older
    }
    if !taken.isEmpty { dropUnchanged() }
    // Meanwhile others may have made the row one of yet another entity, or of its former one: their changes say so.
    var renewed: [ManagedObjectID] = []
    for objectID in relatedAsOlder(written) ?? taken {
      let layout = persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)]
      if try readRow(objectID, layout: layout) != nil { renewed.append(objectID) }
    }
    repointReferences(to: renewed)
    var partners: [(object: ManagedObject, old: [Int: ManagedObject.Ends])] = []
    // One row that cannot be read keeps no other change from being merged.
    var failure: ObjectGraphError?
    func readNow(_ object: ManagedObject) -> RowSnapshot? {
      do throws(ObjectGraphError) {
        return try readRow(object.objectID, layout: object.layout)?.row
      } catch {
        failure = failure ?? error
        return nil
      }
    }
    for objectID in changes.updated + changes.inserted {
      guard let object = registered[objectID], object.state == .stored || object.state == .deletionPending else {
        continue
      }
      refreshed.append(objectID)
      if object.state == .deletionPending {
        // What will be deleted is what exists now.
        if let row = readNow(object) {
          partners.append((object, object.partners()))
          object.relinking { object.take(row) }
        }
        object.forgetStoredLinks()
      } else if object.isChanged {
        if let row = readNow(object) {
          object.relinking { _ = object.resolve(with: row, .objectTrumps) }
          changed.append(object)
        }
        object.forgetStoredLinks()
      } else {
        object.turnIntoFault()
      }
    }
    // Only now, because the others' rows are as they were stored.
    for (object, old) in partners { object.bringPartnersInStep(from: old) }
    for objectID in renewed { try objectOrFault(objectID).regainMembers() }
    for object in renewed.isEmpty ? changed : pendingUpdates { object.leaveStoredPartners() }
    if hasRelationships, !refreshed.isEmpty {
      for object in pendingInsertions + pendingUpdates { object.keepPartners() }
    }
    for objectID in changes.deleted {
      if let object = registered[objectID] { releaseDeleted(object) }
    }
    forgetInLists(gone)
    // Also to those that were found gone before, and were no longer in the context.
    forgetReferences(to: changes.deleted)
    // Also objects that the context does not have: a list may have to show them, or no longer.
    unreported.refreshed += refreshed + changes.updated
    processPendingChanges()
    if observers.isObserved(.didMerge) {
      observers.post(
        ContextNotification(
          .didMerge, inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted,
          refreshed: refreshed))
    }
    if let failure { throw failure }
  }

  /// Releases the object of a row that belongs to another entity now, with its changes.
  ///
  /// The row may belong to the object's entity again by now. Then the object stays.
  ///
  /// - Parameters:
  ///   - objectID: The row's current ID.
  ///   - replaced: Objects that are no longer registered.
  /// - Returns: The IDs of the objects that were released: nothing else in the context may list them.
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a row cannot be read.
  private func detachOlder(
    _ objectID: ManagedObjectID, _ replaced: [ManagedObject]
  ) throws(ObjectGraphError) -> [ManagedObjectID] {
    let registered = registered.object(ofRow: objectID).flatMap { $0.objectID == objectID ? nil : $0 }
    let known = replaced.filter { !$0.isGone && $0.isFormerObject(ofRow: objectID) } + [registered].compactMap(\.self)
    var detached: [ManagedObjectID] = []
    // Without the cache, which may have the old row.
    for older in known where try source.row(older.objectID, layout: older.layout) == nil {
      detached.append(older.objectID)
      unreported.deleted.append(older.objectID)
      older.dropPairChanges()
      older.dropPendingLinks()
      older.relinking { older.state = .detached }
      pendingDeletions.drop(&unreported.reportedDeletions) { $0 === older }
      self.registered.remove(older.objectID, cache: rowCache)
    }
    // What stood for the row as one of its present entity before does so again, and takes in what was stored.
    if !detached.isEmpty, self.registered[objectID] == nil {
      _ = self.registered.reinstate(objectID, cache: rowCache)
    }
    return detached
  }

  /// Takes objects whose rows are gone out of the to-many relationships that the context knows.
  ///
  /// A batch delete raises the version of no row that only loses an object of a to-many relationship. O(registered
  /// objects).
  ///
  /// - Parameters:
  ///   - objectIDs: The objects.
  ///   - readsAgain: Whether a relationship that held one of them is read again at its next use.
  func forgetInLists(_ objectIDs: [ManagedObjectID], readsAgain: Bool = false) {
    if objectIDs.isEmpty || !hasRelationships { return }
    let gone = Set(objectIDs)
    for object in registered.all + pendingInsertions {
      guard let links = object.links else { continue }
      for index in links.lists.indices where links.lists[index].forget(gone) && readsAgain {
        links.lists[index].forget()
      }
    }
  }
}

extension ManagedObject {
  /// Whether the row of the ID was this object's, under another entity.
  fileprivate final func isFormerObject(ofRow objectID: ManagedObjectID) -> Bool {
    self.objectID.key == objectID.key && self.objectID.store === objectID.store && self.objectID != objectID
      && context?.persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)].rootIndex
        == layout.rootIndex
  }
}
