// Finds the objects of a result by keys and positions, and the positions of objects.
internal import CoreDataModel

extension ResultFollower {
  /// The object for a key, created if the context does not have it.
  func object(_ key: ResultKey) -> ManagedObject {
    var objectID = rows.objectID(key)
    if let object = unsaved[key] ?? context.knownObject(objectID) { return object }
    if objectID.isTemporaryID {
      let settled = context.settled(objectID)
      guard isSameEntity(settled, key) else { return context.missingObject(objectID, values: rows[key]) }
      objectID = settled
    }
    if objectID.isTemporaryID, context.parentSource == nil { return context.missingObject(objectID, values: rows[key]) }
    guard plan.hasWholeRows, let row = rows[key], !written.contains(objectID) else {
      return context.objectOrFault(objectID)
    }
    return context.object(for: StoredRow(objectID: objectID, layout: rows.layout(key), snapshot: row), read: read)
  }

  /// The object of a change.
  ///
  /// A deleted object has its last known values.
  func object(_ change: FetchedResultsChange) -> ManagedObject? {
    let objectID = change.objectID
    if case .delete = change {
      return context.knownObject(objectID) ?? context.missingObject(objectID, values: departed[objectID])
    }
    return rows.knownKey(objectID).map(object)
  }

  /// The object for a key that was at a rank; with a batch size, one statement reads the objects around it.
  func object(_ key: ResultKey, atRank rank: Int) -> ManagedObject {
    let object = object(key)
    let size = plan.request.fetchBatchSize
    guard object.isFault, size > 0, rank < contents.keys.count, contents.keys[rank] == key else { return object }
    let first = rank / size * size
    held = (first..<min(first + size, contents.keys.count)).map { self.object(contents.keys[$0]) }
    // Ignore failures: a fault reports the error on its use.
    try? context.fulfil(held)
    return object
  }

  /// The position of an object; `nil` if it is not in the result.
  ///
  /// O(log n); O(n) for the first call if changes fetch the result again.
  func rank(of objectID: ManagedObjectID) -> Int? {
    // The result knows an object by its temporary ID if it got its permanent ID since.
    let former =
      unsaved.first { $0.value.objectID == objectID }?.key ?? namedObjects().first { $0.objectID == objectID }?.key
    guard let key = former ?? rows.knownKey(objectID) else { return nil }
    if plan.mode == .byObject, let rank = rank(of: key) { return rank }
    if plan.mode == .byObject, rows[key] == nil { return nil }
    return allRanks()[key]
  }

  /// The ranks of all objects, computed once for each change of the result.
  func allRanks() -> [ResultKey: Int] {
    if let ranks { return ranks }
    var found: [ResultKey: Int] = [:]
    contents.keys.forEach { found[$0] = found.count }
    ranks = found
    return found
  }

  /// The keys under which the result has the ID's row as an object of another entity: a batch insert that overwrites
  /// the row reports only the new ID.
  func listedKeys(ofRow objectID: ManagedObjectID) -> [ResultKey] {
    rows.otherKeys(ofRow: objectID).filter { plan.mode == .byObject ? rows[$0] != nil : allRanks()[$0] != nil }
  }

  /// Objects of a child's parents that the result knows by temporary IDs, with the permanent IDs that they got since.
  ///
  /// O(objects with temporary IDs).
  func namedObjects() -> [(key: ResultKey, objectID: ManagedObjectID)] {
    if context.parentSource == nil { return [] }
    return rows.temporaryKeys(context.temporaryIdentity).compactMap { key in
      let known = rows.objectID(key)
      let now = context.settled(known)
      return now == known ? nil : (key, now)
    }
  }

  /// Whether the ID has the same entity as the result's object for the key.
  func isSameEntity(_ objectID: ManagedObjectID, _ key: ResultKey) -> Bool {
    Int(objectID.entityIndex) == rows.layout(key).index
  }
}
