// Changes of a store outside a context, for merging: from history, a batch result or another process.

/// Changes of a store by kind, for contexts that did not make them.
///
/// ```swift
/// let changes = ChangedObjectIDs(updated: [quakeID])
/// try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
/// ```
public struct ChangedObjectIDs: Sendable, Hashable {
  /// New rows.
  public var inserted: [ManagedObjectID]
  /// Rows with changed values.
  ///
  /// Merging refreshes their objects.
  public var updated: [ManagedObjectID]
  /// Deleted rows.
  public var deleted: [ManagedObjectID]

  /// Creates changes from another source, such as a message from another process.
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

  func map(_ transform: (ManagedObjectID) -> ManagedObjectID) -> ChangedObjectIDs {
    ChangedObjectIDs(
      inserted: inserted.map(transform), updated: updated.map(transform), deleted: deleted.map(transform))
  }

  func filter(_ isKept: (ManagedObjectID) -> Bool) -> ChangedObjectIDs {
    ChangedObjectIDs(
      inserted: inserted.filter(isKept), updated: updated.filter(isKept), deleted: deleted.filter(isKept))
  }
}
