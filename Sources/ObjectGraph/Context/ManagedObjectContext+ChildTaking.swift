// Saving a child, on the parent's side: looks everything up first, then takes over the child's changes as unsaved ones.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Takes over a child's changes as unsaved ones.
  ///
  /// - Returns: The conflicts; if there are any, nothing was taken over.
  func take(_ changes: ChildChanges) throws(ObjectGraphError) -> [StaleRow] {
    try refuseInPolicy("save() of a child")
    // Look everything up before changing anything.
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
    // Handle deleted objects first: others may have replaced them in one-to-one relationships.
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
        mine.setDestination(canBe(destination, toOne.destinationIndex) ? destination : nil, slot, toOne)
      }
    }
    for change in changes.insertions + changes.updates {
      guard let mine = objects[change.objectID] else { continue }
      for list in change.lists { try take(list, mine, object) }
    }
    for objectID in changes.deletions {
      guard let mine = object(objectID), mine.isAlive, mine.values != nil else { continue }
      // Its delete rules are applied below, together with those of this context's own deletions.
      try markForDeletion(mine)
    }
    // If delete rules cannot be applied now, this context's own save applies them and reports why it cannot.
    if hasRelationships { try? propagateDeletions() }
    return []
  }

  /// Reads everything that taking over the changes requires, so that a failing read leaves no change behind.
  ///
  /// - Returns: The objects that the changes refer to but that no longer have a row.
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
    // These may already have permanent IDs.
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
    // Also read their present partners.
    var linked: [ManagedObject] = []
    for object in Array(objects.values) + related where object.isAlive && object.layout.hasToOneSlots {
      for slot in object.layout.slots.indices { object.destination(slot).map { linked.append($0) } }
    }
    try fulfil(linked)
    return []
  }

  /// Changed values that others have also stored since the child read them.
  ///
  /// The version alone does not show them: when the parent saves a child's changes, the version rises, too, although
  /// the values stay. A value that others set to the same counts, because two contexts that increment a counter both
  /// set the same value. A link that others made or removed in the same way does not count, and neither do values that
  /// saves compute: derived values and the positions of ordered objects.
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
      change.objectID, change.layout, row: row, state: .inserted, owner: queue)
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
    let destination = mine.layout.toManyRelationships[list.index].destinationIndex
    for other in list.added.compactMap(object)
    where !members.contains(other) && other.isAlive && canBe(other, destination) {
      // The other end may have added the pair already.
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
    // Insertions were taken over in another order: new objects first.
    let wanted = list.arrangement == nil ? others + order : order + others
    if list.arrangement != nil || wanted != present { try mine.arrange(wanted, list.index) }
  }

  /// Whether a relationship to an entity can contain the object.
  ///
  /// The row may belong to another entity than the one that the child knew.
  private func canBe(_ object: ManagedObject?, _ destination: Int) -> Bool {
    object?.layout.isKind(of: persistentStoreCoordinator.compiledModel.layouts[destination]) == true
  }

  /// The ID of the object that a reference in an object's row refers to.
  private func objectID(_ reference: ObjectReference, _ source: ManagedObjectID) -> ManagedObjectID {
    let store = reference.key < 0 ? temporaryIdentity : storeIdentity(of: source) ?? source.store
    return ManagedObjectID(store: store, entityIndex: reference.entityIndex, key: reference.key)
  }
}

extension AttributeValue {
  /// Whether a store keeps the same for both, ignoring positions in an ordered inverse.
  fileprivate func isSame(as other: AttributeValue) -> Bool {
    guard let mine = reference, let others = other.reference else { return isStored(as: other) }
    return mine.key == others.key && mine.entityIndex == others.entityIndex
  }
}
