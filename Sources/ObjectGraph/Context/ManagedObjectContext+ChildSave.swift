// Saves a child context: its changes become unsaved changes of the parent.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Passes the pending changes to the parent.
  ///
  /// If the parent has since read a newer version of a changed value from the store, that is a conflict. The child's
  /// merge policy decides it, because the parent's own save could no longer see it.
  ///
  /// - Throws: ``ObjectGraphError/missingObject(_:)`` if the parent no longer has a changed object,
  ///   ``ObjectGraphError/optimisticLocking(_:)``, ``ObjectGraphError/endlessWillSave(rounds:)``. Nothing was passed on
  ///   in these cases.
  func saveToParent(_ parent: ParentContext, tracer: (any SaveTracer)?) throws(ObjectGraphError) {
    var before: PendingChangesImage?
    do throws(ObjectGraphError) {
      for _ in 0..<ManagedObjectContext.willSaveRounds {
        let changes = ChildChanges(self)
        enter(.request, tracer)
        if let refusedCall { throw refusedCall }
        let stale = try parent.ask { (parent) throws(ObjectGraphError) in
          let stale = try parent.take(changes)
          if stale.isEmpty { parent.processPendingChanges() }
          return stale
        }
        if stale.isEmpty { return finishChildSave(parent, tracer: tracer) }
        enter(.conflictsWithDatabase, tracer)
        if before == nil { before = PendingChangesImage(of: self) }
        forgetDeleted(stale)
        try resolve(found(stale))
        try settleResolution()
      }
      throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
    } catch {
      before?.restore(in: self)
      throw error
    }
  }

  /// Updates the objects to what the parent has now, and posts the notification.
  private func finishChildSave(_ parent: ParentContext, tracer: (any SaveTracer)?) {
    enter(.permanentIDs, tracer)
    let (inserted, updated, deleted) = (pendingInsertions, pendingUpdates, pendingDeletions)
    let notification = ContextNotification(
      .didSave, inserted: inserted.map(\.objectID), updated: updated.map(\.objectID), deleted: deleted.map(\.objectID))
    pendingInsertions = []
    pendingUpdates = []
    pendingDeletions = []
    newObjects = nil
    childKeys = []
    hasObtainedIDs = false
    enter(.rowCache, tracer)
    for object in inserted + updated {
      object.isListed = false
      guard let row = object.row else { continue }
      object.become(object.objectID, row)
      if registered[object.objectID] !== object { registered.insert(object, cache: rowCache, read: .now) }
      rowCache.update(object.objectID, object.layout.stored(row), read: .now)
    }
    settleLinks(of: (inserted + updated).filter { $0.links != nil }, isExact: true)
    for object in deleted {
      registered.remove(object.objectID, cache: rowCache)
      object.detach(as: .deleted)
    }
    storedChanges.append(notification.inserted + notification.updated + notification.deleted)
    unreported.forgetPending()
    enter(.didSaveCallbacks, tracer)
    for object in inserted + updated + deleted where object.hasCallbacks { object.didSave() }
    enter(.didSaveNotification, tracer)
    if observers.isObserved(.didSave) { observers.post(notification) }
    parent.context.children.merge(notification, from: self)
    children.merge(notification, from: self)
  }
}
