// The checks of a save before it stores anything, repeated while observers or the objects' own checks change something.

extension ManagedObjectContext {
  /// Notifies observers, checks everything that will be stored, and notifies observers of changes by the checks.
  ///
  /// It repeats this while observers change something.
  ///
  /// - Throws: The same errors as ``validate()``, and ``ObjectGraphError/store(_:during:)`` if a relationship or a
  ///   changed object cannot be read.
  func validateAndReport(_ tracer: (any SaveTracer)?) throws(ObjectGraphError) {
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

  /// Notifies observers of what changed since the last time.
  ///
  /// Returns whether they changed what will be saved.
  func observersChangeMore() -> Bool {
    guard let news = takeUnreported() else { return false }
    let pending = pendingInsertions + pendingUpdates + pendingDeletions
    for object in pending { object.watch = .on }
    defer { for object in pending { object.watch = .off } }
    observers.post(news)
    return hasMorePending(than: pending.count) || isOtherwise(pending)
  }

  /// Whether more objects are pending, or there are deletions whose rules must be applied.
  private func hasMorePending(than count: Int) -> Bool {
    !unpropagated.isEmpty || pendingInsertions.count + pendingUpdates.count + pendingDeletions.count != count
  }

  /// Whether watched objects were changed, or new objects will no longer be saved.
  private func isOtherwise(_ watched: [ManagedObject]) -> Bool {
    watched.contains { $0.watch == .written } || pendingInsertions.contains { !$0.isInserted }
  }

  /// Checks everything that will be stored, and repeats this while the objects' own checks change something.
  ///
  /// Matching a pattern may take seconds before it is stopped, so after a few such matches no more are tried.
  ///
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every failure, ``ObjectGraphError/endlessWillSave(rounds:)``.
  func validate() throws(ObjectGraphError) {
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
        // A check may have refreshed other objects: faults have no row to store, and reading them may make a value
        // valid.
        try settleDefects()
        if isSettled() { return dropUnchanged() }
      }
      try settleChanges()
    }
    throw .endlessWillSave(rounds: ManagedObjectContext.willSaveRounds)
  }

  /// A failure for every value that may not be stored.
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
}
