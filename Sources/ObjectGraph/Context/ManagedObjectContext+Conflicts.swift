// Conflicts of a save: found in the row cache and in the database, resolved by the merge policy.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Objects that were read in an older version than the row cache has.
  func conflictsWithCache() -> [FoundConflict] {
    let cache = rowCache
    return (pendingUpdates + pendingDeletions).compactMap { object in
      guard let base = object.committed ?? object.row, let cached = cache.row(object.objectID)?.row,
        cached.version > base.version
      else { return nil }
      return FoundConflict(object: object, external: cached, isInDatabase: false)
    }
  }

  /// Objects with a row in the database that has another version, or is gone.
  func found(_ stale: [StaleRow]) -> [FoundConflict] {
    stale.compactMap { row in
      switch row {
      case .update(let index, let persisted):
        FoundConflict(object: pendingUpdates[index], external: persisted, isInDatabase: true)
      case .deletion(let index, let persisted):
        FoundConflict(object: pendingDeletions[index], external: persisted, isInDatabase: true)
      case .missing(let objectID):
        isToBeDeleted(objectID)
          ? nil : FoundConflict(object: objectOrFault(objectID), external: nil, isInDatabase: true)
      case .clash, .partner, .members: nil
      }
    }
  }

  /// Removes references from pending objects to objects that this save deletes, if their delete rules missed them.
  func forgetDeleted(_ stale: [StaleRow]) {
    forgetReferences(
      to: stale.compactMap { row in
        if case .missing(let objectID) = row, isToBeDeleted(objectID) { objectID } else { nil }
      })
  }

  /// Whether this context is about to delete the object.
  private func isToBeDeleted(_ objectID: ManagedObjectID) -> Bool {
    registered.object(ofRow: objectID)?.state == .deletionPending
  }

  /// Lets the merge policy resolve each conflict with rows that were read after `read`.
  ///
  /// - Throws: ``ObjectGraphError/optimisticLocking(_:)`` with every conflict that must fail the save.
  func resolve(_ conflicts: [FoundConflict], read: ReadTime = .now) throws(ObjectGraphError) {
    if conflicts.isEmpty { return }
    let cache = rowCache
    let policy = mergePolicy
    isAskingPolicy = true
    let decided = conflicts.map { found in
      let conflict = found.described(cached: cache.lastRow(found.object.objectID))
      return (found, conflict, policy.resolution(of: conflict))
    }
    isAskingPolicy = false
    // It is not a conflict if others deleted an object that this save deletes.
    let failing = decided.filter { found, _, resolution in
      resolution == .fail && !(found.external == nil && found.object.state == .deletionPending)
    }
    // Do this even if the save fails: refreshing the objects must show what the database has.
    for (found, _, _) in decided where found.isInDatabase {
      if let external = found.external {
        cache.update(found.object.objectID, external, read: read)
      } else {
        cache.remove(found.object.objectID)
      }
    }
    if !failing.isEmpty { throw .optimisticLocking(failing.map(\.1)) }
    let revived = Set(decided.map(\.0.object).filter { $0.state == .deletionPending })
    var partners: [(object: ManagedObject, old: [Int: ManagedObject.Ends])] = []
    let orders = decided.filter { $0.2 == .storeTrumps }.map { ($0.0.object, $0.0.object.ordersBeforeArrangements()) }
    for (found, _, resolution) in decided {
      let object = found.object
      partners.append((object, object.partners()))
      // Its row is gone, so nothing that was linked with it here may refer to it.
      if found.external == nil { object.dropPendingLinks() }
      object.relinking { apply(resolution, to: found) }
      // The stored content of its to-many relationships is no longer known.
      object.forgetStoredLinks()
      // Undoing a deletion also undoes all other changes of the object.
      if resolution == .rollback || revived.contains(object) && object.state == .stored {
        object.dropPairChanges()
        object.dropArrangements()
      }
      // Apply its delete rules again, because others may have related objects to it.
      if object.state == .deletionPending { unpropagated.append(object) }
    }
    // Do this last, because the partners' rows may also have been in conflict.
    for (object, old) in partners {
      if revived.contains(object), object.state == .stored { try object.regainMembers() }
      object.bringPartnersInStep(from: old)
      object.leaveStoredPartners()
    }
    for (object, known) in orders { try object.dropArrangements(ofOtherThan: known) }
    let gone = decided.filter { $0.0.external == nil }.map(\.0.object.objectID)
    // Read again: a row that is gone from its entity may now belong to another one.
    forgetInLists(gone, readsAgain: true)
    forgetReferences(to: gone)
    dropUnchanged()
    pendingDeletions.drop(&unreported.reportedDeletions) { $0.state != .deletionPending }
    // Make observers check the objects that have other values now.
    for (found, _, _) in decided {
      if found.object.isGone {
        unreported.deleted.append(found.object.objectID)
      } else {
        unreported.refreshed.append(found.object.objectID)
      }
    }
  }

  /// Removes references from pending objects to objects with deleted rows.
  func forgetReferences(to objectIDs: [ManagedObjectID]) {
    if objectIDs.isEmpty || !hasRelationships || pendingInsertions.isEmpty && pendingUpdates.isEmpty { return }
    let gone = Set(objectIDs.map { ObjectReference($0) })
    for object in pendingInsertions + pendingUpdates where object.isAlive && object.layout.hasToOneSlots {
      for slot in object.layout.slots.indices {
        guard var reference = object.row?[slot].reference else { continue }
        reference.order = 0
        if gone.contains(reference) { object.write(.null, slot: slot) }
      }
    }
  }

  private func apply(_ resolution: MergeResolution, to found: FoundConflict) {
    let object = found.object
    let cache = rowCache
    guard let external = found.external else {
      // The row is gone, and no policy restores it.
      object.state = .detached
      storedChanges.append(CollectionOfOne(object.objectID))
      registered.remove(object.objectID, cache: cache)
      cache.remove(object.objectID)
      return
    }
    if object.state == .deletionPending {
      switch resolution {
      case .objectTrumps, .overwrite, .values: object.row = external
      case .storeTrumps, .rollback, .fail:
        object.become(object.objectID, external)
      }
      return
    }
    _ = object.resolve(with: external, resolution)
  }
}
