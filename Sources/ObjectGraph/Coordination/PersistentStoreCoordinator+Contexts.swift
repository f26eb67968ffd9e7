// What contexts share through their coordinator: the row cache, the classes of objects, and each other's saves.
internal import CoreDataModel

extension PersistentStoreCoordinator {
  /// Makes an object of the class its entity has.
  @inline(__always)
  func makeObject(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, row: RowSnapshot?, state: ManagedObject.State,
    owner: ContextQueue?
  ) -> ManagedObject {
    if classes.isEmpty {
      // The row on its own: from a seed it is copied by way of type information.
      let object = ManagedObject(
        ObjectSeed(objectID: objectID, layout: layout, row: nil, state: state, owner: owner))
      object.row = row
      return object
    }
    let seed = ObjectSeed(objectID: objectID, layout: layout, row: row, state: state, owner: owner)
    return (classes[layout.index] ?? ManagedObject.self).init(seed)
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
