// What a context's save sends to the store, and what the store answers.

/// Everything a save writes, as rows; objects stay behind in their context.
struct SaveChangesRequest: Sendable {
  let insertions: [PendingRow]
  let updates: [PendingRow]
  let deletions: [PendingRow]
  let mergePolicy: MergePolicy
}

/// One row of a save.
struct PendingRow: Sendable {
  let layout: EntityLayout
  let objectID: ManagedObjectID
  let snapshot: RowSnapshot
  let changedSlots: SlotMask
}

/// What became of a save's rows, in the request's order.
struct SaveOutcome: Sendable {
  var insertions: [InsertionOutcome] = []
  /// The new version of each updated row.
  var updates: [Int64] = []
}

/// What became of a new row.
enum InsertionOutcome: Sendable {
  /// It is in the store under this identity: its own key, or that of the row it was written over.
  case stored(ManagedObjectID, version: Int64)
  /// The store's row stayed, or a later row of the same save took the place.
  case givenUp
}
