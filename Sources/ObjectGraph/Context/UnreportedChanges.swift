// The changes in a context since it last notified its observers.

/// Changes that observers were not notified of yet.
struct UnreportedChanges {
  /// Objects that others inserted.
  var inserted: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []
  var refreshed: [ManagedObjectID] = []
  /// Whether everything that was read must be read again.
  var refreshedAll = false
  /// Objects that changed again after observers were notified of them.
  var changedAgain: [ManagedObject] = []
  /// How many entries at the start of the pending lists were already reported, or were added while nobody was
  /// observing.
  var reportedInsertions = 0
  var reportedUpdates = 0
  var reportedDeletions = 0

  /// Whether objects appeared, disappeared or have other values without a change in this context.
  var hasOutcomes: Bool { !inserted.isEmpty || !deleted.isEmpty || !refreshed.isEmpty || refreshedAll }

  /// Records that the object no longer exists, so that observers that may know it are notified.
  ///
  /// - Parameters:
  ///   - object: A new object.
  ///   - isOlder: Whether it existed at the last notification; an observer that looked at the objects later may have
  ///     missed that.
  mutating func noteEnd(of object: ManagedObject, isOlder: Bool = false) {
    if isOlder || object.reported == .changed || object.reported == .changedSince { deleted.append(object.objectID) }
    object.reported = .nothing
  }

  /// Records that the object has its stored values again, so that observers that may know its changes are notified of
  /// its refresh.
  mutating func noteReturn(of object: ManagedObject, isOlder: Bool = false) {
    if isOlder || object.reported != .nothing { refreshed.append(object.objectID) }
    object.reported = .nothing
  }

  /// Records that the pending lists are empty.
  mutating func forgetPending() {
    changedAgain = []
    reportedInsertions = 0
    reportedUpdates = 0
    reportedDeletions = 0
  }
}

extension [ManagedObject] {
  /// Removes objects from a pending list; observers know its first `reported` entries.
  mutating func drop(_ reported: inout Int, where isDropped: (ManagedObject) -> Bool) {
    reported -= prefix(reported).count(where: isDropped)
    // This may release the last reference to an object, and its `deinit` may call the context. The list is complete by
    // then.
    let all = self
    self = filter { !isDropped($0) }
    withExtendedLifetime(all) {}
  }
}

extension ManagedObjectContext {
  /// Applies the delete rules of deleted objects, and posts ``ContextNotification/Name/objectsDidChange`` with the
  /// changes since the last call.
  ///
  /// Without changes or observers, nothing is posted.
  ///
  /// It is called at the end of ``perform(_:)``, and in a parent when its child is saved. A save posts before and after
  /// the objects' `willSave` and after their checks; it also checks and saves what observers change then. It posts once
  /// more at the end if conflicts have removed objects or changed their values. Each object is reported once, as the
  /// first of inserted, updated, deleted or refreshed that applies.
  ///
  /// ```swift
  /// let observation = context.observe(.objectsDidChange) { print($0.updated.count) }
  /// quake[Quake.magnitude] = 4.7
  /// context.processPendingChanges()  // the observer is called before it returns
  /// ```
  public func processPendingChanges() {
    queue.check()
    // If a relationship cannot be read now, the save tries again and reports the reason.
    try? propagateDeletionsOfEvent()
    releaseAfterWork()
    reportChanges()
  }

  /// Makes sure that the next change of each object that changed while nobody was observing is reported.
  ///
  /// If called outside the context's queue, it takes effect before the caller's next work on the context.
  func expectChanges() {
    guard queue.isCurrent else { return queue.async { self.expectChanges() } }
    let known =
      pendingInsertions.prefix(unreported.reportedInsertions) + pendingUpdates.prefix(unreported.reportedUpdates)
    for object in known where object.reported != .deleted { object.reported = .changed }
  }

  /// Makes undoing pending changes reportable even before the changes themselves were reported: a result that was just
  /// fetched already includes them.
  func expectOutcomes() {
    let unknown =
      pendingInsertions.dropFirst(unreported.reportedInsertions) + pendingUpdates.dropFirst(unreported.reportedUpdates)
      + pendingDeletions.dropFirst(unreported.reportedDeletions)
    for object in unknown where object.reported == .nothing { object.reported = .changed }
  }

  /// Notifies observers without doing anything else.
  func reportChanges() { if let news = takeUnreported() { observers.post(news) } }

  /// The changes to notify observers of, which count as reported from now on; `nil` without changes or observers.
  func takeUnreported() -> ContextNotification? {
    let last = unreported
    // Reset this before observers run, so that their changes are reported again.
    unreported = UnreportedChanges(
      reportedInsertions: pendingInsertions.count, reportedUpdates: pendingUpdates.count,
      reportedDeletions: pendingDeletions.count)
    guard observers.isObserved(.objectsDidChange) else { return nil }
    let inserted = pendingInsertions.dropFirst(last.reportedInsertions).filter(\.isInserted)
    // Report each once: an object that was rolled back and changed again may be in both lists.
    var updated = ObjectList()
    for object in pendingUpdates.dropFirst(last.reportedUpdates) where object.isUpdated { updated.append(object) }
    var returned: [ManagedObjectID] = []
    for object in last.changedAgain {
      if object.isInserted || object.isUpdated {
        updated.append(object)
      } else if object.state == .stored {
        // Notify observers that know its changes that it has its stored values again.
        returned.append(object.objectID)
        object.reported = object.isListed ? .changed : .nothing
      }
    }
    // An object that is in the list without changes must be reported when it changes.
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
