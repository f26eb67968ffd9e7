// Conflicts of a save: found against the row cache and against the database, resolved by the merge policy.
internal import CoreDataModel

/// The objects that conflicts changed, as they were before.
struct ConflictResolutionLog {
  private struct Before {
    let object: ManagedObject
    let row: RowSnapshot?
    let committed: RowSnapshot?
    let changedSlots: SlotMask
    let state: ManagedObject.State
    let reported: ManagedObject.Reported
    let lists: [ToManyList]
  }

  private var before: [Before] = []

  var isEmpty: Bool { before.isEmpty }

  mutating func note(_ object: ManagedObject) {
    before.append(
      Before(
        object: object, row: object.row, committed: object.committed, changedSlots: object.changedSlots,
        state: object.state, reported: object.reported, lists: object.links?.lists ?? []))
  }

  /// Leaves objects as they are from here on: they are stored so.
  mutating func forget(_ objects: [ManagedObject]) {
    let stored = Set(objects.map { ObjectIdentifier($0) })
    before.removeAll { stored.contains(ObjectIdentifier($0.object)) }
  }

  /// Puts the objects back, the oldest state of each last.
  func undo(in context: ManagedObjectContext) {
    for entry in before.reversed() {
      entry.object.relinking {
        entry.object.row = entry.row
        entry.object.committed = entry.committed
        entry.object.changedSlots = entry.changedSlots
        entry.object.state = entry.state
        entry.object.reported = entry.reported
      }
      if !entry.lists.isEmpty { entry.object.restorePairChanges(entry.lists) }
      if context.registered[entry.object.objectID] == nil {
        context.registered.insert(
          entry.object, cache: context.rowCache, read: .now)
      }
      if entry.state == .deletionPending {
        if !context.pendingDeletions.contains(where: { $0 === entry.object }) {
          context.pendingDeletions.append(entry.object)
        }
      } else if !entry.object.isListed {
        context.noteChange(of: entry.object)
      }
    }
  }
}

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

  /// Objects whose row in the database is of another version, or gone.
  func found(_ stale: [StaleRow]) -> [FoundConflict] {
    stale.compactMap { row in
      switch row {
      case .update(let index, let persisted):
        FoundConflict(object: pendingUpdates[index], external: persisted, isInDatabase: true)
      case .deletion(let index, let persisted):
        FoundConflict(object: pendingDeletions[index], external: persisted, isInDatabase: true)
      case .clash: nil
      }
    }
  }

  /// Lets the merge policy decide about each conflict with rows that were read after `read`.
  ///
  /// - Throws: ``ObjectGraphError/optimisticLocking(_:)`` with every conflict that is to fail the save.
  func resolve(
    _ conflicts: [FoundConflict], _ log: inout ConflictResolutionLog, read: ReadTime = .now
  ) throws(ObjectGraphError) {
    if conflicts.isEmpty { return }
    let cache = rowCache
    let policy = mergePolicy
    let decided = conflicts.map { found in
      let conflict = found.described(cached: cache.lastRow(found.object.objectID))
      return (found, conflict, policy.resolution(of: conflict))
    }
    // What somebody else deleted while it was to be deleted here is as it should be.
    let failing = decided.filter { found, _, resolution in
      resolution == .fail && !(found.external == nil && found.object.state == .deletionPending)
    }
    // Also when the save fails: refreshing the objects must show what the database has.
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
    for (found, _, resolution) in decided {
      log.note(found.object)
      partners.append((found.object, found.object.partners()))
      found.object.relinking { apply(resolution, to: found) }
      // What somebody else stored of its to-many relationships is not known.
      found.object.forgetStoredLinks()
      if resolution == .rollback { found.object.dropPairChanges() }
    }
    // Only now, because what the partners have may have been in conflict too.
    for (object, old) in partners {
      if revived.contains(object), object.state == .stored { try object.takeBackDeletion() }
      object.bringPartnersInStep(from: old) { log.note($0) }
      object.leaveStoredPartners { log.note($0) }
    }
    dropUnchanged()
    pendingDeletions.drop(&unreported.reportedDeletions) { $0.state != .deletionPending }
    // Observers look again at what has other values now.
    for (found, _, _) in decided {
      if found.object.isGone {
        unreported.deleted.append(found.object.objectID)
      } else {
        unreported.refreshed.append(found.object.objectID)
      }
    }
  }

  private func apply(_ resolution: MergeResolution, to found: FoundConflict) {
    let object = found.object
    let cache = rowCache
    guard let external = found.external else {
      // The row is gone, and no policy brings it back.
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

  /// Objects whose changed values are taken, under a policy that lets the store's row stay: they give those values
  /// up, or all their changes under rollback.
  func resolve(_ stale: [StaleRow], _ log: inout ConflictResolutionLog) throws(ObjectGraphError) {
    // The indexes count in the list as it was sent, which is as it still is: a store tells of clashes only when there
    // are no conflicts of versions.
    for case .clash(let index, let constraint) in stale {
      let object = pendingUpdates[index]
      guard var row = object.row, let committed = object.committed else { continue }
      log.note(object)
      unreported.refreshed.append(object.objectID)
      if mergePolicy.mergeType == .rollback {
        object.relinking { object.become(object.objectID, committed) }
        object.dropPairChanges()
        continue
      }
      var changes = SlotMask()
      for slot in 0..<object.layout.slotCount where object.changedSlots.contains(slot) {
        if constraint.contains(slot) { row[slot] = committed[slot] } else { changes.insert(slot) }
      }
      object.row = row
      object.changedSlots = changes
      if changes.isEmpty { object.committed = nil }
    }
    dropUnchanged()
  }
}
