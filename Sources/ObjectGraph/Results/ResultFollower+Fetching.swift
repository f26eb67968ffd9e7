// Fetches the rows of a result as a whole.
internal import CoreDataModel

extension ResultFollower {
  /// The present result of a fetch.
  struct Found {
    var contents = ResultContents()
    var rows: ResultRows
    var unsaved: [ResultKey: ManagedObject] = [:]
    /// A time before the first of the rows was read.
    let read: ReadTime
    /// The changes from then on.
    let written: FollowedChanges

    init(rows: ResultRows, read: ReadTime, written: FollowedChanges) {
      self.rows = rows
      self.read = read
      self.written = written
    }
  }

  /// Fetches; O(n), with one statement and those of prefetched relationships.
  func fetch() throws(ObjectGraphError) -> Found {
    let start = ReadTime.now
    let changes = context.storedChanges.follow()
    let rows = rows.emptied(stores: context.storeOrder)
    var found = Found(rows: rows, read: start, written: changes)
    do {
      if plan.mode == .byFetch, !plan.hasWholeRows, plan.sectionPath == nil {
        let keys = try context.fetchObjectIDs(plan.request).map { objectID in
          let key = found.rows.key(objectID)
          // A save gives it another ID, even a save of a parent that owns the object.
          if objectID.isTemporaryID { found.unsaved[key] = context.objectOrFault(objectID) }
          return key
        }
        found.contents.keys = BlockedList(keys)
        found.contents.sections = ResultSections(count: keys.count)
      } else {
        let objects = try context.find(plan.rowRequest)
        do {
          let isAsStored = !plan.request.includesPendingChanges || !hasUnsavedObjects
          try take(objects, into: &found, areNamesStored: isAsStored)
        } catch let disorder as SectionsOutOfOrder {
          if plan.namesSectionsByRow { throw disorder }
          // The section's values may be older in memory than in the store, which sorted the objects: sort them by their
          // values in memory.
          let known = try plan.request.sortDescriptors.sorted((0..<objects.count).map { objects[$0] })
          found = Found(rows: rows, read: start, written: changes)
          try take(
            FoundObjects(
              context: context, found: known.map(FoundObject.object), changes: changes, prefetched: objects.prefetched),
            into: &found, areNamesStored: false)
        }
      }
    } catch {
      throw self.error(error)
    }
    knownGeneration = context.family.generation
    context.expectOutcomes()
    return found
  }

  private func take(_ objects: FoundObjects, into found: inout Found, areNamesStored: Bool) throws {
    var keys: [ResultKey] = []
    var names: [String] = []
    for one in objects.contents {
      guard let row = one.row(isAsStored: !plan.request.includesPendingChanges) else { continue }
      let objectID = one.predicateObjectID
      let key = found.rows.key(objectID)
      keys.append(key)
      found.rows[key] = row
      if case .object(let object) = one, object.hasChanges { found.unsaved[key] = object }
      guard plan.sectionPath != nil else { continue }
      names.append(
        try plan.sectionName(objectID, found.rows.layout(key), row) {
          switch one {
          case .object(let object): areNamesStored ? StoredSubject(object: object) : object
          case .row(let row): StoredSubject(object: context.object(for: row, read: .now))
          }
        })
    }
    held = objects.prefetched
    found.contents.keys = BlockedList(keys)
    found.contents.sections =
      plan.sectionPath == nil ? ResultSections(count: keys.count) : try ResultSections.of(names)
  }

  /// Whether objects that may be in the result have unsaved changes, so that values in memory decided their order.
  private var hasUnsavedObjects: Bool {
    (context.pendingInsertions + context.pendingUpdates + context.pendingDeletions).contains {
      $0.hasChanges && plan.scope.isOfFamily($0.objectID)
    }
  }
}

/// An object as it is stored, with its related objects.
///
/// If nothing in a result is unsaved, the store decided the order, using the stored values of other objects as well.
private struct StoredSubject: PredicateSubject {
  let object: ManagedObject

  var predicateObjectID: ManagedObjectID { object.objectID }

  func predicateValue(forKey key: String) throws -> PredicateValue {
    if let committed = object.committed, let slot = object.layout.slot(named: key) {
      guard object.layout.isToOne(slot) else { return .attribute(committed[slot]) }
      let destination = committed[slot].reference.flatMap { object.context?.object($0, from: object) }
      return .object(destination.map { StoredSubject(object: $0) })
    }
    let value = try object.predicateValue(forKey: key)
    if case .object(let destination as ManagedObject) = value { return .object(StoredSubject(object: destination)) }
    return value
  }
}

extension FoundObject {
  /// The object's known values that are stored.
  ///
  /// - Parameter isAsStored: Whether to ignore unsaved values, because a fetch without them found the object.
  /// - Returns: The values; `nil` if the row is gone.
  fileprivate func row(isAsStored: Bool) -> RowSnapshot? {
    switch self {
    case .row(let row): row.snapshot
    case .object(let object):
      object.values.map { values in
        if isAsStored { return object.layout.stored(object.committed ?? values) }
        return object.hasChanges ? values : object.layout.stored(values)
      }
    }
  }
}
