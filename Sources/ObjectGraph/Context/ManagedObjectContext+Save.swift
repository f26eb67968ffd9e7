// Saving: callbacks and checks, one request to the store, then the objects are updated to what was stored.
internal import CoreDataModel

extension ManagedObjectContext {
  /// As in Core Data, will-save callbacks that keep changing the context are stopped after this many rounds.
  static let willSaveRounds = 1_000

  /// Writes all pending changes in one transaction.
  ///
  /// If it throws, nothing was stored and every change is still pending: correct what the error reports and save again.
  /// With several stores, one may fail to commit after others have committed. Then their part is saved, and the rest is
  /// still pending.
  ///
  /// ```swift
  /// if context.hasChanges {
  ///   do { try context.save() } catch .validation(let failures) {
  ///     for failure in failures { print(failure.key, failure.found, failure.expected) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter tracer: Receives each stage; without a tracer, stages cost nothing.
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every missing or invalid value,
  ///   ``ObjectGraphError/constraintConflict(_:)`` and ``ObjectGraphError/optimisticLocking(_:)`` if a conflict fails
  ///   the save under the merge policy, ``ObjectGraphError/endlessWillSave(rounds:)``,
  ///   ``ObjectGraphError/callDuringSave(_:at:)`` inside a save of the same context,
  ///   ``ObjectGraphError/partlyCommitted(stores:because:)``, ``ObjectGraphError/store(_:during:)``.
  public func save(tracer: (any SaveTracer)? = nil) throws(ObjectGraphError) {
    queue.check()
    try refuseDuringSave("save()")
    adoptPermanentIDs()
    guard hasChanges else {
      if parentSource == nil { try persistentStoreCoordinator.saveMetadata() }
      return
    }
    var isStored = false
    isUndone = false
    defer {
      saveStage = nil
      refusedCall = nil
      tracer?.ended(isStored: isStored)
    }
    enter(.willSaveNotification, tracer)
    if observers.isObserved(.willSave) { try postWillSave() }
    enter(.pendingChanges, tracer)
    try settleDefects()
    if hasRelationships { try prepareRelationships() }
    releaseAfterWork()
    // Will-save is also called on objects that are deleted because an observer deleted another one.
    if observersChangeMore(), hasRelationships { try prepareRelationships() }
    enter(.willSaveCallbacks, tracer)
    try runWillSave()
    dropIdleEntries()
    if hasRelationships { try assignPositions() }
    if persistentStoreCoordinator.compiledModel.hasDerivations { try derive() }
    try settleDefects()
    try validateAndReport(tracer)
    if let refusedCall { throw refusedCall }
    let unchanged = UnchangedObjects(takenFrom: self, keepsTransient: parentSource != nil)
    do throws(ObjectGraphError) {
      if let parentSource { try saveToParent(parentSource, tracer: tracer) } else { try saveToStore(tracer) }
      isStored = true
      // Report changes from conflicts now, because no later change may follow to report them.
      if unreported.hasOutcomes { reportChanges() }
    } catch {
      if !isUndone { unchanged.giveBack(to: self) }
      throw error
    }
  }

  /// Records the progress of the save, for calls from the application's code during the save.
  func enter(_ stage: SaveStage, _ tracer: (any SaveTracer)?) {
    saveStage = stage
    tracer?.began(stage)
  }

  /// Refuses a call during a save of this context, which it would disturb.
  ///
  /// - Throws: ``ObjectGraphError/callDuringSave(_:at:)``.
  func refuseDuringSave(_ call: String) throws(ObjectGraphError) {
    if let saveStage { throw .callDuringSave(call, at: saveStage) }
  }

  /// Refuses a change by a merge policy's function, which runs while objects are being stored.
  ///
  /// - Throws: ``ObjectGraphError/callDuringSave(_:at:)``.
  func refuseInPolicy(_ call: String) throws(ObjectGraphError) {
    if isAskingPolicy { try refuseDuringSave(call) }
  }

  /// Whether a call that cannot throw happens during a save and would undo what it is about to store.
  ///
  /// The save then fails and reports the call.
  func isRefusedDuringSave(_ call: String) -> Bool {
    guard let saveStage, !saveStage.isStored else { return false }
    refusedCall = refusedCall ?? .callDuringSave(call, at: saveStage)
    return true
  }

  /// Announces what will be saved, including the effects of deletions.
  private func postWillSave() throws(ObjectGraphError) {
    try propagateDeletions()
    observers.post(
      ContextNotification(
        .willSave, inserted: insertedObjects.map(\.objectID), updated: updatedObjects.map(\.objectID),
        deleted: pendingDeletions.map(\.objectID)))
  }

  /// Reads changed objects that are faults, and sets values that were invalid before but may be valid now.
  func settleDefects() throws(ObjectGraphError) {
    if hasRelationships || hasDefects, pendingUpdates.contains(where: { $0.row == nil && $0.isUpdated }) {
      try fulfil(pendingUpdates)
      for object in pendingUpdates where object.row == nil && object.isUpdated {
        // An object without a row becomes a deleted one, which has nothing to save.
        do throws(ObjectGraphError) { _ = try object.filled() } catch { if case .store = error { throw error } }
      }
    }
    guard hasDefects else { return }
    let pending = pendingInsertions + pendingUpdates
    for object in pending where object.invalidAssignment != nil && object.hasChanges { try object.settleDefects() }
    hasDefects = pending.contains { $0.invalidAssignment != nil }
  }

  private func saveToStore(_ tracer: (any SaveTracer)?) throws(ObjectGraphError) {
    var before: PendingChangesImage?
    let generation = generation
    do throws(ObjectGraphError) {
      let (outcome, start) = try store(&before, tracer: tracer)
      finish(outcome, start: start, before, tracer: tracer)
    } catch {
      // Undo the conflict resolution, so that a failed save leaves the context unchanged.
      if !isUndone { before?.restore(in: self) }
      var isPartlyStored = false
      if case .partlyCommitted = error { isPartlyStored = true }
      // A partly stored save cannot return to the earlier generation, which does not include it.
      if generation !== self.generation, !isPartlyStored { move(to: generation) }
      throw error
    }
  }

  /// Sends the request, and sends it again after each round of conflicts that could be resolved.
  ///
  /// - Parameters:
  ///   - before: The pending changes as they were before the first conflict; `nil` as long as there is none.
  ///   - tracer: Receives each stage.
  /// - Returns: The outcome for each row, and when the request was last sent.
  /// - Throws: The store's errors, conflicts that fail the save, and violations of the model's rules.
  private func store(
    _ before: inout PendingChangesImage?, tracer: (any SaveTracer)?
  ) throws(ObjectGraphError) -> (SaveOutcome, start: ReadTime) {
    enter(.conflictsWithCache, tracer)
    let known = conflictsWithCache()
    if !known.isEmpty {
      before = PendingChangesImage(of: self)
      try resolve(known)
      try settleResolution()
    }
    for _ in 0..<ManagedObjectContext.willSaveRounds {
      // There may be nothing left to store if the changed values are already stored.
      if pendingInsertions.isEmpty && pendingUpdates.isEmpty && pendingDeletions.isEmpty {
        try persistentStoreCoordinator.saveMetadata()
        return (SaveOutcome(), .now)
      }
      enter(.request, tracer)
      let start = ReadTime.now
      if let refusedCall { throw refusedCall }
      switch try persistentStoreCoordinator.execute(saveChangesRequest(tracer)) {
      case .saved(let outcome): return (outcome, start)
      case .partlySaved(let part, let error):
        finish(part, start: start, &before, tracer: tracer)
        throw error
      case .conflicts(let stale):
        enter(.conflictsWithDatabase, tracer)
        if before == nil { before = PendingChangesImage(of: self) }
        // Resolve conflicts against what is stored now.
        moveToCurrentGeneration()
        forgetDeleted(stale)
        // Resolve one kind at a time, because resolving changes the lists that the positions refer to. The others are
        // found again.
        let conflicts = found(stale)
        if conflicts.isEmpty { try resolve(stale) } else { try resolve(conflicts, read: start) }
        try settleResolution()
      }
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// Applies the model's rules to the objects that a policy changed.
  func settleResolution() throws(ObjectGraphError) {
    try settleChanges()
    try validate()
  }

  /// Applies delete rules, orders and derivations to changes since the save began.
  func settleChanges() throws(ObjectGraphError) {
    if hasRelationships { try prepareRelationships() } else { try propagateDeletions() }
    dropIdleEntries()
    if persistentStoreCoordinator.compiledModel.hasDerivations { try derive() }
  }

  /// Calls `willSave` on every pending object, and again on objects that these calls change or insert.
  private func runWillSave() throws(ObjectGraphError) {
    var called: Set<ObjectIdentifier> = []
    func due() -> [ManagedObject] {
      (pendingInsertions + pendingUpdates + pendingDeletions).filter {
        $0.hasCallbacks && $0.hasChanges && ($0.watch == .written || !called.contains(ObjectIdentifier($0)))
      }
    }
    guard (pendingInsertions + pendingUpdates + pendingDeletions).contains(where: \.hasCallbacks) else { return }
    defer { for object in pendingInsertions + pendingUpdates + pendingDeletions { object.watch = .off } }
    for _ in 0..<ManagedObjectContext.willSaveRounds {
      let objects = due()
      if objects.isEmpty { return }
      for object in pendingInsertions + pendingUpdates + pendingDeletions { object.watch = .on }
      for object in objects {
        called.insert(ObjectIdentifier(object))
        object.willSave()
      }
      try propagateDeletions()
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// Removes objects that no longer have anything to save from the pending lists.
  private func dropIdleEntries() {
    if pendingInsertions.contains(where: { !$0.isInserted }) {
      for object in pendingInsertions where !object.isInserted { object.detach(as: .deleted) }
      pendingInsertions.drop(&unreported.reportedInsertions) { !$0.isInserted }
    }
    dropUnchanged()
  }

  /// Removes objects that are no longer changed from the changed ones.
  func dropUnchanged() {
    guard pendingUpdates.contains(where: { !$0.isUpdated }) else { return }
    for object in pendingUpdates where !object.isUpdated { object.isListed = false }
    pendingUpdates.drop(&unreported.reportedUpdates) { !$0.isUpdated }
  }

  /// The pending changes as rows.
  ///
  /// Release the request before updating the objects: while it shares their snapshots, each change would copy one.
  private func saveChangesRequest(_ tracer: (any SaveTracer)?) -> SaveChangesRequest {
    func rows(_ objects: [ManagedObject]) -> [PendingRow] {
      objects.compactMap { object in
        object.row.map {
          PendingRow(
            layout: object.layout, objectID: object.objectID, snapshot: $0, changedSlots: object.changedSlots,
            changedToMany: object.links?.changed ?? SlotMask())
        }
      }
    }
    return SaveChangesRequest(
      insertions: pendingInsertions, temporaryIdentity: temporaryIdentity, updates: rows(pendingUpdates),
      deletions: rows(pendingDeletions), joins: hasRelationships ? joinChanges() : [], mergePolicy: mergePolicy,
      hasRelationships: hasRelationships, origin: origin, assignedStores: family.assignedStores,
      obtainedStores: obtainedStores, tracer: tracer)
  }
}
