// Relationships in a save: places of ordered objects and pairs of join tables before it, permanent keys after it.
internal import CoreDataModel

extension ManagedObjectContext {
  var hasRelationships: Bool { persistentStoreCoordinator.compiledModel.hasRelationships }

  /// Brings both ends of every pending relationship in step.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a relationship or a changed object cannot be read.
  func prepareRelationships() throws(ObjectGraphError) {
    // Again for all of them: something may have been linked with an object after its deletion.
    unpropagated += pendingDeletions.filter { $0.layout.hasRelationships }
    try propagateDeletions()
    // An object whose only change is a relationship may be a fault; its version is needed.
    try fulfil(pendingUpdates)
    try assignPositions()
  }

  /// Gives every object of a changed ordered relationship its place.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a relationship cannot be read.
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

  /// The pairs that the pending changes put into join tables, take out of them, or move.
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
    // Both ends know of each pair; one of them writes it.
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

  /// Names of new objects in the pending rows become those of the rows they were stored as.
  ///
  /// - Returns: The pending objects whose to-many relationships are known, which have to follow.
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

  /// What was changed in the to-many relationships of saved objects is what the store has.
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
  /// Takes pending changes into the list of stored objects, which is read again when it cannot be known.
  mutating func settle(isOrdered: Bool, isExact: Bool) {
    defer {
      added = ObjectList()
      removed = []
      arrangement = nil
      positions = [:]
    }
    // If one row represents several objects, any of them may be related to other objects than it was here.
    if !isExact { stored = nil }
    guard isChanged, let old = stored else { return }
    // Positions are recorded under the IDs that objects had before the save, so an ordered list with new objects is read again.
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

/// The keys of a save's new rows, or of the rows that replace them.
struct PermanentKeys {
  private var keys: [Int64: Int64] = [:]
  /// The entities of the existing rows that replace new ones.
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

  /// What a reference to a new object is once that is stored; nil when it was not.
  subscript(reference: ObjectReference) -> ObjectReference? {
    keys[reference.key].map {
      ObjectReference(
        key: $0, entityIndex: entities[reference.key] ?? reference.entityIndex, order: reference.order)
    }
  }
}
