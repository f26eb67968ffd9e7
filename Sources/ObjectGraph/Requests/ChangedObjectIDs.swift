// What a request past all contexts has changed, as history and batch results give it to be merged.

/// What changed in a store, by kind, for contexts that were not part of it.
///
/// ```swift
/// let changes = ChangedObjectIDs(updated: [quakeID])
/// try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
/// ```
public struct ChangedObjectIDs: Sendable, Hashable {
  /// New rows, which fetches find from then on.
  public var inserted: [ManagedObjectID]
  /// Rows with other values, which objects take in.
  public var updated: [ManagedObjectID]
  /// Rows that are gone.
  public var deleted: [ManagedObjectID]

  /// Changes that are known from elsewhere, such as a message of another process.
  ///
  /// ```swift
  /// let changes = ChangedObjectIDs(inserted: [quakeID])
  /// try context.mergeChanges(fromContextDidSave: changes)
  /// ```
  public init(
    inserted: [ManagedObjectID] = [], updated: [ManagedObjectID] = [], deleted: [ManagedObjectID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  func filter(_ isKept: (ManagedObjectID) -> Bool) -> ChangedObjectIDs {
    ChangedObjectIDs(
      inserted: inserted.filter(isKept), updated: updated.filter(isKept), deleted: deleted.filter(isKept))
  }
}
