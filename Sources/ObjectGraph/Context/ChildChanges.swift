// What a child context hands to its parent when it is saved.
internal import CoreDataModel

/// The pending changes of a child context, as they cross to its parent.
struct ChildChanges: Sendable {
  struct Change: Sendable {
    let objectID: ManagedObjectID
    let layout: EntityLayout
    let row: RowSnapshot
    /// The values that were set; nil for a new object, where all count.
    let changedSlots: SlotMask?
    /// The values the object was read with, and its place among the child's pending changes.
    let base: RowSnapshot
    let position: Int
    var lists: [ListChange] = []
  }

  /// What was changed in a to-many relationship that no to-one relationship shows.
  struct ListChange: Sendable {
    let index: Int
    let added: [ManagedObjectID]
    let removed: [ManagedObjectID]
    /// All objects in the order that was set; nil while added objects are behind the others.
    let arrangement: [ManagedObjectID]?
    /// What was put in, where the order counts.
    let appended: [ManagedObjectID]
  }

  let insertions: [Change]
  let updates: [Change]
  let deletions: [ManagedObjectID]
  /// The deleted objects whose relationships were changed before, so that delete rules follow the changed ones.
  let relinkedDeletions: [Change]
}

extension ChildChanges {
  /// The pending changes of a context as they are now.
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
  /// Nil for an object without values.
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
