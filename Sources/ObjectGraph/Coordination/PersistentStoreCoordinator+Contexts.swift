// What contexts share through their coordinator: the row cache, the classes of objects, and each other's saves.
internal import CoreDataModel

extension PersistentStoreCoordinator {
  /// Makes an object of the class its entity has.
  @inline(__always)
  func makeObject(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, row: RowSnapshot?, state: ManagedObject.State,
    owner: ContextQueue?
  ) -> ManagedObject {
    let seed = ObjectSeed(objectID: objectID, layout: layout, row: row, state: state, owner: owner)
    if classes.isEmpty { return ManagedObject(seed) }
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
