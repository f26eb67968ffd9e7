// Turns fetched rows into objects, when a result is used, or into dictionaries.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The properties, expressions or groups that the request selects.
  ///
  /// They show what is stored: unsaved changes do not count, as in Core Data. If the sort descriptors do not decide the
  /// order, groups are ordered by their grouping values, distinct dictionaries by their values, and others by their
  /// rows' keys.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake")
  /// request.propertiesToGroupBy = ["region.name"]
  /// request.propertiesToFetch = ["region.name", .expression(ExpressionDescription("quakes", .count))]
  /// for row in try context.fetchDictionaries(request) { print(row["region.name"], row["quakes"]) }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for an invalid combination of options,
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

  /// The object of a row that ``FetchResults`` read some time ago.
  func object(for row: StoredRow, since changes: FollowedChanges) -> ManagedObject {
    guard changes.contains(row.objectID) else { return object(for: row, read: changes.start) }
    // A fault reads what is stored now.
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
      // The fault reports the error when it is read.
      return objectOrFault(row.objectID)
    }
  }

  /// The object of a row in a result.
  ///
  /// If all rows of the result must be read again, it also reads the rows that follow.
  func object(
    at position: Int, of rows: StoredRows, since changes: FollowedChanges, _ partial: PartialFetch?
  ) -> ManagedObject {
    // The usual case: use the row's parts here instead of passing the row on, which would retain its contents once
    // more.
    if partial == nil, changes.isEmpty { return object(for: rows[position], read: changes.start) }
    let row = rows[position]
    if changes.concernsAll, registered[row.objectID] == nil,
      let (row, changes) = readAgain(position, rows, changes, partial)
    {
      return object(for: row, since: changes, partial?.properties)
    }
    guard let partial else { return object(for: row, since: changes) }
    return object(for: row, since: changes, partial.properties)
  }

  /// A row of a result as it is stored now, and the changes from then on; `nil` if it is gone or cannot be read.
  private func readAgain(
    _ position: Int, _ rows: StoredRows, _ changes: FollowedChanges, _ partial: PartialFetch?
  ) -> (StoredRow, FollowedChanges)? {
    var known = changes.again
    if known?.positions.contains(position) != true || known?.changes.concernsAll == true {
      let positions = position..<min(position + RowsReadAgain.size, rows.count)
      let since = storedChanges.follow()
      let objectIDs = positions.map { rows[$0].objectID }
      guard let found = try? partial?.rows(of: objectIDs, in: self) ?? source.rows(of: objectIDs) else { return nil }
      known = RowsReadAgain(positions: positions, rows: found, changes: since)
      changes.again = known
    }
    guard let known, let row = known.rows[position - known.positions.lowerBound], row.layout === rows[position].layout
    else { return nil }
    return (row, known.changes)
  }

  /// Fills the faults of a fetch's rows, which then need no statement of their own.
  ///
  /// It does not create objects that the context does not have yet.
  func fillFaults(with rows: some Sequence<StoredRow>, since changes: FollowedChanges) {
    guard registered.mayHaveFaults else { return }
    for row in rows {
      guard let object = registered[row.objectID], object.isFault, !changes.contains(row.objectID) else { continue }
      _ = self.object(for: row, read: changes.start)
    }
  }

  /// An object for a row that is gone: a deleted object that belongs to no context.
  func missingObject(_ objectID: ManagedObjectID, values: RowSnapshot? = nil) -> ManagedObject {
    let layout = persistentStoreCoordinator.compiledModel.layouts[Int(objectID.entityIndex)]
    return persistentStoreCoordinator.makeObject(objectID, layout, row: values, state: .detached, owner: queue)
  }
}

/// A section of a result's rows that was read again.
struct RowsReadAgain {
  static let size = 100

  let positions: Range<Int>
  let rows: PlacedRows
  /// The changes since then.
  let changes: FollowedChanges
}
