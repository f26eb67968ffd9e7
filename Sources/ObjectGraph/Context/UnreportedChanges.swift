// What happened in a context since it last told its observers.

/// Changes not yet told of.
struct UnreportedChanges {
  var deleted: [ManagedObjectID] = []
  var refreshed: [ManagedObjectID] = []
  /// Objects that changed again after observers were told of them.
  var changedAgain: [ManagedObject] = []
  /// How much of the pending lists, from their beginning, was told of already, or came while nobody listened.
  var reportedInsertions = 0
  var reportedUpdates = 0
  var reportedDeletions = 0

  /// The object is no longer: who was told that it is there is told so.
  mutating func noteEnd(of object: ManagedObject) {
    if object.told == .changed || object.told == .changedSince { deleted.append(object.objectID) }
    object.told = .nothing
  }

  /// The object is as it was stored: who was told of its changes is told so.
  mutating func noteReturn(of object: ManagedObject) {
    if object.told != .nothing { refreshed.append(object.objectID) }
    object.told = .nothing
  }

  /// The pending lists are empty.
  mutating func forgetPending() {
    changedAgain = []
    reportedInsertions = 0
    reportedUpdates = 0
    reportedDeletions = 0
  }
}

extension [ManagedObject] {
  /// Takes objects out of a pending list, of whose first `reported` observers were told.
  mutating func drop(_ reported: inout Int, where isDropped: (ManagedObject) -> Bool) {
    reported -= prefix(reported).count(where: isDropped)
    removeAll(where: isDropped)
  }
}

extension ManagedObjectContext {
  /// Tells observers of ``ContextNotification/Name/objectsDidChange`` what changed since the last call; without
  /// changes, or observers, nothing happens.
  ///
  /// It is called at the end of ``perform(_:)``, in a save before and after the objects' `willSave`, and in a parent when
  /// its child is saved. Each object is told of once: as inserted, updated, deleted or refreshed, the first of these.
  public func processPendingChanges() {
    queue.check()
    // A relationship that cannot be read now is tried again by the save, which says why.
    if !unpropagated.isEmpty { try? propagateDeletions() }
    letGoAfterWork()
    tellChanges()
  }

  /// Tells observers without doing anything else.
  func tellChanges() {
    let last = unreported
    // Before they are told: what they do is news again.
    unreported = UnreportedChanges(
      reportedInsertions: pendingInsertions.count, reportedUpdates: pendingUpdates.count,
      reportedDeletions: pendingDeletions.count)
    guard observers.isObserved(.objectsDidChange) else { return }
    let inserted = pendingInsertions.dropFirst(last.reportedInsertions).filter(\.isInserted)
    // Each once: one that was rolled back and changed again may be in both lists.
    var updated = ObjectList()
    for object in pendingUpdates.dropFirst(last.reportedUpdates) where object.isUpdated { updated.append(object) }
    for object in last.changedAgain where object.isInserted || object.isUpdated { updated.append(object) }
    let deletions = pendingDeletions.dropFirst(last.reportedDeletions).filter { $0.told != .deleted }
    for object in inserted + Array(updated) { object.told = .changed }
    for object in deletions { object.told = .deleted }
    var told: Set<ManagedObjectID> = []
    func once(_ objectIDs: [ManagedObjectID]) -> [ManagedObjectID] { objectIDs.filter { told.insert($0).inserted } }
    let notification = ContextNotification(
      .objectsDidChange, inserted: once(inserted.map(\.objectID)), updated: once(updated.map(\.objectID)),
      deleted: once(deletions.map(\.objectID) + last.deleted), refreshed: once(last.refreshed))
    if told.isEmpty { return }
    observers.post(notification)
  }
}
