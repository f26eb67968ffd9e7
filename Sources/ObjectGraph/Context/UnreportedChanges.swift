// What happened in a context since it last told its observers.

/// Changes not yet told of, kept only while somebody listens.
struct UnreportedChanges {
  var deleted: [ManagedObjectID] = []
  var refreshed: [ManagedObjectID] = []
  /// Objects that changed again after observers were told of them.
  var changedAgain: [ManagedObject] = []
  /// How much of the pending lists was told of already.
  var reportedInsertions = 0
  var reportedUpdates = 0
  var reportedDeletions = 0
}

extension ManagedObjectContext {
  /// Tells observers of ``ContextNotification/Name/objectsDidChange`` what changed since the last call; without
  /// changes, or observers, nothing happens.
  ///
  /// It is called at the end of ``perform(_:)`` and at the beginning of a save.
  public func processPendingChanges() {
    queue.check()
    // A relationship that cannot be read now is tried again by the save, which says why.
    if !unpropagated.isEmpty { try? propagateDeletions() }
    letGoAfterWork()
    defer {
      unreported = UnreportedChanges(
        reportedInsertions: pendingInsertions.count, reportedUpdates: pendingUpdates.count,
        reportedDeletions: pendingDeletions.count)
    }
    guard observers.isObserved(.objectsDidChange) else { return }
    let newlyInserted = pendingInsertions.dropFirst(unreported.reportedInsertions).filter(\.isInserted)
    // Each once: one that was rolled back and changed again may be in both lists.
    var newlyUpdated = ObjectList()
    for object in pendingUpdates.dropFirst(unreported.reportedUpdates) where object.isUpdated {
      newlyUpdated.append(object)
    }
    for object in unreported.changedAgain where object.isInserted || object.isUpdated { newlyUpdated.append(object) }
    for object in newlyInserted + Array(newlyUpdated) { object.isReported = true }
    let inserted = newlyInserted.map(\.objectID)
    let updated = newlyUpdated.map(\.objectID)
    let deleted = pendingDeletions.dropFirst(unreported.reportedDeletions).map(\.objectID) + unreported.deleted
    guard !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || !unreported.refreshed.isEmpty else { return }
    observers.post(
      ContextNotification(
        .objectsDidChange, inserted: inserted, updated: updated, deleted: deleted, refreshed: unreported.refreshed))
  }
}
