// Saving: callbacks and checks, one request to the store, then memory made to agree with what was stored.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Will-save callbacks that keep dirtying the context are stopped after this many rounds, as in Core Data.
  static let willSaveRounds = 1_000

  /// Writes all pending changes in one transaction.
  ///
  /// When it throws, nothing was stored and every change is still pending: correct what the error names and save again.
  /// Of several stores, one may be unable to commit when others have: then what those have stored is saved, and the rest
  /// is pending.
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
    // Will-save is also called on what is deleted because of an observer's deletion.
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
    } catch {
      if !isUndone { unchanged.giveBack(to: self) }
      throw error
    }
  }

  /// Notes how far the save is, for calls that an application's code makes meanwhile.
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

  /// Announces what is to be saved, with what deletions lead to.
  private func postWillSave() throws(ObjectGraphError) {
    try propagateDeletions()
    observers.post(
      ContextNotification(
        .willSave, inserted: insertedObjects.map(\.objectID), updated: updatedObjects.map(\.objectID),
        deleted: pendingDeletions.map(\.objectID)))
  }

  /// Reads changed objects that are faults, and sets what could not be set and may fit now.
  private func settleDefects() throws(ObjectGraphError) {
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

  /// Sends the request, again after each round of conflicts that could be resolved, and answers too when it was sent last.
  ///
  /// - Parameters:
  ///   - before: The pending changes as they were before the first conflict; nil while there is none.
  ///   - tracer: Receives each stage.
  /// - Returns: What became of the rows, and when the request was sent last.
  /// - Throws: What the store throws, conflicts that are to fail the save, and what the rules of the model forbid.
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
      // What is left may be nothing: what was set is what is stored.
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
        // What a conflict is resolved with is what is stored now.
        moveToCurrentGeneration()
        if before == nil { before = PendingChangesImage(of: self) }
        forgetDeleted(stale)
        // One kind at a time: resolving changes the lists that positions count in. What is left comes up again.
        let conflicts = found(stale)
        if conflicts.isEmpty { try resolve(stale) } else { try resolve(conflicts, read: start) }
        try settleResolution()
      }
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// Applies the rules of the model to what a policy made of the objects.
  func settleResolution() throws(ObjectGraphError) {
    try settleChanges()
    try validate()
  }

  /// Applies delete rules, orders and derivations to what was changed since the save began.
  private func settleChanges() throws(ObjectGraphError) {
    if hasRelationships { try prepareRelationships() } else { try propagateDeletions() }
    dropIdleEntries()
    if persistentStoreCoordinator.compiledModel.hasDerivations { try derive() }
  }

  /// Calls `willSave` on every pending object, and again on those that were changed or inserted meanwhile.
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

  /// Notifies observers, checks everything that is to be stored, and notifies them of what the checks set; again while
  /// observers change something then.
  ///
  /// - Throws: As ``validate()``, and ``ObjectGraphError/store(_:during:)`` when a relationship or a changed object cannot
  ///   be read.
  private func validateAndReport(_ tracer: (any SaveTracer)?) throws(ObjectGraphError) {
    var isSettled = !observersChangeMore()
    enter(.validation, tracer)
    for _ in 0..<ManagedObjectContext.willSaveRounds {
      if !isSettled {
        try settleDefects()
        try settleChanges()
      }
      try validate()
      isSettled = !observersChangeMore()
      if isSettled { return }
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// Notifies observers of what changed since the last time, and answers whether they changed what is to be saved.
  private func observersChangeMore() -> Bool {
    guard let news = takeUnreported() else { return false }
    let pending = pendingInsertions + pendingUpdates + pendingDeletions
    for object in pending { object.watch = .on }
    defer { for object in pending { object.watch = .off } }
    observers.post(news)
    return hasMorePending(than: pending.count) || isOtherwise(pending)
  }

  /// Whether more objects are pending, or deletions whose rules are to be applied.
  private func hasMorePending(than count: Int) -> Bool {
    !unpropagated.isEmpty || pendingInsertions.count + pendingUpdates.count + pendingDeletions.count != count
  }

  /// Whether objects that are watched were written, or new ones are to be saved no longer.
  private func isOtherwise(_ watched: [ManagedObject]) -> Bool {
    watched.contains { $0.watch == .written } || pendingInsertions.contains { !$0.isInserted }
  }

  /// Checks everything that is to be stored, again while the objects' own checks change something.
  ///
  /// One match with a pattern may take seconds before it is given up, so after a few of them no more are tried.
  ///
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every failure, ``ObjectGraphError/endlessWillSave(rounds:)``.
  private func validate() throws(ObjectGraphError) {
    matchesGivenUp = 0
    defer { matchesGivenUp = nil }
    for _ in 0..<ManagedObjectContext.willSaveRounds {
      let pending = pendingInsertions + pendingUpdates + pendingDeletions
      let mayChange = pending.contains(where: \.hasCallbacks)
      if mayChange { for object in pending { object.watch = .on } }
      defer { if mayChange { for object in pending { object.watch = .off } } }
      func isSettled() -> Bool { !hasMorePending(than: pending.count) && !(mayChange && isOtherwise(pending)) }
      let failures = validationFailures()
      if isSettled() {
        if !failures.isEmpty { throw .validation(failures) }
        if !mayChange { return }
        // A check may have had others read again: what is a fault has no row to store, and what is read may set something.
        try settleDefects()
        if isSettled() { return dropUnchanged() }
      }
      try settleChanges()
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// Every value that may not be stored.
  private func validationFailures() -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    for object in pendingInsertions where object.isInserted {
      object.validate({ try $0.validateForInsert() }, valuesToo: true, into: &failures)
    }
    for object in pendingUpdates where object.isUpdated {
      object.validate({ try $0.validateForUpdate() }, valuesToo: true, into: &failures)
    }
    for object in pendingDeletions {
      object.validate({ try $0.validateForDelete() }, valuesToo: false, into: &failures)
    }
    return failures
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

  /// Makes memory agree with what was stored since the start, and posts the notification.
  ///
  /// - Parameters:
  ///   - outcome: What became of the rows.
  ///   - start: Before they were written.
  ///   - before: The pending changes as they were before conflicts: what a policy deleted was given up.
  ///   - tracer: Receives each stage.
  private func finish(
    _ outcome: SaveOutcome, start: ReadTime, _ before: PendingChangesImage?, tracer: (any SaveTracer)?
  ) {
    let isObserved =
      observers.isObserved(.didSave) || !persistentStoreCoordinator.followers.isEmpty || !children.isEmpty
    var news = SaveChanges(isWanted: isObserved)
    var saved: [ManagedObject] = []
    leaveGeneration(after: outcome)
    enter(.permanentIDs, tracer)
    let linked = settleReferences(outcome)
    notifyFamily(outcome)
    adoptUpdates(outcome, start: start, saved: &saved)
    news.updated += isObserved ? saved.map(\.objectID) : []
    news.updated += noteStandIns(outcome.insertions, start: start)
    adopt(outcome.insertions, start: start, into: &news, saved: &saved)
    settleLinks(of: linked, after: outcome)
    enter(.rowCache, tracer)
    let cache = rowCache
    let meant = before?.deletedObjects
    for object in pendingDeletions {
      registered.remove(object.objectID, cache: cache)
      cache.remove(object.objectID)
      object.detach(as: meant?.contains(ObjectIdentifier(object)) == false ? .detached : .deleted)
      if object.hasCallbacks { saved.append(object) }
    }
    news.deleted = pendingDeletions.map(\.objectID)
    pendingDeletions = []
    storedChanges.append(news.deleted)
    unreported.forgetPending()
    enter(.didSaveCallbacks, tracer)
    for object in saved where object.hasCallbacks { object.didSave() }
    enter(.didSaveNotification, tracer)
    if isObserved {
      let notification = ContextNotification(
        .didSave, inserted: news.inserted, updated: news.updated, deleted: news.deleted,
        historyToken: outcome.historyToken)
      observers.post(notification)
      persistentStoreCoordinator.followers.merge(notification, from: self)
      children.merge(notification, from: self)
    }
  }

  /// Makes memory agree with what some of the stores have stored; the rest stays pending.
  private func finish(
    _ part: StoredPart, start: ReadTime, _ before: inout PendingChangesImage?, tracer: (any SaveTracer)?
  ) {
    let insertions = pendingInsertions.divide(part.insertions)
    let updates = pendingUpdates.divide(part.updates)
    let deletions = pendingDeletions.divide(part.deletions)
    let image = before
    before?.forget(insertions.taken + updates.taken + deletions.taken)
    (pendingInsertions, pendingUpdates, pendingDeletions) = (insertions.taken, updates.taken, deletions.taken)
    let awaited = childKeys.intersection(insertions.rest.map(\.objectID.key))
    unstored = UnstoredRest(
      insertions: insertions.rest, updates: updates.rest, deletions: deletions.rest,
      childKeys: awaited)
    finish(part.outcome, start: start, image, tracer: tracer)
    putBackUnstored()
  }

  /// Makes the rest of a save that some stores could not commit pending again, unless it is already.
  private func putBackUnstored() {
    guard let rest = unstored else { return }
    unstored = nil
    childKeys.formUnion(rest.childKeys)
    // Callbacks may have changed objects by now.
    pendingInsertions.insert(contentsOf: rest.insertions, at: 0)
    pendingUpdates.insert(contentsOf: rest.updates, at: 0)
    pendingDeletions.insert(contentsOf: rest.deletions, at: 0)
    unreported.reportedInsertions += rest.insertions.count
    unreported.reportedUpdates += rest.updates.count
    unreported.reportedDeletions += rest.deletions.count
    newObjects = nil
    hasObtainedIDs = pendingInsertions.contains { !$0.objectID.isTemporaryID }
  }

  /// Has a reset or rollback that comes from inside a save, whose rows are stored, end also what the save could not store.
  func prepareUndoing() {
    if saveStage == nil { return }
    isUndone = true
    putBackUnstored()
  }

  /// Gives new objects their permanent identity.
  ///
  /// One that nobody holds is released; one whose row went to a later object, or was given up, is detached.
  private func adopt(
    _ insertions: InsertionOutcomes, start: ReadTime, into news: inout SaveChanges, saved: inout [ManagedObject]
  ) {
    var objects = pendingInsertions
    family.forgetStores(of: objects)
    pendingInsertions = []
    newObjects = nil
    hasObtainedIDs = false
    guard insertions.store != nil else { return }
    let cache = rowCache
    // Rows that may have been of other entities before.
    var renewed: [ManagedObjectID] = []
    // From the end, so that each reference is gone before the next object is looked at: then "nobody else holds it"
    // is a question the reference count answers.
    for (index, key) in insertions.keys.enumerated().reversed() {
      guard var object = objects.popLast() else { return }
      if key == 0 {
        unreported.noteEnd(of: object)
        object.detach(as: .detached)
        continue
      }
      let isHeld = !isKnownUniquelyReferenced(&object)
      let isWrittenOver = insertions.versions[index] != nil
      guard isHeld || object.hasCallbacks || news.isWanted || isWrittenOver else { continue }
      guard let store = insertions.store(at: index) else { continue }
      let objectID = object.objectID.permanent(key, in: store)
      if news.isWanted { news.inserted.append(objectID) }
      if isWrittenOver { storedChanges.append(CollectionOfOne(objectID)) }
      if isWrittenOver && object.layout.sharesTable { renewed.append(objectID) }
      guard isHeld || object.hasCallbacks || isWrittenOver, var row = object.row else { continue }
      row.version = insertions.versions[index] ?? 1
      // A row that was written over may be in the context under an older object, maybe of another entity.
      let older = registered.object(ofRow: objectID)
      if let older, older.layout !== object.layout {
        older.detach(as: .detached)
        registered.remove(older.objectID, cache: cache)
      }
      if !isHeld && !object.hasCallbacks {
        cache.refresh(objectID, object.layout.stored(row), read: start)
        registered[objectID]?.become(objectID, row)
        continue
      }
      formerIDs.note(object.objectID.key, is: objectID)
      object.become(objectID, row)
      if let older, older !== object { older.detach(as: .detached) }
      cache.refresh(objectID, object.layout.stored(row), read: start)
      registered.insert(object, cache: cache, read: start)
      if object.hasCallbacks { saved.append(object) }
    }
    // Only now, because all that lead there are registered.
    repointReferences(to: renewed)
    news.inserted.reverse()
  }

  /// Rows that were stored before and are related with others than before, though nobody has changed them: those that
  /// stand for new objects, and those that new objects took a row from.
  private func noteStandIns(_ insertions: InsertionOutcomes, start: ReadTime) -> [ManagedObjectID] {
    let cache = rowCache
    // An older row is in conflict anyway.
    for (objectID, version) in insertions.raised {
      if var row = cache.lastRow(objectID), row.version == version - 1 {
        row.version = version
        cache.refresh(objectID, row, read: start)
      }
      if let object = registered[objectID], object.row?.version == version - 1 { object.row?.version = version }
    }
    var objectIDs: [ManagedObjectID] = []
    for (index, row) in insertions.standIns.sorted(by: { $0.key < $1.key }) {
      guard let store = insertions.store(at: index) else { continue }
      let objectID = ManagedObjectID(store: store, entityIndex: row.entityIndex, key: row.key)
      if !objectIDs.contains(objectID) { objectIDs.append(objectID) }
    }
    objectIDs += insertions.left.sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
    for objectID in objectIDs { registered[objectID]?.forgetStoredLinks() }
    if !insertions.left.isEmpty { storedChanges.append(insertions.left) }
    return objectIDs
  }

  private func adoptUpdates(_ outcome: SaveOutcome, start: ReadTime, saved: inout [ManagedObject]) {
    let cache = rowCache
    storedChanges.append(pendingUpdates.lazy.map(\.objectID))
    for (object, version) in zip(pendingUpdates, outcome.updates) {
      object.isListed = false
      guard var row = object.row else { continue }
      row.version = version
      object.become(object.objectID, row)
      // Another context may have stored a later one by now.
      cache.refresh(object.objectID, object.layout.stored(row), read: start)
      saved.append(object)
    }
    pendingUpdates = []
  }
}

extension [ManagedObject] {
  /// Takes out the objects at these positions, in the order of the positions.
  fileprivate func divide(_ places: [Int]) -> (taken: [ManagedObject], rest: [ManagedObject]) {
    let known = Set(places)
    return (places.map { self[$0] }, indices.filter { !known.contains($0) }.map { self[$0] })
  }
}

/// What a save could not store, kept while it ends for the stores that have committed.
struct UnstoredRest {
  let insertions: [ManagedObject]
  let updates: [ManagedObject]
  let deletions: [ManagedObject]
  /// The keys of new objects that others want to know the permanent IDs of.
  let childKeys: Set<Int64>
}

/// What a save's notification will say.
private struct SaveChanges {
  let isWanted: Bool
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []
}
