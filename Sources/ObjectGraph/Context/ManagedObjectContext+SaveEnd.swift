// The end of a save: updates the objects to what is stored, and notifies observers.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Updates the objects to what was stored since the start, and posts the notification.
  ///
  /// - Parameters:
  ///   - outcome: The outcome for each row.
  ///   - start: A time before they were written.
  ///   - before: The pending changes before conflicts. Objects that a policy deleted are dropped.
  ///   - tracer: Receives each stage.
  func finish(
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
    // Observers have already seen the values that the context derived.
    unreported.refreshed += outcome.insertions.derived.keys.filter { registered[$0] != nil }
      .sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
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
    news.deleted += outcome.insertions.former.sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
    pendingDeletions = []
    lostRows = []
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

  /// Updates the objects to what some of the stores have stored; the rest stays pending.
  func finish(
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

  /// If some stores could not commit, makes the rest of a save pending again, unless it already is.
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

  /// Makes a reset or rollback during a save that has stored its rows also drop what the save could not store.
  func prepareUndoing() {
    if saveStage == nil { return }
    isUndone = true
    putBackUnstored()
  }

  /// Gives new objects their permanent identity.
  ///
  /// It releases objects that nothing holds. It detaches objects without a stored row, and objects with a row that
  /// belongs to a later object.
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
    // Rows that may have had other entities before.
    var renewed: [ManagedObjectID] = []
    // Go backwards, so that each reference is released before the next object is examined: the reference count then
    // shows whether anything else holds the object.
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
      insertions.setDerivedValues(in: &row, of: objectID, object.layout)
      // The context may have an older object, even of another entity, for a row that was overwritten.
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
    // Do this last, when all objects that refer to it are registered.
    repointReferences(to: renewed)
    news.inserted.reverse()
  }

  /// Older rows with relationships that changed although their objects did not: rows that replace new objects, rows
  /// that lost a related row to new objects, and rows with derived values that depend on either.
  private func noteStandIns(_ insertions: InsertionOutcomes, start: ReadTime) -> [ManagedObjectID] {
    let cache = rowCache
    for (objectID, row) in insertions.derived {
      cache.refresh(objectID, row, read: start)
      guard let object = registered[objectID], var own = object.row, own.version + 1 == row.version else { continue }
      own.version = row.version
      insertions.setDerivedValues(in: &own, of: objectID, object.layout)
      object.row = own
    }
    // An older row is in conflict anyway.
    for (objectID, version) in insertions.raised {
      if var row = cache.lastRow(objectID), row.version + 1 == version {
        row.version = version
        cache.refresh(objectID, row, read: start)
      }
      if let object = registered[objectID], object.row.map({ $0.version + 1 }) == version {
        object.row?.version = version
      }
    }
    var objectIDs: [ManagedObjectID] = []
    for (index, row) in insertions.standIns.sorted(by: { $0.key < $1.key }) {
      guard let store = insertions.store(at: index) else { continue }
      let objectID = ManagedObjectID(store: store, entityIndex: row.entityIndex, key: row.key)
      if !objectIDs.contains(objectID) { objectIDs.append(objectID) }
    }
    let known = Set(objectIDs)
    objectIDs += insertions.left.subtracting(known).sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
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
      outcome.insertions.setDerivedValues(in: &row, of: object.objectID, object.layout)
      object.become(object.objectID, row)
      // Another context may have stored a later version by now.
      cache.refresh(object.objectID, object.layout.stored(row), read: start)
      saved.append(object)
    }
    pendingUpdates = []
  }
}

extension [ManagedObject] {
  /// Removes the objects at these positions and returns them in the order of the positions.
  fileprivate func divide(_ places: [Int]) -> (taken: [ManagedObject], rest: [ManagedObject]) {
    let known = Set(places)
    return (places.map { self[$0] }, indices.filter { !known.contains($0) }.map { self[$0] })
  }
}

/// The part that a save could not store, kept while the save ends for the stores that have committed.
struct UnstoredRest {
  let insertions: [ManagedObject]
  let updates: [ManagedObject]
  let deletions: [ManagedObject]
  /// The keys of new objects for which others need the permanent IDs.
  let childKeys: Set<Int64>
}

/// The content of a save's notification.
private struct SaveChanges {
  let isWanted: Bool
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []
}
