// Refreshes objects, which then read their values again, with or without keeping unsaved changes.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Makes the object read its values again.
  ///
  /// With `mergeChanges`, its unsaved changes stay on top of them. Without it, they are dropped, and the object becomes a
  /// fault.
  ///
  /// Either way, invalid values that were assigned to the object are forgotten, even for a new object. The values come
  /// from the row cache, unless the cached row is older than ``stalenessInterval`` allows.
  ///
  /// ```swift
  /// try context.refresh(quake, mergeChanges: true)   // keeps its unsaved changes
  /// try context.refresh(quake, mergeChanges: false)  // drops them: the quake is a fault
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/foreignObject(_:)`` for an object of another context,
  ///   ``ObjectGraphError/callDuringSave(_:at:)`` from a merge policy's function, ``ObjectGraphError/store(_:during:)``
  ///   if a row cannot be read.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws(ObjectGraphError) {
    queue.check()
    try refuseInPolicy("refresh(_:mergeChanges:)")
    guard object.context === self else { throw .foreignObject(object.objectID) }
    object.invalidAssignment = nil
    guard object.state == .stored || object.state == .deletionPending else { return }
    unreported.refreshed.append(object.objectID)
    storedChanges.append(CollectionOfOne(object.objectID))
    guard mergeChanges, object.isChanged || object.state == .deletionPending else {
      pendingDeletions.drop(&unreported.reportedDeletions) { $0 === object }
      // The object may stay in the list of changed objects, but its next change must be reported.
      object.reported = object.isListed ? .changed : .nothing
      let (partners, wasDeleted) = (object.partners(), object.state == .deletionPending)
      object.dropPairChanges()
      object.dropArrangements()
      object.relinking {
        object.state = .stored
        object.turnIntoFault()
      }
      object.bringPartnersInStep(from: partners)
      if wasDeleted { try object.regainMembers() }
      return
    }
    guard let row = try readRow(object.objectID, layout: object.layout)?.row else {
      if object.state == .deletionPending { releaseDeleted(object) } else { lostRows.insert(object.objectID) }
      return
    }
    lostRows.remove(object.objectID)
    object.relinking {
      if object.isChanged { _ = object.resolve(with: row, .objectTrumps) } else { object.take(row) }
    }
    object.forgetStoredLinks()
  }

  /// Makes every object read its values again: changed and deleted ones keep their changes, the others become faults.
  ///
  /// Objects that earlier results have not created yet are read again when they are used, and lists of the context are
  /// fetched again.
  ///
  /// ```swift
  /// context.stalenessInterval = 0  // past the row cache
  /// try context.refreshAllObjects()
  /// ```
  public func refreshAllObjects() throws(ObjectGraphError) {
    storedChanges.expireAll()
    unreported.refreshedAll = true
    for object in registeredObjects where object.state == .stored || object.state == .deletionPending {
      if object.isChanged || object.state == .deletionPending {
        try refresh(object, mergeChanges: true)
      } else {
        object.turnIntoFault()
        unreported.refreshed.append(object.objectID)
      }
    }
  }

  /// Discards all unsaved changes: new objects are forgotten, changed ones get the values that were read, deleted ones
  /// are restored.
  ///
  /// A changed object becomes a fault if its row was gone at the last refresh; on its next use it turns out to be
  /// deleted.
  ///
  /// Observers of ``ContextNotification/Name/objectsDidChange`` that know of the changes are notified before it returns.
  ///
  /// ```swift
  /// do { try context.save() } catch {
  ///   context.rollback()
  ///   throw error
  /// }
  /// ```
  ///
  /// During a save of this context, until its rows are stored, it does nothing, and the save fails with
  /// ``ObjectGraphError/callDuringSave(_:at:)``.
  public func rollback() {
    queue.check()
    if isRefusedDuringSave("rollback()") { return }
    prepareUndoing()
    let known = unreported
    for (index, object) in pendingInsertions.enumerated() where object.isInserted {
      unreported.noteEnd(of: object, isOlder: index < known.reportedInsertions)
      forget(object)
    }
    for object in pendingUpdates where !object.hasChanges { object.reported = .nothing }
    for (index, object) in pendingUpdates.enumerated() {
      unreported.noteReturn(of: object, isOlder: index < known.reportedUpdates && object.hasChanges)
    }
    for (index, object) in pendingDeletions.enumerated() {
      unreported.noteReturn(of: object, isOlder: index < known.reportedDeletions)
    }
    for object in pendingDeletions { object.state = .stored }
    for object in pendingInsertions + pendingUpdates + pendingDeletions { object.forgetLinkChanges() }
    for object in pendingUpdates + pendingDeletions {
      object.row = object.committed ?? object.row
      object.committed = nil
      object.changedSlots = SlotMask()
      object.invalidAssignment = nil
    }
    for object in pendingUpdates { object.isListed = false }
    for object in pendingUpdates + pendingDeletions where lostRows.contains(object.objectID) { object.turnIntoFault() }
    unreported.forgetPending()
    forgetPending()
    // During a save, the changes are reported at its end.
    if saveStage == nil { reportChanges() }
  }
}
