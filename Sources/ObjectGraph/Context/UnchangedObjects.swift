// Objects that were changed without anything to store: a save skips them, so that their rows keep their versions and
// cause no conflicts.
internal import CoreDataModel

/// Changed objects with the same values as in the store, except for transient values.
struct UnchangedObjects {
  private struct Entry {
    let object: ManagedObject
    let row: RowSnapshot?
    let committed: RowSnapshot?
    let changedSlots: SlotMask
    let reported: ManagedObject.Reported
    let lists: [ToManyList]?
  }

  private var entries: [Entry] = []

  /// Removes them from the context's changed objects, as if they were saved.
  ///
  /// - Parameters:
  ///   - context: The context that is about to save.
  ///   - keepsTransient: Whether transient values count, because they are saved to a parent and not to a store.
  init(takenFrom context: ManagedObjectContext, keepsTransient: Bool) {
    for object in context.pendingUpdates {
      let changedSlots = object.changedSlots
      if object.forgetEqualValues() || keepsTransient && !object.changedSlots.isEmpty { continue }
      entries.append(
        Entry(
          object: object, row: object.row, committed: object.committed, changedSlots: changedSlots,
          reported: object.reported, lists: object.links?.lists))
      object.changedSlots = SlotMask()
      object.reported = .nothing
    }
    if !entries.isEmpty { context.dropUnchanged() }
  }

  /// After a failed save, makes them changed objects again, as observers know them.
  ///
  /// They get the values and relationships that they had, because resolving a conflict may have read those again.
  func giveBack(to context: ManagedObjectContext) {
    let entries = entries.filter { !$0.object.isGone }
    for entry in entries {
      entry.object.row = entry.row
      entry.object.committed = entry.committed
      entry.object.changedSlots = entry.changedSlots
      entry.object.reported = entry.reported
      entry.object.isListed = true
      if let lists = entry.lists { entry.object.linksMade().lists = lists }
    }
    context.pendingUpdates.insert(contentsOf: entries.map(\.object), at: 0)
    context.unreported.reportedUpdates += entries.count
  }
}
