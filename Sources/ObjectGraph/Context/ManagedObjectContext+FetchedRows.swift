// What becomes of rows after they were fetched: objects, when a result is looked at, or dictionaries.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The properties, expressions or groups that the request asks for.
  ///
  /// They show what is stored: unsaved changes do not count, as in Core Data. Where sort descriptors leave the order
  /// open, groups come in the order of what groups them, distinct dictionaries in the order of their values, others in
  /// the order of their rows' keys.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToGroupBy = ["region.name"]
  /// request.propertiesToFetch = ["region.name", .expression(ExpressionDescription("quakes", .count))]
  /// for row in try context.fetchDictionaries(request) { print(row["region.name"], row["quakes"]) }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for what cannot be asked together,
  ///   ``ObjectGraphError/predicate(_:)`` for a key or an expression that does not fit the entity,
  ///   ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func fetchDictionaries(
    _ request: FetchRequest<some ManagedObject>
  ) throws(ObjectGraphError) -> DictionaryResults {
    queue.check()
    let request = request.untyped
    if let parentSource {
      return try parentSource.ask { (parent) throws(ObjectGraphError) in try parent.fetchDictionaries(request) }
    }
    return try stored.dictionaries(request, try familyFetch(request))
  }

  /// The object that stands for a row that was read some time ago, as ``FetchResults`` knows it.
  func object(for row: StoredRow, since changes: FollowedChanges) -> ManagedObject {
    guard changes.contains(row.objectID) else { return object(for: row, read: changes.start) }
    // A fault reads what is stored by now.
    if let object = registered[row.objectID] { return object }
    if let object = changes.gone[row.objectID] { return object }
    do throws(ObjectGraphError) {
      if let found = try readRow(row.objectID, layout: row.layout) {
        return object(
          for: StoredRow(objectID: row.objectID, layout: row.layout, snapshot: found.row), read: found.read)
      }
      let object = missingObject(row.objectID, values: row.snapshot)
      changes.gone[row.objectID] = object
      return object
    } catch {
      // The fault says what is wrong when it is looked at.
      return objectOrFault(row.objectID)
    }
  }

  /// Gives rows of a fetch to the faults that stand for them, which then need no statement of their own.
  ///
  /// Objects that the context does not have yet stay unmade.
  func fillFaults(with rows: some Sequence<StoredRow>, since changes: FollowedChanges) {
    guard registered.mayHaveFaults else { return }
    for row in rows {
      guard let object = registered[row.objectID], object.isFault, !changes.contains(row.objectID) else { continue }
      _ = self.object(for: row, read: changes.start)
    }
  }

  /// An object for a row that is gone: a deleted one, in no context.
  func missingObject(_ objectID: ManagedObjectID, values: RowSnapshot? = nil) -> ManagedObject {
    let layout = persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)]
    return persistentStoreCoordinator.makeObject(
      ObjectSeed(objectID: objectID, layout: layout, row: values, state: .detached, context: self))
  }
}
