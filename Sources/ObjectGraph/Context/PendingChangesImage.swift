// A copy of a context's pending changes from before conflicts were resolved, so that a save which fails later changes
// nothing.
internal import CoreDataModel

/// All pending changes of a context, with the state of each object.
struct PendingChangesImage {
  private struct Entry {
    let object: ManagedObject
    let objectID: ManagedObjectID
    let row: RowSnapshot?
    let committed: RowSnapshot?
    let changedSlots: SlotMask
    let state: ManagedObject.State
    let reported: ManagedObject.Reported
    let isListed: Bool
    /// False for an object if a fetch found that its row has another entity.
    let isRegistered: Bool
    let invalidAssignment: InvalidAssignment?
    let lists: [ToManyList]?
  }

  private var insertions: [ManagedObject]
  private var updates: [ManagedObject]
  private var deletions: [ManagedObject]
  private var entries: [Entry]
  private var unreported: UnreportedChanges

  /// O(pending objects).
  init(of context: ManagedObjectContext) {
    insertions = context.pendingInsertions
    updates = context.pendingUpdates
    deletions = context.pendingDeletions
    unreported = context.unreported
    entries = (insertions + updates + deletions).map { object in
      Entry(
        object: object, objectID: object.objectID, row: object.row, committed: object.committed,
        changedSlots: object.changedSlots, state: object.state, reported: object.reported, isListed: object.isListed,
        isRegistered: object.isRegistered, invalidAssignment: object.invalidAssignment, lists: object.links?.lists)
    }
  }

  /// The objects that a save would have deleted.
  var deletedObjects: Set<ObjectIdentifier> { Set(deletions.map { ObjectIdentifier($0) }) }

  /// Keeps the current state of these objects, because it is stored.
  mutating func forget(_ objects: [ManagedObject]) {
    let stored = Set(objects.map { ObjectIdentifier($0) })
    func isStored(_ object: ManagedObject) -> Bool { stored.contains(ObjectIdentifier(object)) }
    insertions.drop(&unreported.reportedInsertions, where: isStored)
    updates.drop(&unreported.reportedUpdates, where: isStored)
    deletions.drop(&unreported.reportedDeletions, where: isStored)
    entries.removeAll { isStored($0.object) }
  }

  /// Restores everything.
  ///
  /// Objects that became pending later get the values that were read.
  func restore(in context: ManagedObjectContext) {
    let known = Set(entries.map { ObjectIdentifier($0.object) })
    for object in context.pendingInsertions + context.pendingUpdates + context.pendingDeletions
    where !known.contains(ObjectIdentifier(object)) {
      object.isListed = false
      object.reported = .nothing
      object.forgetLinkChanges()
      if object.state == .inserted {
        context.forget(object)
      } else {
        object.state = .stored
        object.row = object.committed ?? object.row
        object.committed = nil
        object.changedSlots = SlotMask()
        object.invalidAssignment = nil
      }
    }
    for entry in entries {
      let object = entry.object
      object.row = entry.row
      object.committed = entry.committed
      object.changedSlots = entry.changedSlots
      object.state = entry.state
      object.reported = entry.reported
      object.isListed = entry.isListed
      object.invalidAssignment = entry.invalidAssignment
      if let lists = entry.lists { object.linksMade().lists = lists } else { object.forgetLinkChanges() }
      guard entry.isRegistered else { continue }
      let current = context.registered[entry.objectID]
      if current === object { continue }
      // An object that a callback asked for while this one was out of the context.
      if let current { context.forget(current) }
      context.registered.insertWithoutRow(object, cache: context.rowCache)
    }
    context.pendingInsertions = insertions
    context.pendingUpdates = updates
    context.pendingDeletions = deletions
    context.unpropagated = []
    context.newObjects = nil
    context.unreported = unreported
  }
}
