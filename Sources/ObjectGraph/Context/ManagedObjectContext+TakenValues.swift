// Conflicts of a save with the store other than versions: taken unique values, partners that belong to other objects,
// and unknown members of deleted objects.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Resolves taken unique values, one-sided pairs and unknown members of deleted objects, with the same edits and
  /// delete rules that an application uses.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a row cannot be read.
  func resolve(_ stale: [StaleRow]) throws(ObjectGraphError) {
    // The indexes refer to the lists as they were sent, so look up the objects before changing anything.
    var clashes: [(object: ManagedObject, constraint: [Int], taken: ManagedObjectID)] = []
    var partners: [(object: ManagedObject, slot: Int, other: ManagedObjectID, repair: StaleRow.Repair)] = []
    var deleted: [ManagedObject] = []
    for row in stale {
      switch row {
      case .clash(let index, let constraint, let taken): clashes.append((pendingUpdates[index], constraint, taken))
      case .partner(.update(let index), let slot, let other, let repair):
        partners.append((pendingUpdates[index], slot, other, repair))
      case .partner(.insertion(let index), let slot, let other, let repair):
        partners.append((pendingInsertions[index], slot, other, repair))
      case .partner(.deletion(let index), let slot, let other, let repair):
        partners.append((pendingDeletions[index], slot, other, repair))
      case .members(let index): deleted.append(pendingDeletions[index])
      case .update, .deletion, .missing: break
      }
    }
    // If a holder wants a taken value itself, it either gets it and releases its own value, or keeps its own. The next
    // round shows which. If all wait for each other, none is exempt.
    let resolution = ConflictResolution(saveUnder: mergePolicy)
    let wanting = resolution == .overwriteStored ? Set(clashes.map(\.object.objectID)) : []
    let settled = clashes.filter { !wanting.contains($0.taken) }
    for clash in settled.isEmpty ? clashes : settled {
      switch resolution {
      case .overwriteStored: try deleteHolder(clash.taken, of: clash.object)
      case .keepStored, .fail: giveUp(clash.constraint, of: clash.object)
      }
    }
    for partner in partners { try repair(partner.object, partner.slot, with: partner.other, partner.repair) }
    // Read their lists again, and apply the delete rules to the objects found there.
    for object in deleted { object.forgetStoredLinks() }
    unpropagated += deleted
    dropUnchanged()
  }

  /// The object in memory wins: deletes the stored object that has its unique values, under that object's delete rules.
  private func deleteHolder(_ objectID: ManagedObjectID, of object: ManagedObject) throws(ObjectGraphError) {
    let holder = objectOrFault(objectID)
    // Others may have deleted it since.
    guard holder !== object, holder.isAlive, try readRow(objectID, layout: holder.layout) != nil else { return }
    try delete(holder)
  }

  /// The stored row wins: the object discards its changes to a constraint's values, or all of its changes under
  /// rollback.
  private func giveUp(_ constraint: [Int], of object: ManagedObject) {
    guard object.isAlive, var row = object.row, let committed = object.committed else { return }
    unreported.refreshed.append(object.objectID)
    if mergePolicy.mergeType == .rollback {
      let partners = object.partners()
      object.relinking { object.become(object.objectID, committed) }
      object.dropPairChanges()
      object.dropArrangements()
      object.bringPartnersInStep(from: partners)
      return
    }
    var changes = SlotMask()
    for slot in 0..<object.layout.slotCount where object.changedSlots.contains(slot) {
      if constraint.contains(slot) { row[slot] = committed[slot] } else { changes.insert(slot) }
    }
    object.row = row
    object.changedSlots = changes
    if changes.isEmpty { object.committed = nil }
  }

  /// Makes both ends of a one-to-one relationship agree if the store has another partner than this context.
  ///
  /// Clears a relationship of any kind that cannot refer to what the store has.
  private func repair(
    _ object: ManagedObject, _ slot: Int, with other: ManagedObjectID, _ repair: StaleRow.Repair
  ) throws(ObjectGraphError) {
    if repair == .applyRule {
      object.row?[slot] = .reference(ObjectReference(other))
      return unpropagated.append(object)
    }
    guard object.isAlive, let toOne = object.layout.slots[slot].toOne else { return }
    if repair == .giveUp { return object.setDestination(nil, slot, toOne) }
    guard let inverse = toOne.inverse else { return }
    let partner = objectOrFault(other)
    try refreshFromStore(partner)
    guard partner.isAlive, let back = partner.layout.toOneSlot(named: inverse.name),
      let backToOne = partner.layout.slots[back].toOne
    else { return }
    if repair == .regain {
      partner.gain(object, inverse, through: toOne.relationship.name)
    } else {
      partner.setDestination(nil, back, backToOne)
    }
  }

  /// Makes an unchanged object show the row that is stored now, bypassing the cache.
  func refreshFromStore(_ object: ManagedObject) throws(ObjectGraphError) {
    guard object.state == .stored, !object.isChanged, !object.objectID.isTemporaryID else { return }
    let read = ReadTime.now
    guard let row = try source.row(object.objectID, layout: object.layout) else { return }
    rowCache.refresh(object.objectID, row, read: read)
    object.relinking { object.take(row) }
    object.forgetStoredLinks()
  }
}
