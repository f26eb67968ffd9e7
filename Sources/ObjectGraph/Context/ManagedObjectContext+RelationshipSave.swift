// Relationships in a save: positions of ordered objects and pairs of join tables before it, permanent keys after it.
internal import CoreDataModel

extension ManagedObjectContext {
  var hasRelationships: Bool { persistentStoreCoordinator.compiledModel.hasRelationships }

  /// Makes both ends of every pending relationship consistent.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship or a changed object cannot be read.
  func prepareRelationships() throws(ObjectGraphError) {
    // Apply all rules again, because something may have been linked with an object after its deletion.
    unpropagated += pendingDeletions.filter { $0.layout.hasRelationships }
    try propagateDeletions()
    // An object that only changed in a relationship may be a fault, but its version is needed.
    try fulfil(pendingUpdates)
    try assignPositions()
  }

  /// Assigns positions to the objects of changed ordered relationships.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read.
  func assignPositions() throws(ObjectGraphError) {
    for object in pendingInsertions + pendingUpdates {
      guard let links = object.links, links.isChanged else { continue }
      for (index, toMany) in object.layout.toManyRelationships.enumerated()
      where toMany.relationship.isOrdered && links.lists[index].isChanged {
        try assignPositions(of: object, toMany, index)
      }
    }
  }

  private func assignPositions(
    of object: ManagedObject, _ toMany: ToManyLayout, _ index: Int
  ) throws(ObjectGraphError) {
    let stored = try object.storedMembers(index)
    let members = try object.members(index)
    let old = Dictionary(stored.map { ($0.objectID, $0.order) }) { first, _ in first }
    let positions = RelationshipPositions.assign(members.map { old[$0.objectID] ?? 0 })
    object.links?.lists[index].positions = Dictionary(zip(members.map(\.objectID), positions)) { first, _ in first }
    guard case .inverseKey = toMany.storage else { return }
    for (member, position) in zip(members, positions) {
      guard let slot = member.layout.toOneSlot(named: toMany.inverse.name),
        var reference = member.values?[slot].reference, reference.order != position
      else { continue }
      reference.order = position
      member.write(.reference(reference), slot: slot)
    }
  }

  /// The pairs that the pending changes add to join tables, remove from them, or move.
  func joinChanges() -> [JoinChange] {
    var changes: [JoinChange] = []
    for object in pendingInsertions + pendingUpdates {
      guard let links = object.links, links.isChanged else { continue }
      for (index, toMany) in object.layout.toManyRelationships.enumerated() where links.lists[index].isChanged {
        if case .join(let ends) = toMany.storage {
          changes += joinChanges(of: object, toMany, ends, links.lists[index])
        }
      }
    }
    return changes
  }

  private func joinChanges(
    of object: ManagedObject, _ toMany: ToManyLayout, _ ends: ToManyLayout.JoinEnds, _ list: ToManyList
  ) -> [JoinChange] {
    let source = object.objectID.key
    let store = object.objectID.isTemporaryID ? nil : object.objectID.store
    var changes: [JoinChange] = []
    // Both ends know each pair, but only one writes it.
    if ends.isOwner {
      changes += list.removed.sorted { $0.key < $1.key }
        .map { JoinChange(ends: ends, source: source, destination: $0.key, kind: .remove, store: store) }
      for member in list.added where member.isAlive {
        let back = member.layout.toManyIndex(named: toMany.inverse.name).flatMap { member.links?.lists[$0] }
        changes.append(
          JoinChange(
            ends: ends, source: source, destination: member.objectID.key,
            kind: .add(position: list.positions[member.objectID], inversePosition: back?.positions[object.objectID]),
            store: store))
      }
    }
    guard ends.orderColumn != nil, let stored = list.stored else { return changes }
    for related in stored {
      guard let position = list.positions[related.objectID], position != related.order else { continue }
      changes.append(
        JoinChange(
          ends: ends, source: source, destination: related.objectID.key, kind: .move(to: position), store: store))
    }
    return changes
  }

  /// Replaces references to new objects in pending rows by references to their stored rows.
  ///
  /// - Returns: The pending objects with to-many relationships that must be updated as well.
  func settleReferences(_ outcome: SaveOutcome) -> [ManagedObject] {
    if !hasRelationships { return [] }
    let keys = PermanentKeys(pendingInsertions, outcome.insertions)
    for object in pendingInsertions + pendingUpdates where object.layout.hasToOneSlots {
      for slot in object.layout.slots.indices {
        guard let reference = object.row?[slot].reference, reference.key < 0 else { continue }
        object.row?[slot] = keys[reference].map { .reference($0) } ?? .null
      }
    }
    return (pendingInsertions + pendingUpdates).filter { $0.links != nil }
  }

  /// Makes the changed to-many relationships of saved objects the stored state.
  func settleLinks(of objects: [ManagedObject], after outcome: SaveOutcome) {
    settleLinks(
      of: objects,
      isExact: outcome.insertions.standIns.isEmpty && outcome.insertions.versions.isEmpty)
  }

  func settleLinks(of objects: [ManagedObject], isExact: Bool) {
    for object in objects {
      guard let links = object.links else { continue }
      for (index, toMany) in object.layout.toManyRelationships.enumerated() {
        links.lists[index].settle(isOrdered: toMany.relationship.isOrdered, isExact: isExact)
      }
    }
  }
}

extension ToManyList {
  /// Moves pending changes to the list of stored objects; if the result is uncertain, the list is read again on its
  /// next use.
  mutating func settle(isOrdered: Bool, isExact: Bool) {
    defer {
      added = ObjectList()
      removed = []
      arrangement = nil
      positions = [:]
    }
    // If several objects became one row, any of them may be related to other objects than it was here.
    if !isExact { stored = nil }
    guard isChanged, let old = stored else { return }
    // Positions are recorded with the objects' IDs from before the save, so an ordered list with new objects is read
    // again.
    if isOrdered && !added.isEmpty {
      stored = nil
      return
    }
    var new = old.filter { !removed.contains($0.objectID) }
    for index in new.indices { new[index].order = positions[new[index].objectID] ?? new[index].order }
    new += added.filter { $0.state == .stored }.map { RelatedObject(objectID: $0.objectID) }
    stored = new.sorted { ($0.order, $0.objectID.key) < ($1.order, $1.objectID.key) }
  }
}

/// The keys of a save's new rows, or of the existing rows that replace them.
struct PermanentKeys {
  private var keys: [Int64: Int64] = [:]
  /// The entities of existing rows that replace new ones.
  private var entities: [Int64: Int32] = [:]

  init(_ insertions: [ManagedObject], _ outcomes: InsertionOutcomes) {
    for (index, object) in insertions.enumerated() where index < outcomes.keys.count {
      let (temporaryKey, key) = (object.objectID.key, outcomes.keys[index])
      if key != 0 {
        keys[temporaryKey] = key
      } else if let row = outcomes.standIns[index] {
        keys[temporaryKey] = row.key
        entities[temporaryKey] = row.entityIndex
      }
    }
  }

  /// The reference after the object was stored; `nil` if it was not a new object of this save.
  subscript(reference: ObjectReference) -> ObjectReference? {
    keys[reference.key].map {
      ObjectReference(
        key: $0, entityIndex: entities[reference.key] ?? reference.entityIndex, order: reference.order)
    }
  }
}
