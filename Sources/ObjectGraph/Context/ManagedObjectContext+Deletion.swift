// Deletes objects and applies the delete rules to related objects.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Marks the object for deletion by the next save, or forgets a new one; its delete rules are applied later.
  ///
  /// - Throws: The same errors as ``delete(_:)``.
  func markForDeletion(_ object: ManagedObject) throws(ObjectGraphError) {
    guard object.context === self else { throw .foreignObject(object.objectID) }
    if object.isGone { throw .deletedObject(object.objectID) }
    // Two objects can delete each other.
    if object.isBeingDeleted { return }
    // Read its version, so that the save deletes only the row that was read.
    if object.state == .stored { _ = try object.filled() }
    if object.hasCallbacks {
      object.isBeingDeleted = true
      object.prepareForDeletion()
      object.isBeingDeleted = false
    }
    switch object.state {
    case .inserted:
      unreported.noteEnd(of: object)
      forget(object)
    case .stored:
      _ = try object.filled()
      object.state = .deletionPending
      pendingDeletions.append(object)
    case .deletionPending, .detached, .deleted, .forgotten, .scratch: return
    }
    guard object.layout.hasRelationships else { return }
    unpropagated.append(object)
  }

  /// Applies the delete rules of the objects deleted since the last call, and of those that this deletes in turn.
  ///
  /// Applying them again changes nothing, so a save applies them for all of its deletions.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read; the next call tries its
  ///   deletions again.
  func propagateDeletions() throws(ObjectGraphError) {
    while let object = unpropagated.last {
      // Remove it first, because cascades append to the list.
      unpropagated.removeLast()
      // A refresh may have restored it.
      guard object.isDeleted || object.isGone else { continue }
      do throws(ObjectGraphError) {
        try propagateDeletion(of: object)
      } catch {
        unpropagated.append(object)
        throw error
      }
    }
  }

  /// Applies the delete rules at the end of an event, unless they wait for the save.
  ///
  /// - Throws: The same errors as ``propagateDeletions()``.
  func propagateDeletionsOfEvent() throws(ObjectGraphError) {
    if !unpropagated.isEmpty && propagatesDeletesAtEndOfEvent { try propagateDeletions() }
  }

  private func propagateDeletion(of object: ManagedObject) throws(ObjectGraphError) {
    let layout = object.layout
    // Nothing may refer to an object that was never saved and never will be, even if its rules leave references alone.
    // If a child deletes its parent's new object, either a rule denies it, or nothing refers to it.
    let wasStored = object.state == .deletionPending
    func rule(_ relationship: RelationshipDescription) -> DeleteRule {
      switch relationship.deleteRule {
      case .deny: wasStored ? .deny : .nullify
      case .noAction: wasStored && !object.objectID.isTemporaryID ? .noAction : .nullify
      case .nullify, .cascade: relationship.deleteRule
      }
    }
    if layout.hasToOneSlots {
      for slot in layout.slots.indices {
        guard let toOne = layout.slots[slot].toOne, let destination = object.destination(slot) else { continue }
        switch rule(toOne.relationship) {
        case .nullify: if let inverse = toOne.inverse { try unlink(destination, object, inverse) }
        case .cascade: try deleteLiving([destination])
        case .deny, .noAction: break
        }
      }
    }
    for (index, toMany) in layout.toManyRelationships.enumerated() {
      switch rule(toMany.relationship) {
      case .nullify:
        let related = try object.members(index).filter(\.isAlive)
        try fulfil(related)
        for destination in related { try unlink(destination, object, toMany.inverse) }
      case .cascade: try deleteLiving(try object.members(index))
      case .deny, .noAction: break
      }
    }
  }

  /// Detaches the object of a row that others deleted.
  func releaseDeleted(_ object: ManagedObject) {
    let objectID = object.objectID
    // Its values stay readable for code that still shows it.
    object.row = object.row ?? rowCache.lastRow(objectID)
    object.dropPendingLinks()
    // Observers that were notified of the coming deletion already know.
    if object.reported != .deleted { unreported.deleted.append(objectID) }
    object.relinking { object.state = .detached }
    pendingDeletions.drop(&unreported.reportedDeletions) { $0 === object }
    registered.remove(objectID, cache: rowCache)
  }

  /// Removes a destination's reference to the deleted object.
  private func unlink(
    _ destination: ManagedObject, _ object: ManagedObject, _ inverse: RelationshipDescription
  ) throws(ObjectGraphError) {
    guard destination.isAlive else { return }
    // The store relates them. If the row differs, it was read before others related them, or before the object's row
    // became one of this entity.
    if let slot = destination.layout.toOneSlot(named: inverse.name), let value = destination.values?[slot],
      value.reference?.refers(to: object.objectID) != true
    {
      if value.reference?.key == object.objectID.key {
        repointReferences(to: [object.objectID])
      } else {
        try refreshFromStore(destination)
      }
    }
    destination.lose(object, inverse)
  }

  private func deleteLiving(_ objects: [ManagedObject]) throws(ObjectGraphError) {
    let living = objects.filter(\.isAlive)
    try fulfil(living)
    // Rows that are already gone from the store need no deletion. The enclosing loop applies the rules of these
    // objects, so that a long cascade does not need a deep stack.
    for object in living where object.values != nil { try markForDeletion(object) }
  }
}

extension ManagedObject {
  /// Whether the object exists and is not about to be deleted.
  final var isAlive: Bool { state == .inserted || state == .stored }

  /// Makes to-many relationships agree with the objects at their other ends, after a deletion was canceled or if the
  /// object is a row's new one.
  ///
  /// Pairs are restored. Objects that were linked with others since keep that change. An object that will be deleted
  /// refers to this one again, so that its own delete rule counts.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read.
  final func regainMembers() throws(ObjectGraphError) {
    for (index, toMany) in layout.toManyRelationships.enumerated() {
      for object in try members(index) where object !== self {
        switch toMany.storage {
        case .join:
          guard let back = object.layout.toManyIndex(named: toMany.inverse.name) else { continue }
          object.links?.lists[back].cancelRemoval(of: self)
        case .inverseKey:
          guard let slot = object.layout.toOneSlot(named: toMany.inverse.name) else { continue }
          func isLinked() -> Bool { object.isAlive && object.values?[slot].reference?.refers(to: objectID) == true }
          // Others may have related it since its row was read.
          if !isLinked() { try context?.refreshFromStore(object) }
          if isLinked() { continue }
          object.recallKey(slot, to: self)
          beginRelationshipChange()
          linksMade().lists[index].remove(object)
        }
      }
    }
    // A deletion removes the object from the list of changed ones. Changes to its relationships before that must still
    // be stored, and other objects learn of them through this one.
    if links?.isChanged == true { beginRelationshipChange() }
  }

  /// Restores the reference of an object that will be deleted, if its row refers to the other object.
  private final func recallKey(_ slot: Int, to object: ManagedObject) {
    guard state == .deletionPending, let stored = committed?[slot],
      stored.reference?.refers(to: object.objectID) == true,
      row?[slot].isNull == true
    else { return }
    row?[slot] = stored
    context?.unpropagated.append(self)
  }

  /// Checks the delete rules that deny a deletion.
  ///
  /// ```swift
  /// do {
  ///   try region.validateDeletion()
  /// } catch .validation(let failures) {
  ///   print(failures[0].found)  // such as: 2 objects at its other end
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every failure.
  public final func validateDeletion() throws(ObjectGraphError) {
    var failures: [ValidationFailure] = []
    checkDeletion(into: &failures)
    if !failures.isEmpty { throw .validation(failures) }
  }

  /// Adds each relationship that denies the deletion because it still has an object.
  final func checkDeletion(into failures: inout [ValidationFailure]) {
    func deny(_ relationship: RelationshipDescription, _ objects: [ManagedObject]) {
      let count = objects.count(where: \.isAlive)
      if count == 0 { return }
      failures.append(
        ValidationFailure(
          code: .relationshipDeniedDelete, objectID: objectID, key: relationship.name,
          found: "\(count) object\(count == 1 ? "" : "s") at its other end",
          expected: "none, because its delete rule is deny; delete them too, or take them out of it"))
    }
    for slot in layout.slots.indices {
      guard let toOne = layout.slots[slot].toOne, toOne.relationship.deleteRule == .deny else { continue }
      deny(toOne.relationship, destination(slot).map { [$0] } ?? [])
    }
    for (index, toMany) in layout.toManyRelationships.enumerated() where toMany.relationship.deleteRule == .deny {
      do throws(ObjectGraphError) {
        deny(toMany.relationship, try members(index))
      } catch {
        failures.append(
          ValidationFailure(
            code: .managedObject, objectID: objectID, key: toMany.relationship.name, found: "\(error)",
            expected: "a relationship that can be read, because its delete rule is deny"))
      }
    }
  }
}
