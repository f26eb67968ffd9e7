// Saving: check every pending object, send one request to the store, then make memory agree with what was stored.

extension ManagedObjectContext {
  /// Writes all pending changes in one transaction.
  ///
  /// When it throws, nothing was stored and every change is still pending: mend what the error names and save again.
  /// - Throws: ``ObjectGraphError/validation(_:)`` naming every missing or wrong value,
  ///   ``ObjectGraphError/constraintConflict(_:)`` under the error policy,
  ///   ``ObjectGraphError/optimisticLocking(_:)``, ``ObjectGraphError/store(_:during:)``.
  public func save() throws(ObjectGraphError) {
    queue.check()
    guard hasChanges else { return }
    try validate()
    let outcome = try persistentStoreCoordinator.execute(saveChangesRequest())
    adopt(outcome.insertions)
    adopt(updates: outcome.updates)
    for object in pendingDeletions {
      registered.remove(object.objectID)
      object.state = .detached
    }
    pendingDeletions = []
  }

  /// The pending changes as rows.
  ///
  /// The request must be gone before memory is brought up to date: while it shares the snapshots, each would have to
  /// be copied.
  private func saveChangesRequest() -> SaveChangesRequest {
    SaveChangesRequest(
      insertions: pendingInsertions.map(\.pendingRow), updates: pendingUpdates.map(\.pendingRow),
      deletions: pendingDeletions.map(\.pendingRow), mergePolicy: mergePolicy)
  }

  /// Collects every value that may not be stored.
  private func validate() throws(ObjectGraphError) {
    var failures: [ValidationFailure] = []
    for object in pendingInsertions { object.validate(into: &failures) }
    for object in pendingUpdates { object.validate(into: &failures) }
    if !failures.isEmpty { throw .validation(failures) }
  }

  /// Gives new objects their permanent identity.
  ///
  /// One that nobody holds is simply let go; one whose row went to a later object, or was given up, is detached.
  private func adopt(_ insertions: [InsertionOutcome]) {
    var objects = pendingInsertions
    pendingInsertions = []
    // From the end, so that each reference is gone before the next object is looked at: then "nobody else holds it"
    // is a question the reference count answers.
    for outcome in insertions.reversed() {
      guard var object = objects.popLast() else { return }
      let isHeld = !isKnownUniquelyReferenced(&object)
      switch outcome {
      case .stored(let objectID, let version):
        guard isHeld else { continue }
        object.becomeStored(objectID, version: version)
        // A row that was updated on conflict may be in the context under an older object.
        if let older = registered[objectID] { older.state = .detached }
        registered.insert(object)
      case .givenUp:
        object.state = .detached
      }
    }
  }

  private func adopt(updates: [Int64]) {
    for (object, version) in zip(pendingUpdates, updates) {
      object.becomeStored(object.objectID, version: version)
      if registered[object.objectID] == nil { registered.insert(object) }
    }
    pendingUpdates = []
  }
}

extension ManagedObject {
  fileprivate var pendingRow: PendingRow {
    PendingRow(layout: layout, objectID: objectID, snapshot: snapshot, changedSlots: changedSlots)
  }

  fileprivate func validate(into failures: inout [ValidationFailure]) {
    if let defect {
      failures.append(
        ValidationFailure(
          code: .managedObject, objectID: objectID, key: defect.key, found: defect.found, expected: defect.expected))
    }
    for slot in layout.requiredSlots where snapshot[slot].isNull {
      failures.append(
        ValidationFailure(
          code: .missingMandatoryProperty, objectID: objectID, key: layout.attributes[slot].name, found: "no value",
          expected: "one, because it is required"))
    }
  }

  fileprivate func becomeStored(_ objectID: ManagedObjectID, version: Int64) {
    self.objectID = objectID
    snapshot.version = version
    state = .stored
    changedSlots = SlotMask()
  }
}
