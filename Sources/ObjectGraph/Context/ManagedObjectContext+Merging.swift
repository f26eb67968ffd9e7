// Merges changes that other contexts, or requests that bypass contexts, have stored.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Whether this context merges saves of the coordinator's other contexts (for a child: of its parent's other
  /// children) some time after they happen; any thread may set it.
  ///
  /// ```swift
  /// let view = container.viewContext
  /// view.automaticallyMergesChangesFromParent = true
  /// ```
  public var automaticallyMergesChangesFromParent: Bool {
    get { siblings.contains(self) }
    set { siblings.follow(self, newValue) }
  }

  /// The contexts that save to the same coordinator or parent as this one.
  private var siblings: ContextFollowers { parent?.children ?? persistentStoreCoordinator.followers }

  /// Merges the save of another context of the same coordinator: objects take over the new values but keep their own
  /// changes.
  ///
  /// ```swift
  /// let view = await container.viewContext
  /// let observation = context.observe(.didSave) { saved in
  ///   view.perform(later: { try? view.mergeChanges(fromContextDidSave: saved) })
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a row cannot be read (the others are still merged),
  ///   ``ObjectGraphError/queryGeneration(found:expected:)`` in a context that is pinned to a query generation.
  public func mergeChanges(fromContextDidSave notification: ContextNotification) throws(ObjectGraphError) {
    queue.check()
    try checkMayMerge()
    try merge(
      ChangedObjectIDs(
        inserted: notification.inserted, updated: notification.updated, deleted: notification.deleted))
  }

  /// Merges changes that bypassed all contexts, such as those of a batch request or of a history transaction from
  /// another coordinator: `context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())`.
  ///
  /// ```swift
  /// var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "unknown"])
  /// request.resultType = .changes
  /// if let changes = try context.execute(request).changes { try context.mergeChanges(fromContextDidSave: changes) }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a row cannot be read,
  ///   ``ObjectGraphError/queryGeneration(found:expected:)`` in a context that is pinned to a query generation.
  public func mergeChanges(fromContextDidSave changes: ChangedObjectIDs) throws(ObjectGraphError) {
    queue.check()
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
  }

  /// Merges changes that bypassed all contexts, such as those of a batch request, into several contexts.
  ///
  /// The rows are read once for all contexts. Parents merge before their children, whatever order you pass.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.resultType = .changes
  /// if let changes = try context.execute(request).changes {
  ///   try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [container.viewContext, context])
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a row cannot be read;
  ///   ``ObjectGraphError/queryGeneration(found:expected:)``, before anything is merged, if a context is pinned to a
  ///   query generation.
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
    // Merge into parents first, because their children read from them again.
    for context in contexts.sorted(by: { $0.ancestors < $1.ancestors }) {
      let result = context.performAndWait {
        Result { () throws(ObjectGraphError) in try context.merge(changes) }
      }
      try result.get()
    }
  }

  /// The number of contexts between this one and the coordinator.
  private var ancestors: Int { parent.map { $0.ancestors + 1 } ?? 0 }

  func merge(_ changes: ChangedObjectIDs) throws(ObjectGraphError) {
    adoptPermanentIDs()
    // Ignore objects that are new here, because others cannot have stored them. For a child, the parent's new objects
    // count as stored.
    let changes = persistentStoreCoordinator.own(changes).filter { objectID in
      !objectID.isTemporaryID
        || parentSource != nil && objectID.store === temporaryIdentity && newObject(objectID.key) == nil
    }.map(settledByParents)
    var refreshed: [ManagedObjectID] = []
    unreported.inserted += changes.inserted
    unreported.deleted += changes.deleted.filter { registered[$0] == nil }
    storedChanges.append(changes.updated)
    storedChanges.append(changes.deleted)
    // Only rows with unique values matter: a new object may have overwritten an existing row.
    let layouts = persistentStoreCoordinator.compiledModel.layouts
    storedChanges.append(changes.inserted.lazy.filter { !layouts[Int($0.entityIndex)].constraints.isEmpty })
    // Undoing links requires the values that were deleted.
    try propagateDeletions()
    var changed: [ManagedObject] = []
    // A fetch may have replaced an object by one of another entity.
    let replaced = registered.replaced
    let written = changes.inserted + changes.updated
    var taken: [ManagedObjectID] = []
    var gone = changes.deleted
    for objectID in written + changes.deleted {
      let older = try detachOlder(objectID, replaced)
      if older.isEmpty { continue }
      taken.append(objectID)
      gone += older
    }
    if !taken.isEmpty { dropUnchanged() }
    // Check the rows again: others may have changed their entities once more, or back, which their own changes report.
    var renewed: [ManagedObjectID] = []
    for objectID in relatedAsOlder(written) ?? taken {
      let layout = persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)]
      if try readRow(objectID, layout: layout) != nil { renewed.append(objectID) }
    }
    repointReferences(to: renewed)
    var partners: [(object: ManagedObject, old: [Int: ManagedObject.Ends])] = []
    // If one row cannot be read, still merge the other changes.
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
        // The deletion must affect what exists now.
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
    // Do this last, when the other rows are as stored.
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
    // Include objects that were found to be gone before and were no longer in the context.
    forgetReferences(to: changes.deleted)
    // Include objects that the context does not have: they may enter or leave a list.
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

  /// Detaches the object of a row that belongs to another entity now, with its changes.
  ///
  /// If the row belongs to the object's entity again by now, the object stays.
  ///
  /// - Parameters:
  ///   - objectID: The row's current ID.
  ///   - replaced: Objects that are no longer registered.
  /// - Returns: The IDs of the detached objects, which the rest of the context must no longer list.
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a row cannot be read.
  private func detachOlder(
    _ objectID: ManagedObjectID, _ replaced: [ManagedObject]
  ) throws(ObjectGraphError) -> [ManagedObjectID] {
    let registered = registered.object(ofRow: objectID).flatMap { $0.objectID == objectID ? nil : $0 }
    let known = replaced.filter { !$0.isGone && $0.isFormerObject(ofRow: objectID) } + [registered].compactMap(\.self)
    var detached: [ManagedObjectID] = []
    // Bypass the cache, which may have the old row.
    for older in known where try source.row(older.objectID, layout: older.layout) == nil {
      detached.append(older.objectID)
      unreported.deleted.append(older.objectID)
      older.dropPairChanges()
      older.dropPendingLinks()
      older.relinking { older.state = .detached }
      pendingDeletions.drop(&unreported.reportedDeletions) { $0 === older }
      self.registered.remove(older.objectID, cache: rowCache)
    }
    // If the row had an object of its present entity before, restore it, so that it takes over what was stored.
    if !detached.isEmpty, self.registered[objectID] == nil {
      _ = self.registered.reinstate(objectID, cache: rowCache)
    }
    return detached
  }

  /// Removes objects with deleted rows from the to-many relationships that the context has read.
  ///
  /// A batch delete does not increment the version of rows that only lose an object of a to-many relationship.
  /// O(registered objects).
  ///
  /// - Parameters:
  ///   - objectIDs: The objects.
  ///   - readsAgain: Whether to read a relationship that contained one of them again on its next use.
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
  /// Whether the ID's row belonged to this object under another entity.
  fileprivate final func isFormerObject(ofRow objectID: ManagedObjectID) -> Bool {
    self.objectID.key == objectID.key && self.objectID.store === objectID.store && self.objectID != objectID
      && context?.persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)].rootIndex
        == layout.rootIndex
  }
}
