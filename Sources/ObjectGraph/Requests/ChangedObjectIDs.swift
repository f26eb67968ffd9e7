// What a request past all contexts has changed, as history and batch results give it to be merged.

/// What changed in a store, by kind, for contexts that were not part of it.
public struct ChangedObjectIDs: Sendable, Hashable {
  public var inserted: [ManagedObjectID]
  public var updated: [ManagedObjectID]
  public var deleted: [ManagedObjectID]

  public init(
    inserted: [ManagedObjectID] = [], updated: [ManagedObjectID] = [], deleted: [ManagedObjectID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }
}
