// Pins a context to a query generation: it reads what was stored then, whatever others store later.

extension ManagedObjectContext {
  /// The generation that the context is pinned to; `nil` if it is not pinned, and for a child, which reads its parent.
  ///
  /// ```swift
  /// let other = container.newBackgroundContext()
  /// let token = context.queryGenerationToken
  /// try await other.perform { try other.setQueryGeneration(from: token) }  // both see the same
  /// ```
  public var queryGenerationToken: QueryGenerationToken? {
    queue.check()
    return generation.map { QueryGenerationToken(generation: $0) }
  }

  /// Pins the context to a query generation, or unpins it so that it reads what is currently stored.
  ///
  /// With ``QueryGenerationToken/current``, the generation is what is stored when the context next reads; with the
  /// token of another context, it is that context's generation. Objects keep their values until they are refreshed, for
  /// example by ``refreshAllObjects()``. Objects that earlier results have not created yet are read when they are
  /// created. Fetches, counts and faults read from the generation, even in child contexts; history does not. A save of
  /// the context is checked against the current content of the store, and moves the context to a generation that
  /// includes the save. Batch requests do not move it, changes of others cannot be merged, and automatic merging skips
  /// the context.
  ///
  /// ```swift
  /// try context.setQueryGeneration(from: .current)
  /// let quakes = try context.fetch(FetchRequest(entityName: "Quake"))  // what is stored now, also in later fetches
  /// try context.setQueryGeneration(from: nil)
  /// ```
  ///
  /// - Parameter token: The generation; `nil` to read what is stored.
  /// - Throws: ``ObjectGraphError/queryGeneration(found:expected:)`` for a child context, for a token of another
  ///   coordinator, and for a store that is not in WAL mode; ``ObjectGraphError/noStore``,
  ///   ``ObjectGraphError/store(_:during:)``.
  public func setQueryGeneration(from token: QueryGenerationToken?) throws(ObjectGraphError) {
    queue.check()
    if parentSource != nil {
      throw .queryGeneration(
        found: "a child context", expected: "one that works on the coordinator; a child reads what its parent has")
    }
    guard let token else { return move(to: nil) }
    guard let known = token.generation else {
      let stores = persistentStoreCoordinator.openStores
      if stores.isEmpty { throw .noStore }
      for store in stores { try store.checkGenerations() }
      return move(to: QueryGeneration(persistentStoreCoordinator))
    }
    guard known.coordinator === persistentStoreCoordinator else {
      throw .queryGeneration(
        found: "the token of another coordinator's context", expected: "one of a context of the same coordinator")
    }
    move(to: known)
  }

  /// Makes a pinned context read what is stored now.
  ///
  /// Its next read pins it again, and its lists then show what others have stored.
  func moveToCurrentGeneration() {
    if generation == nil { return }
    move(to: QueryGeneration(persistentStoreCoordinator))
    unreported.refreshedAll = true
  }

  /// Makes a pinned context read what it has just saved.
  ///
  /// Other contexts must read the rows again, because the shared cache does not have them.
  func leaveGeneration(after outcome: SaveOutcome) {
    if generation == nil || (pendingInsertions.isEmpty && pendingUpdates.isEmpty && pendingDeletions.isEmpty) { return }
    let cache = persistentStoreCoordinator.rowCache
    for object in pendingUpdates + pendingDeletions { cache.remove(object.objectID) }
    for (index, object) in pendingInsertions.enumerated() where outcome.insertions.versions[index] != nil {
      guard let store = outcome.insertions.store(at: index) else { continue }
      cache.remove(object.objectID.permanent(outcome.insertions.keys[index], in: store))
    }
    moveToCurrentGeneration()
  }

  /// Refuses changes that do not belong to a pinned context's generation.
  ///
  /// - Throws: ``ObjectGraphError/queryGeneration(found:expected:)``.
  func checkMayMerge() throws(ObjectGraphError) {
    if generation == nil { return }
    throw .queryGeneration(
      found: "a merge into a context that is pinned to a generation",
      expected: "setQueryGeneration(from: .current) and refreshAllObjects() instead, or a context that is not pinned")
  }
}
