// Saving a child context: its changes become the parent's unsaved ones.
internal import CoreDataModel

/// The pending changes of a child context, as they cross to its parent.
private struct ChildChanges: Sendable {
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
    /// All objects in the order somebody gave them; nil while those that were put in stand behind the others.
    let arrangement: [ManagedObjectID]?
    /// What was put in, where the order counts.
    let appended: [ManagedObjectID]
  }

  let insertions: [Change]
  let updates: [Change]
  let deletions: [ManagedObjectID]
  /// Those of the deleted objects that were made to lead elsewhere before, so that delete rules follow where they lead now.
  let relinkedDeletions: [Change]
}

extension ManagedObjectContext {
  /// Hands the pending changes to the parent.
  ///
  /// A change of a value that the parent meanwhile took from the store in a newer version is a conflict, which the
  /// child's merge policy decides: the parent's own save could not see it any more.
  ///
  /// - Throws: ``ObjectGraphError/missingObject(_:)`` when the parent no longer has an object that was changed,
  ///   ``ObjectGraphError/optimisticLocking(_:)``, ``ObjectGraphError/endlessWillSave(rounds:)``; nothing was handed over
  ///   then.
  func saveToParent(_ parent: ParentContext, tracer: (any SaveTracer)?) throws(ObjectGraphError) {
    var before: PendingChangesImage?
    do throws(ObjectGraphError) {
      for _ in 0..<ManagedObjectContext.willSaveRounds {
        let changes = pendingChildChanges()
        enter(.request, tracer)
        if let refusedCall { throw refusedCall }
        let stale = try parent.ask { (parent) throws(ObjectGraphError) in
          let stale = try parent.take(changes)
          if stale.isEmpty { parent.processPendingChanges() }
          return stale
        }
        if stale.isEmpty { return finishChildSave(parent, tracer: tracer) }
        enter(.conflictsWithDatabase, tracer)
        if before == nil { before = PendingChangesImage(of: self) }
        forgetDeleted(stale)
        try resolve(found(stale))
        try settleResolution()
      }
      throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
    } catch {
      before?.restore(in: self)
      throw error
    }
  }

  private func pendingChildChanges() -> ChildChanges {
    ChildChanges(
      insertions: pendingInsertions.enumerated().compactMap { change($1, isNew: true, position: $0) },
      updates: pendingUpdates.enumerated().compactMap { change($1, isNew: false, position: $0) },
      deletions: pendingDeletions.map(\.objectID),
      relinkedDeletions: pendingDeletions.enumerated().compactMap { position, object in
        let layout = object.layout
        return layout.slots.indices.contains { layout.isToOne($0) && object.changedSlots.contains($0) }
          ? change(object, isNew: false, position: position) : nil
      })
  }

  private func change(_ object: ManagedObject, isNew: Bool, position: Int) -> ChildChanges.Change? {
    guard let row = object.row else { return nil }
    var change = ChildChanges.Change(
      objectID: object.objectID, layout: object.layout, row: row, changedSlots: isNew ? nil : object.changedSlots,
      base: object.committed ?? row, position: position)
    for (index, toMany) in object.layout.toManyRelationships.enumerated() {
      guard let list = object.links?.lists[index], list.isChanged else { continue }
      var isPairs = false
      if case .join = toMany.storage { isPairs = true }
      let isAppended = toMany.relationship.isOrdered && list.arrangement == nil
      let appended = isAppended ? list.added.filter(\.isAlive).map(\.objectID) : []
      if !isPairs && list.arrangement == nil && appended.count < 2 { continue }
      change.lists.append(
        ChildChanges.ListChange(
          index: index, added: isPairs ? list.added.filter(\.isAlive).map(\.objectID) : [],
          removed: isPairs ? list.removed.sorted { $0.key < $1.key } : [],
          arrangement: list.arrangement.map { $0.filter(\.isAlive).map(\.objectID) }, appended: appended))
    }
    return change
  }

  /// Takes a child's changes as unsaved ones.
  ///
  /// - Returns: What conflicts; nothing was taken then.
  private func take(_ changes: ChildChanges) throws(ObjectGraphError) -> [StaleRow] {
    try refuseInPolicy("save() of a child")
    // Everything is looked up before anything is changed.
    var objects: [ManagedObjectID: ManagedObject] = [:]
    for change in changes.updates {
      let object = try existingObject(with: settled(change.objectID))
      guard object.isAlive else { throw .missingObject(change.objectID) }
      objects[change.objectID] = object
    }
    let stale = staleRows(changes, objects)
    if !stale.isEmpty { return stale }
    let missing = try readAhead(of: changes, objects)
    if !missing.isEmpty { return missing.map { .missing($0) } }
    for change in changes.insertions { objects[change.objectID] = insert(change) }
    func object(_ objectID: ManagedObjectID) -> ManagedObject? {
      objects[objectID] ?? knownObject(settled(objectID))
        ?? (objectID.isTemporaryID ? nil : self.objectOrFault(objectID))
    }
    for change in changes.updates {
      guard let mine = objects[change.objectID] else { continue }
      for slot in change.layout.slots.indices
      where change.changedSlots?.contains(slot) == true && !change.layout.isToOne(slot) {
        mine.write(change.row[slot], slot: slot)
      }
    }
    // The deleted ones first: others may have taken their places in one-to-one relationships.
    for change in changes.relinkedDeletions {
      guard let mine = object(change.objectID), mine.isAlive, mine.values != nil else { continue }
      for slot in change.layout.slots.indices where change.changedSlots?.contains(slot) == true {
        guard let toOne = change.layout.slots[slot].toOne else { continue }
        let destination = change.row[slot].reference.flatMap { object(objectID($0, change.objectID)) }
        mine.setDestination(destination?.isAlive == true ? destination : nil, slot, toOne)
      }
    }
    for change in changes.insertions + changes.updates where change.layout.hasToOneSlots {
      guard let mine = objects[change.objectID] else { continue }
      for slot in change.layout.slots.indices where change.changedSlots?.contains(slot) != false {
        guard let toOne = change.layout.slots[slot].toOne else { continue }
        let reference = change.row[slot].reference
        let destination = reference.flatMap { object(objectID($0, change.objectID)) }
        mine.setDestination(destination, slot, toOne)
      }
    }
    for change in changes.insertions + changes.updates {
      guard let mine = objects[change.objectID] else { continue }
      for list in change.lists { try take(list, mine, object) }
    }
    for objectID in changes.deletions {
      guard let mine = object(objectID), mine.isAlive, mine.values != nil else { continue }
      // Its rules are applied below, whenever this context applies those of its own deletions.
      try markForDeletion(mine)
    }
    // Delete rules that cannot be applied now are applied by this context's own save, which says why it cannot.
    if hasRelationships { try? propagateDeletions() }
    return []
  }

  /// Reads all that taking the changes will look at: a read that fails must not leave some of them here.
  ///
  /// - Returns: What the changes lead to and has no row any more.
  /// - Throws: ``ObjectGraphError/store(_:during:)``.
  private func readAhead(
    of changes: ChildChanges, _ objects: [ManagedObjectID: ManagedObject]
  ) throws(ObjectGraphError) -> [ManagedObjectID] {
    if !hasRelationships {
      try fulfil(changes.deletions.compactMap { knownObject(settled($0)) })
      return []
    }
    var wanted: [ManagedObject] = []
    var left: [ManagedObject] = []
    // They may have permanent IDs already.
    let new = Set(changes.insertions.map(\.objectID))
    func add(_ objectID: ManagedObjectID, to related: inout [ManagedObject]) {
      if new.contains(objectID) { return }
      let objectID = settled(objectID)
      if let known = knownObject(objectID) {
        related.append(known)
      } else if !objectID.isTemporaryID {
        related.append(objectOrFault(objectID))
      }
    }
    for change in changes.insertions + changes.updates {
      for slot in change.layout.slots.indices where change.changedSlots?.contains(slot) != false {
        if let reference = change.row[slot].reference { add(objectID(reference, change.objectID), to: &wanted) }
      }
      for list in change.lists {
        if let mine = objects[change.objectID] { try mine.storedMembers(list.index) }
        for objectID in list.added { add(objectID, to: &wanted) }
        for objectID in list.removed { add(objectID, to: &left) }
      }
    }
    for objectID in changes.deletions { add(objectID, to: &left) }
    for change in changes.relinkedDeletions {
      for slot in change.layout.slots.indices where change.changedSlots?.contains(slot) == true {
        if let reference = change.row[slot].reference { add(objectID(reference, change.objectID), to: &left) }
      }
    }
    let related = wanted + left
    try fulfil(related)
    let missing = wanted.filter(\.isGone).map(\.objectID)
    if !missing.isEmpty { return missing }
    // The objects that they are linked with now.
    var linked: [ManagedObject] = []
    for object in Array(objects.values) + related where object.isAlive && object.layout.hasToOneSlots {
      for slot in object.layout.slots.indices { object.destination(slot).map { linked.append($0) } }
    }
    try fulfil(linked)
    return []
  }

  /// Changes of values that somebody else stored otherwise since the child read them.
  ///
  /// The version alone does not show it: the parent's save of what a child gave raises it too, and leaves the values.
  /// A value that others set to the same is one of them, since two that raise a counter by one both set the same. A link
  /// that others made or took apart in the same way is none. What saves compute themselves, derived values and the places
  /// of ordered objects, is nobody's change.
  private func staleRows(_ changes: ChildChanges, _ objects: [ManagedObjectID: ManagedObject]) -> [StaleRow] {
    changes.updates.compactMap { change in
      guard let row = objects[change.objectID]?.values, row.version > change.base.version,
        change.layout.slots.indices.contains(where: { slot in
          change.changedSlots?.contains(slot) == true && !row[slot].isSame(as: change.base[slot])
            && !(change.layout.isToOne(slot) && row[slot].isSame(as: change.row[slot]))
            && !change.layout.derivations.contains { $0.slot == slot }
        })
      else { return nil }
      return .update(change.position, persisted: row)
    }
  }

  private func insert(_ change: ChildChanges.Change) -> ManagedObject {
    var row = change.row
    for slot in change.layout.slots.indices where change.layout.isToOne(slot) { row[slot] = .null }
    let object = persistentStoreCoordinator.makeObject(
      ObjectSeed(objectID: change.objectID, layout: change.layout, row: row, state: .inserted, context: self))
    pendingInsertions.append(object)
    if change.objectID.isTemporaryID {
      childKeys.insert(change.objectID.key)
      newObjects?[change.objectID.key] = object
    } else {
      enterUnsaved(object)
    }
    return object
  }

  private func take(
    _ list: ChildChanges.ListChange, _ mine: ManagedObject, _ object: (ManagedObjectID) -> ManagedObject?
  ) throws(ObjectGraphError) {
    let members = Set(try mine.members(list.index))
    for other in list.added.compactMap(object) where !members.contains(other) && other.isAlive {
      // The other end may have brought the pair already.
      if try !mine.members(list.index).contains(other) { mine.add(other, list.index) }
    }
    for other in list.removed.compactMap(object) {
      if try mine.members(list.index).contains(other) { mine.remove(other, list.index) }
    }
    if list.arrangement == nil && list.appended.count < 2 { return }
    let present = try mine.members(list.index)
    let known = Set(present)
    let order = (list.arrangement ?? list.appended).compactMap(object).filter(known.contains)
    let placed = Set(order)
    let others = present.filter { !placed.contains($0) }
    // What was put in was taken in another order: new objects first.
    let wanted = list.arrangement == nil ? others + order : order + others
    if list.arrangement != nil || wanted != present { try mine.arrange(wanted, list.index) }
  }

  /// The object ID that a reference in an object's row names.
  private func objectID(_ reference: ObjectReference, _ source: ManagedObjectID) -> ManagedObjectID {
    let store = reference.key < 0 ? temporaryIdentity : storeIdentity(of: source) ?? source.store
    return ManagedObjectID(store: store, entityIndex: reference.entityIndex, key: reference.key)
  }

  /// Makes memory agree with what the parent has now, and posts the notification.
  private func finishChildSave(_ parent: ParentContext, tracer: (any SaveTracer)?) {
    enter(.permanentIDs, tracer)
    let (inserted, updated, deleted) = (pendingInsertions, pendingUpdates, pendingDeletions)
    let notification = ContextNotification(
      .didSave, inserted: inserted.map(\.objectID), updated: updated.map(\.objectID), deleted: deleted.map(\.objectID))
    pendingInsertions = []
    pendingUpdates = []
    pendingDeletions = []
    newObjects = nil
    childKeys = []
    hasObtainedIDs = false
    enter(.rowCache, tracer)
    for object in inserted + updated {
      object.isListed = false
      guard let row = object.row else { continue }
      object.become(object.objectID, row)
      if registered[object.objectID] !== object { registered.insert(object, cache: rowCache, read: .now) }
      rowCache.update(object.objectID, object.layout.stored(row), read: .now)
    }
    settleLinks(of: (inserted + updated).filter { $0.links != nil }, isExact: true)
    for object in deleted {
      registered.remove(object.objectID, cache: rowCache)
      object.detach(as: .deleted)
    }
    storedChanges.append(notification.inserted + notification.updated + notification.deleted)
    unreported.forgetPending()
    enter(.didSaveCallbacks, tracer)
    for object in inserted + updated + deleted where object.hasCallbacks { object.didSave() }
    enter(.didSaveNotification, tracer)
    if observers.isObserved(.didSave) { observers.post(notification) }
    parent.context.children.merge(notification, from: self)
    children.merge(notification, from: self)
  }
}

extension AttributeValue {
  /// Whether a store has the same for both, whatever place an object has among those that lead where it does.
  fileprivate func isSame(as other: AttributeValue) -> Bool {
    guard let mine = reference, let others = other.reference else { return isStored(as: other) }
    return mine.key == others.key && mine.entityIndex == others.entityIndex
  }
}
