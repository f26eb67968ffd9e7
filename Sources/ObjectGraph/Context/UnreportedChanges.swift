// What happened in a context since it last told its observers.

/// Changes not yet told of, kept only while somebody listens.
struct UnreportedChanges {
  var deleted: [ManagedObjectID] = []
  var refreshed: [ManagedObjectID] = []
  /// How much of the pending lists was told of already.
  var toldInsertions = 0
  var toldUpdates = 0
  var toldDeletions = 0
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
        toldInsertions: pendingInsertions.count, toldUpdates: pendingUpdates.count,
        toldDeletions: pendingDeletions.count)
    }
    guard observers.isObserved(.objectsDidChange) else { return }
    let inserted = pendingInsertions.dropFirst(unreported.toldInsertions).filter(\.isInserted).map(\.objectID)
    let updated = pendingUpdates.dropFirst(unreported.toldUpdates).filter(\.isUpdated).map(\.objectID)
    let deleted = pendingDeletions.dropFirst(unreported.toldDeletions).map(\.objectID) + unreported.deleted
    guard !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || !unreported.refreshed.isEmpty else { return }
    observers.post(
      ContextNotification(
        .objectsDidChange, inserted: inserted, updated: updated, deleted: deleted, refreshed: unreported.refreshed))
  }
}
