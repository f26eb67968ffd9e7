// What happened in a context since it last notified its observers.

/// Changes that observers were not notified of yet.
struct UnreportedChanges {
  /// What others inserted.
  var inserted: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []
  var refreshed: [ManagedObjectID] = []
  /// Whether everything that was read must be read again.
  var refreshedAll = false
  /// Objects that changed again after observers were notified of them.
  var changedAgain: [ManagedObject] = []
  /// How many entries from the beginning of the pending lists were reported already, or were added while nobody listened.
  var reportedInsertions = 0
  var reportedUpdates = 0
  var reportedDeletions = 0

  /// Whether objects appeared, disappeared or have other values without a change in this context.
  var hasOutcomes: Bool { !inserted.isEmpty || !deleted.isEmpty || !refreshed.isEmpty || refreshedAll }

  /// Notes that the object no longer exists, so that observers that may know it are notified.
  ///
  /// - Parameters:
  ///   - object: A new object.
  ///   - isOlder: Whether it existed at the last notification, which an observer that looked at the objects later may have missed.
  mutating func noteEnd(of object: ManagedObject, isOlder: Bool = false) {
    if isOlder || object.reported == .changed || object.reported == .changedSince { deleted.append(object.objectID) }
    object.reported = .nothing
  }

  /// Notes that the object has its stored values again, so that observers that may know its changes are notified of its refresh.
  mutating func noteReturn(of object: ManagedObject, isOlder: Bool = false) {
    if isOlder || object.reported != .nothing { refreshed.append(object.objectID) }
    object.reported = .nothing
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
  /// Takes objects out of a pending list, whose first `reported` observers know.
  mutating func drop(_ reported: inout Int, where isDropped: (ManagedObject) -> Bool) {
    reported -= prefix(reported).count(where: isDropped)
    // The last reference to an object may be released here, and its `deinit` may call the context. The list is complete by then.
    let all = self
    self = filter { !isDropped($0) }
    withExtendedLifetime(all) {}
  }
}

extension ManagedObjectContext {
  /// Applies the delete rules of what was deleted, and posts ``ContextNotification/Name/objectsDidChange`` with what
  /// changed since the last call; without changes, or observers, nothing is posted.
  ///
  /// It is called at the end of ``perform(_:)`` and in a parent when its child is saved. A save posts before and after the
  /// objects' `willSave` and after their checks, and what observers change then is checked and saved too; a last time when all
  /// is stored, if conflicts have ended objects or given them other values. Each object is reported once: as inserted,
  /// updated, deleted or refreshed, the first of these.
  ///
  /// ```swift
  /// let observation = context.observe(.objectsDidChange) { print($0.updated.count) }
  /// quake[Quake.magnitude] = 4.7
  /// context.processPendingChanges()  // the observer is called before it returns
  /// ```
  public func processPendingChanges() {
    queue.check()
    // A relationship that cannot be read now is tried again by the save, which says why.
    try? propagateDeletionsOfEvent()
    releaseAfterWork()
    reportChanges()
  }

  /// Makes the next change of each object that was changed while nobody listened a reported one.
  ///
  /// If called off the context's queue, it happens before the caller's next work on the context.
  func expectChanges() {
    guard queue.isCurrent else { return queue.async { self.expectChanges() } }
    let known =
      pendingInsertions.prefix(unreported.reportedInsertions) + pendingUpdates.prefix(unreported.reportedUpdates)
    for object in known where object.reported != .deleted { object.reported = .changed }
  }

  /// Has the end of pending changes be news even if it comes before the changes were: a result that was just fetched has
  /// them already.
  func expectOutcomes() {
    let untold =
      pendingInsertions.dropFirst(unreported.reportedInsertions) + pendingUpdates.dropFirst(unreported.reportedUpdates)
      + pendingDeletions.dropFirst(unreported.reportedDeletions)
    for object in untold where object.reported == .nothing { object.reported = .changed }
  }

  /// Notifies observers without doing anything else.
  func reportChanges() { if let news = takeUnreported() { observers.post(news) } }

  /// The changes to notify observers of, which count as reported from now on; nil without changes or observers.
  func takeUnreported() -> ContextNotification? {
    let last = unreported
    // Before observers run: what they change is reported again.
    unreported = UnreportedChanges(
      reportedInsertions: pendingInsertions.count, reportedUpdates: pendingUpdates.count,
      reportedDeletions: pendingDeletions.count)
    guard observers.isObserved(.objectsDidChange) else { return nil }
    let inserted = pendingInsertions.dropFirst(last.reportedInsertions).filter(\.isInserted)
    // Each once: one that was rolled back and changed again may be in both lists.
    var updated = ObjectList()
    for object in pendingUpdates.dropFirst(last.reportedUpdates) where object.isUpdated { updated.append(object) }
    var returned: [ManagedObjectID] = []
    for object in last.changedAgain {
      if object.isInserted || object.isUpdated {
        updated.append(object)
      } else if object.state == .stored {
        // Observers that know its changes are notified that it has its stored values again.
        returned.append(object.objectID)
        object.reported = object.isListed ? .changed : .nothing
      }
    }
    // What is on the list without any change now is news when it changes.
    for object in pendingUpdates.dropFirst(last.reportedUpdates) where object.state == .stored && !object.isUpdated {
      object.reported = .changed
    }
    let deletions = pendingDeletions.dropFirst(last.reportedDeletions).filter { $0.reported != .deleted }
    for object in inserted + Array(updated) { object.reported = .changed }
    for object in deletions { object.reported = .deleted }
    var reported: Set<ManagedObjectID> = []
    func once(_ objectIDs: [ManagedObjectID]) -> [ManagedObjectID] { objectIDs.filter { reported.insert($0).inserted } }
    let notification = ContextNotification(
      .objectsDidChange, inserted: once(inserted.map(\.objectID) + last.inserted),
      updated: once(updated.map(\.objectID)),
      deleted: once(deletions.map(\.objectID) + last.deleted), refreshed: once(last.refreshed + returned),
      refreshedAllObjects: last.refreshedAll)
    return reported.isEmpty && !last.refreshedAll ? nil : notification
  }
}
