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

/// What a store answers to a save.
enum SaveReply: Sendable {
  case saved(SaveOutcome)
  /// Nothing was stored, because of these rows.
  case conflicts([StaleRow])
}

/// What became of a save's rows, in the request's order.
struct SaveOutcome: Sendable {
  var insertions: [InsertionOutcome] = []
  /// The new version of each updated row.
  var updates: [Int64] = []
  /// Stored rows that had an updated row's unique values and made way for it.
  var replaced: [ManagedObjectID] = []
}

/// A row of a save that the database has otherwise than the save thought; its index counts in the request's list.
enum StaleRow: Sendable {
  /// An update's row has another version, or is gone.
  case update(Int, persisted: RowSnapshot?)
  /// A deletion's row has another version, or is gone.
  case deletion(Int, persisted: RowSnapshot?)
  /// An update's unique values are taken, and the policy lets the stored row stay. Reported only when there are no
  /// other conflicts.
  case clash(Int, constraint: [Int])
}

/// What became of a new row.
enum InsertionOutcome: Sendable {
  /// It is in the store under this identity: its own key, or that of the row it was written over.
  case stored(ManagedObjectID, version: Int64)
  /// The store's row stayed, or a later row of the same save took the place.
  case givenUp
}
