// The changes that a child context passes to its parent when it is saved.
internal import CoreDataModel

/// The pending changes of a child context, in a form that can cross to its parent's queue.
struct ChildChanges: Sendable {
  struct Change: Sendable {
    let objectID: ManagedObjectID
    let layout: EntityLayout
    let row: RowSnapshot
    /// The values that were set; `nil` for a new object, where all of them count.
    let changedSlots: SlotMask?
    /// The values with which the object was read, and its position among the child's pending changes.
    let base: RowSnapshot
    let position: Int
    var lists: [ListChange] = []
  }

  /// Changes to a to-many relationship that do not show in any to-one relationship.
  struct ListChange: Sendable {
    let index: Int
    let added: [ManagedObjectID]
    let removed: [ManagedObjectID]
    /// All objects in the order that was set; `nil` if added objects only follow the others.
    let arrangement: [ManagedObjectID]?
    /// The added objects, if their order matters.
    let appended: [ManagedObjectID]
  }

  let insertions: [Change]
  let updates: [Change]
  let deletions: [ManagedObjectID]
  /// Deleted objects with relationships that were changed before, so that delete rules follow the changed ones.
  let relinkedDeletions: [Change]
}

extension ChildChanges {
  /// The present pending changes of a context.
  init(_ context: ManagedObjectContext) {
    insertions = context.pendingInsertions.enumerated().compactMap { Change($1, isNew: true, position: $0) }
    updates = context.pendingUpdates.enumerated().compactMap { Change($1, isNew: false, position: $0) }
    deletions = context.pendingDeletions.map(\.objectID)
    relinkedDeletions = context.pendingDeletions.enumerated().compactMap { position, object in
      let layout = object.layout
      guard layout.hasToOneSlots,
        layout.slots.indices.contains(where: { layout.isToOne($0) && object.changedSlots.contains($0) })
      else { return nil }
      return Change(object, isNew: false, position: position)
    }
  }
}

extension ChildChanges.Change {
  /// `nil` for an object without values.
  init?(_ object: ManagedObject, isNew: Bool, position: Int) {
    guard let row = object.row else { return nil }
    objectID = object.objectID
    layout = object.layout
    self.row = row
    changedSlots = isNew ? nil : object.changedSlots
    base = object.committed ?? row
    self.position = position
    for (index, toMany) in object.layout.toManyRelationships.enumerated() {
      guard let list = object.links?.lists[index], list.isChanged else { continue }
      var isPairs = false
      if case .join = toMany.storage { isPairs = true }
      let isAppended = toMany.relationship.isOrdered && list.arrangement == nil
      let appended = isAppended ? list.added.filter(\.isAlive).map(\.objectID) : []
      if !isPairs && list.arrangement == nil && appended.count < 2 { continue }
      lists.append(
        ChildChanges.ListChange(
          index: index, added: isPairs ? list.added.filter(\.isAlive).map(\.objectID) : [],
          removed: isPairs ? list.removed.sorted { $0.key < $1.key } : [],
          arrangement: list.arrangement.map { $0.filter(\.isAlive).map(\.objectID) }, appended: appended))
    }
  }
}
