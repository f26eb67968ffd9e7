// Saving: callbacks and checks, one request to the store, then memory made to agree with what was stored.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Will-save callbacks that keep dirtying the context are stopped after this many rounds, as in Core Data.
  static let willSaveRounds = 1_000

  /// Writes all pending changes in one transaction.
  ///
  /// When it throws, nothing was stored and every change is still pending: correct what the error names and save again.
  /// With several stores, one may fail to commit after others have committed. Then their part is saved, and the rest is still
  /// pending.
  ///
  /// ```swift
  /// if context.hasChanges {
  ///   do { try context.save() } catch .validation(let failures) {
  ///     for failure in failures { print(failure.key, failure.found, failure.expected) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter tracer: Receives each stage; without one, stages cost nothing.
  /// - Throws: ``ObjectGraphError/validation(_:)`` naming every missing or wrong value,
  ///   ``ObjectGraphError/constraintConflict(_:)`` and ``ObjectGraphError/optimisticLocking(_:)`` where the merge policy
  ///   lets a conflict fail the save, ``ObjectGraphError/endlessWillSave(rounds:)``,
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
    // Will-save is also called on objects that are deleted because of an observer's deletion.
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
      // What conflicts changed in objects is not a later change that observers could wait for.
      if unreported.hasOutcomes { reportChanges() }
    } catch {
      if !isUndone { unchanged.giveBack(to: self) }
      throw error
    }
  }

  /// Notes the progress of the save, for calls that the application's code makes during it.
  func enter(_ stage: SaveStage, _ tracer: (any SaveTracer)?) {
    saveStage = stage
    tracer?.began(stage)
  }

  /// Refuses a call from inside a save of this context, which it would disturb.
  ///
  /// - Throws: ``ObjectGraphError/callDuringSave(_:at:)``.
  func refuseDuringSave(_ call: String) throws(ObjectGraphError) {
    if let saveStage { throw .callDuringSave(call, at: saveStage) }
  }

  /// Refuses a change by a merge policy's function, which is asked while objects are on their way to the store.
  ///
  /// - Throws: ``ObjectGraphError/callDuringSave(_:at:)``.
  func refuseInPolicy(_ call: String) throws(ObjectGraphError) {
    if isAskingPolicy { try refuseDuringSave(call) }
  }

  /// Whether a call that cannot throw, and would undo what a save is about to store, comes from inside one: the save then
  /// fails and says so.
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

  /// Reads changed objects that are faults, and sets what could not be set and may fit now.
  func settleDefects() throws(ObjectGraphError) {
    if hasRelationships || hasDefects, pendingUpdates.contains(where: { $0.row == nil && $0.isUpdated }) {
      try fulfil(pendingUpdates)
      for object in pendingUpdates where object.row == nil && object.isUpdated {
        // A row that is gone makes the object a deleted one, which has nothing to save.
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
      // What was stored is of no earlier generation.
      if generation !== self.generation, !isPartlyStored { move(to: generation) }
      throw error
    }
  }

  /// Sends the request, and sends it again after each round of conflicts that could be resolved.
  ///
  /// - Parameters:
  ///   - before: The pending changes as they were before the first conflict; nil while there is none.
  ///   - tracer: Receives each stage.
  /// - Returns: The outcome for each row, and when the request was last sent.
  /// - Throws: What the store throws, conflicts that make the save fail, and violations of the model's rules.
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
      // Perhaps nothing is left: the values that were set are stored already.
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
        // What a conflict is resolved with is what is stored now.
        moveToCurrentGeneration()
        forgetDeleted(stale)
        // One kind at a time: resolving changes the lists that positions count in. What is left comes up again.
        let conflicts = found(stale)
        if conflicts.isEmpty { try resolve(stale) } else { try resolve(conflicts, read: start) }
        try settleResolution()
      }
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// Applies the rules of the model to the objects that a policy changed.
  func settleResolution() throws(ObjectGraphError) {
    try settleChanges()
    try validate()
  }

  /// Applies delete rules, orders and derivations to what was changed since the save began.
  func settleChanges() throws(ObjectGraphError) {
    if hasRelationships { try prepareRelationships() } else { try propagateDeletions() }
    dropIdleEntries()
    if persistentStoreCoordinator.compiledModel.hasDerivations { try derive() }
  }

  /// Calls `willSave` on every pending object, and again on objects that are changed or inserted by these calls.
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

  /// Leaves out of the pending lists what no longer has anything to save.
  private func dropIdleEntries() {
    if pendingInsertions.contains(where: { !$0.isInserted }) {
      for object in pendingInsertions where !object.isInserted { object.detach(as: .deleted) }
      pendingInsertions.drop(&unreported.reportedInsertions) { !$0.isInserted }
    }
    dropUnchanged()
  }

  /// Leaves out of the changed objects those that are so no longer.
  func dropUnchanged() {
    guard pendingUpdates.contains(where: { !$0.isUpdated }) else { return }
    for object in pendingUpdates where !object.isUpdated { object.isListed = false }
    pendingUpdates.drop(&unreported.reportedUpdates) { !$0.isUpdated }
  }

  /// The pending changes as rows.
  ///
  /// The request must be gone before memory is brought up to date: while it shares the snapshots, each would have to
  /// be copied.
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
