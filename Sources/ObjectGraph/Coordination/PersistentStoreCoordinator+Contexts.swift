// What contexts share through their coordinator: the row cache, the classes of objects, and each other's saves.
internal import CoreDataModel

extension PersistentStoreCoordinator {
  /// Makes an object of the class its entity has.
  @inline(__always)
  func makeObject(_ seed: ObjectSeed) -> ManagedObject {
    if classes.isEmpty { return ManagedObject(seed) }
    return (classes[seed.layout.index] ?? ManagedObject.self).init(seed)
  }

  /// Makes an object that stands for a row.
  @inline(__always)
  func makeStoredObject(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, row: RowSnapshot?, owner: ContextQueue
  ) -> ManagedObject {
    if classes.isEmpty {
      // The row on its own: from a seed it is copied by way of type information.
      let object = ManagedObject(
        ObjectSeed(objectID: objectID, layout: layout, row: nil, state: .stored, owner: owner))
      object.row = row
      return object
    }
    return makeObject(ObjectSeed(objectID: objectID, layout: layout, row: row, state: .stored, owner: owner))
  }

  /// Reads again the cached rows that were changed past the cache.
  func refreshCache(_ changes: ChangedObjectIDs) throws(ObjectGraphError) {
    let changes = own(changes)
    for objectID in changes.updated + changes.inserted where rowCache.lastRow(objectID) != nil {
      let read = ReadTime.now
      if let row = try row(objectID, layout: compiledModel.layouts[Int(objectID.entityIndex)]) {
        rowCache.refresh(objectID, row, read: read)
      } else {
        rowCache.remove(objectID)
      }
    }
    for objectID in changes.deleted { rowCache.remove(objectID) }
  }
}
