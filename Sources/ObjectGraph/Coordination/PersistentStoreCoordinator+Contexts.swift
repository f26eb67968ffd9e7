// What contexts share through their coordinator: the row cache, the classes of objects, and each other's saves.
internal import Synchronization

extension PersistentStoreCoordinator {
  /// Makes an object of the class its entity has.
  func makeObject(_ seed: ObjectSeed) -> ManagedObject {
    if classes.isEmpty { return ManagedObject(seed) }
    return (classes[seed.layout.index] ?? ManagedObject.self).init(seed)
  }

  /// Makes an object that stands for a row, without a seed where no class wants one.
  @inline(__always)
  func makeStoredObject(
    _ objectID: ManagedObjectID, _ layout: EntityLayout, row: RowSnapshot?, owner: ContextQueue
  ) -> ManagedObject {
    if classes.isEmpty { return ManagedObject(objectID, layout, row: row, state: .stored, owner: owner) }
    return makeObject(
      ObjectSeed(objectID: objectID, layout: layout, row: row, state: .stored, context: owner.context))
  }

  /// A context that wants to be told of saves.
  struct Follower {
    weak var context: ManagedObjectContext?
  }

  /// Whether any save has somebody to be told to.
  var hasFollowers: Bool { followers.withLock { !$0.isEmpty } }

  func isFollowed(by context: ManagedObjectContext) -> Bool {
    followers.withLock { $0.contains { $0.context === context } }
  }

  func follow(_ context: ManagedObjectContext, _ wanted: Bool) {
    followers.withLock { followers in
      followers.removeAll { $0.context == nil || $0.context === context }
      if wanted { followers.append(Follower(context: context)) }
    }
  }

  /// Has every other following context merge the save on its own queue.
  func tellFollowers(_ notification: ContextNotification, from saver: ManagedObjectContext) {
    for context in followers.withLock({ $0.compactMap(\.context) }) where context !== saver {
      // A row that cannot be read now will be read when its fault is filled.
      context.perform(later: { try? context.mergeChanges(fromContextDidSave: notification) })
    }
  }

  /// Reads again the cached rows that were changed past the cache.
  func refreshCache(_ changes: ChangedObjectIDs) throws(ObjectGraphError) {
    for objectID in changes.updated + changes.inserted where rowCache.row(objectID) != nil {
      if let row = try row(objectID, layout: compiledModel.layouts[Int(objectID.entityIndex)]) {
        rowCache.update(objectID, row)
      } else {
        rowCache.remove(objectID)
      }
    }
    for objectID in changes.deleted { rowCache.remove(objectID) }
  }
}
