// A parent context as its children see it: all of its objects, saved or not, count as stored.
internal import CoreDataModel

/// Reads a parent's objects for a child, on the parent's queue.
final class ParentContext: ObjectReader {
  let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Runs the body on the parent's queue.
  func ask<T: Sendable>(
    _ body: (ManagedObjectContext) throws(ObjectGraphError) -> T
  ) throws(ObjectGraphError) -> T {
    let context = context
    return try context.queue.sync { Result { () throws(ObjectGraphError) in try body(context) } }.get()
  }

  func rows(_ fetch: StoreFetch, shouldContinue: () -> Bool) throws(ObjectGraphError) -> StoredRows {
    try ask { (parent) throws(ObjectGraphError) in
      var rows = StoredRows()
      for found in try parent.foundForChild(FetchRequest(fetch)) {
        switch found {
        case .row(let row):
          rows.append(
            StoredRow(
              objectID: row.objectID, layout: row.layout,
              snapshot: parent.withoutDeletions(row.snapshot, row.layout, row.objectID)))
        case .object(let object):
          guard let values = parent.rowForChild(object) else { continue }
          rows.append(StoredRow(objectID: object.objectID, layout: object.layout, snapshot: values))
        }
        if !shouldContinue() { break }
      }
      return rows
    }
  }

  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int {
    var request = FetchRequest(fetch)
    request.fetchOffset = 0
    request.fetchLimit = 0
    let all = request
    return try ask { (parent) throws(ObjectGraphError) in try parent.count(for: all) }
  }

  func row(_ objectID: ManagedObjectID, layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot? {
    try ask { (parent) throws(ObjectGraphError) in
      try parent.livingObject(objectID).flatMap(parent.rowForChild)
    }
  }

  func rows(of objectIDs: [ManagedObjectID]) throws(ObjectGraphError) -> PlacedRows {
    try ask { (parent) throws(ObjectGraphError) in
      let objects = try objectIDs.map { (objectID) throws(ObjectGraphError) in try parent.livingObject(objectID) }
      try parent.fulfil(objects.compactMap(\.self))
      return PlacedRows(
        zip(objectIDs, objects).map { objectID, object in
          guard let object, let values = parent.rowForChild(object) else { return nil }
          return StoredRow(objectID: objectID, layout: object.layout, snapshot: values)
        })
    }
  }

  func relatedRows(of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout) throws(ObjectGraphError) -> RelatedRows {
    let objects = try relatedObjects(of: objectIDs, toMany)
    let members = Set(objects.values.joined().map(\.objectID))
    return RelatedRows(objects: objects, rows: try rows(of: Array(members)).compactMap(\.self))
  }

  func relatedObjects(
    of objectIDs: [ManagedObjectID], _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [Int64: [RelatedObject]] {
    try ask { (parent) throws(ObjectGraphError) in
      var related: [Int64: [RelatedObject]] = [:]
      for objectID in objectIDs {
        guard let object = try parent.livingObject(objectID),
          let index = object.layout.toManyIndex(named: toMany.relationship.name)
        else { continue }
        let members = try object.members(index).filter(\.isAlive)
        for member in members { parent.noteChildSees(member.objectID) }
        related[objectID.key] = members.enumerated().map { position, member in
          // The parent's order counts; it assigns positions when it is saved.
          RelatedObject(
            objectID: member.objectID,
            order: toMany.relationship.isOrdered ? Int32(clamping: position + 1) : 0)
        }
      }
      return related
    }
  }
}

extension ManagedObjectContext {
  /// The result of a fetch, with this context's own objects in place of their rows.
  ///
  /// A child sees them as they are here, whatever others have stored since they were read, and sorted by these values.
  fileprivate func foundForChild(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> [FoundObject] {
    let found = try find(request).contents
    if registered.isEmpty { return found }
    var isOlder = false
    let known = found.map { one in
      guard case .row(let row) = one, let object = registered[row.objectID], let values = object.values else {
        return one
      }
      if values.version != row.snapshot.version { isOlder = true }
      return .object(object)
    }
    // When sorting along relationships, the store's order counts.
    return isOlder && !request.sortsAlongRelationships ? try known.sorted(by: request.sortDescriptors) : known
  }

  /// The object's values as a child sees them: without references to objects that will be deleted here.
  fileprivate func rowForChild(_ object: ManagedObject) -> RowSnapshot? {
    guard let values = object.values else { return nil }
    noteChildSees(object)
    return withoutDeletions(values, object.layout, object.objectID)
  }

  /// The row without references to objects that will be deleted here.
  fileprivate func withoutDeletions(
    _ row: RowSnapshot, _ layout: EntityLayout, _ objectID: ManagedObjectID
  ) -> RowSnapshot {
    if pendingDeletions.isEmpty || !layout.hasToOneSlots { return row }
    var living = row
    for slot in layout.slots.indices {
      guard let reference = row[slot].reference, reference.key > 0, let store = storeIdentity(of: objectID),
        registered[ManagedObjectID(store: store, entityIndex: reference.entityIndex, key: reference.key)]?.state
          == .deletionPending
      else { continue }
      living[slot] = .null
    }
    return living
  }

  /// Records that a child knows the object and its to-one destinations.
  fileprivate func noteChildSees(_ object: ManagedObject) {
    noteChildSees(object.objectID)
    guard object.layout.hasToOneSlots, let row = object.row else { return }
    for slot in object.layout.slots.indices {
      if let reference = row[slot].reference, reference.key < 0 { childKeys.insert(reference.key) }
    }
  }

  /// Records a new object that a child knows by its temporary ID, so that the child learns the permanent ID.
  fileprivate func noteChildSees(_ objectID: ManagedObjectID) {
    if objectID.isTemporaryID { childKeys.insert(objectID.key) }
  }

  /// The object with the ID, as a fault if it was not read yet; `nil` if it does not exist or is about to be deleted.
  fileprivate func livingObject(_ objectID: ManagedObjectID) throws(ObjectGraphError) -> ManagedObject? {
    let objectID = settled(objectID)
    let object: ManagedObject
    if objectID.isTemporaryID, parent == nil {
      guard let known = knownObject(objectID) else { return nil }
      object = known
    } else {
      object = self.objectOrFault(objectID)
    }
    return object.isAlive ? object : nil
  }
}

extension FetchRequest where ResultType == ManagedObject {
  /// The request to the parent for a child's fetch.
  fileprivate init(_ fetch: StoreFetch) {
    self.init(
      entityName: fetch.layout.entity.name, predicate: fetch.predicate, sortDescriptors: fetch.sortDescriptors)
    fetchLimit = fetch.window.limit
    fetchOffset = fetch.window.offset
    includesSubentities = fetch.includesSubentities
    affectedStores = fetch.stores
  }
}
