// A context's save request to the store, and the store's reply.
internal import CoreDataModel

/// Everything that a save writes, as rows; it stays on the thread of its context's queue.
struct SaveChangesRequest {
  /// The new objects themselves: a list of their rows would take several words for each of very many.
  let insertions: [ManagedObject]
  /// The identity in the temporary IDs of the new rows, in place of a store.
  let temporaryIdentity: StoreIdentity
  let updates: [PendingRow]
  let deletions: [PendingRow]
  /// Pairs of join tables.
  let joins: [JoinChange]
  let mergePolicy: MergePolicy

  /// Whether rows of the request may refer to each other.
  let hasRelationships: Bool
  let origin: RequestOrigin
  /// The stores that new objects were assigned to, by the keys of their temporary IDs.
  let assignedStores: [Int64: StoreIdentity]
  /// The stores of new rows that already have permanent IDs, by their index among the insertions.
  let obtainedStores: [Int: StoreIdentity]
  /// The save's tracer; `nil` for none.
  let tracer: (any SaveTracer)?
}

/// The data of a new object that a store reads.
extension ManagedObject {
  /// The row to store; a new object is never a fault.
  final var snapshot: RowSnapshot { row ?? layout.defaults }

  /// The key of its temporary ID; if positive, the key that it must be stored with.
  final var temporaryKey: Int64 { objectID.key }

  final var hasPermanentKey: Bool { temporaryKey > 0 }
}

/// A changed or deleted row of a save.
struct PendingRow: Sendable {
  let layout: EntityLayout
  let objectID: ManagedObjectID
  let snapshot: RowSnapshot
  let changedSlots: SlotMask
  /// Changed to-many relationships, by their index in the entity.
  let changedToMany: SlotMask
}

/// A store's reply to a save.
enum SaveReply: Sendable {
  case saved(SaveOutcome)
  /// Nothing was stored because of these rows.
  case conflicts([StaleRow])
  /// Some of several stores committed their part, and another could not.
  case partlySaved(StoredPart, because: ObjectGraphError)
}

/// The part of a save that some stores have stored, if another one could not commit.
struct StoredPart: Sendable {
  /// The indexes of the part's rows in the lists of the whole request, in the order of the outcome.
  var insertions: [Int] = []
  var updates: [Int] = []
  var deletions: [Int] = []
  var outcome = SaveOutcome()
}

/// The outcome for a save's rows, in the request's order.
struct SaveOutcome: Sendable {
  var insertions = InsertionOutcomes()
  /// The new version of each updated row.
  var updates: [Int64] = []
  /// The save's token in history.
  var historyToken: PersistentHistoryToken?
}

/// A row that differs in the database from what the save expected.
///
/// Indexes refer to the request's lists.
enum StaleRow: Sendable {
  /// A row of the save.
  enum Position: Sendable {
    case update(Int)
    case insertion(Int)
    case deletion(Int)
  }

  /// How to make both ends of a relationship consistent.
  enum Repair: Sendable {
    /// The other row must refer back again.
    case regain
    /// This row's reference must be cleared.
    case giveUp
    /// The other row, which is not this row's partner, must stop referring to it.
    case release
    /// This row is deleted, and its delete rule must decide about the other one.
    case applyRule
  }

  /// An update's row has another version, or is gone.
  case update(Int, persisted: RowSnapshot?)
  /// A deletion's row has another version, or is gone.
  case deletion(Int, persisted: RowSnapshot?)
  /// A to-one relationship refers to a row that was deleted.
  case missing(ManagedObjectID)
  /// A stored row has the unique values of an update.
  ///
  /// Reported only if all versions are right.
  case clash(Int, constraint: [Int], taken: ManagedObjectID)
  /// The ends of a one-to-one relationship, given by its slot, would be inconsistent, or a relationship would refer to
  /// a row of an unsuitable entity.
  ///
  /// Reported only if there is no other conflict.
  case partner(Position, slot: Int, other: ManagedObjectID, Repair)
  /// Other rows, as members of a to-many relationship, would still refer to a deleted one.
  ///
  /// Reported under the same condition as `partner`.
  case members(deletion: Int)
}

/// The outcome for the new rows.
struct InsertionOutcomes: Sendable {
  /// The present key of each row: its own, or that of the row that it overwrote.
  ///
  /// It is 0 for a row that was dropped because the store's row stayed, or because a later row of the same save
  /// replaced it.
  var keys = InsertionKeys(count: 0)
  /// The versions of rows that do not have version 1, by their index in the request.
  var versions: [Int: Int64] = [:]
  /// The stored rows that replace dropped new rows, by their index in the request.
  ///
  /// Only known if rows of the request refer to others.
  var standIns: [Int: ObjectReference] = [:]
  /// The versions of stored rows that replace new ones and are related to rows of the request.
  var raised: [ManagedObjectID: Int64] = [:]
  /// The stored rows with derived values that the store computed differently from the context.
  var derived: [ManagedObjectID: RowSnapshot] = [:]
  /// Stored rows that lost an overwritten row from a to-many relationship, rows with keys to it that were cleared, and
  /// rows outside the request with derived values that the save has changed.
  var left: Set<ManagedObjectID> = []
  /// The former IDs of overwritten rows that have another entity now: these IDs are no longer valid.
  var former: Set<ManagedObjectID> = []
  /// The store of the keys.
  var store: StoreIdentity?
  /// The stores of keys that belong to other stores, by their index in the request.
  var otherStores: [Int: StoreIdentity] = [:]

  @inline(__always)
  func store(at index: Int) -> StoreIdentity? {
    otherStores.isEmpty ? store : otherStores[index] ?? store
  }

  /// Sets the derived values that the store has computed for the object's row.
  func setDerivedValues(in row: inout RowSnapshot, of objectID: ManagedObjectID, _ layout: EntityLayout) {
    if derived.isEmpty { return }
    guard let stored = derived[objectID] else { return }
    for (slot, _) in layout.derivations where !layout.isTransient(slot) { row[slot] = stored[slot] }
  }
}

/// The author of a write request, as recorded in history.
struct RequestOrigin: Sendable, Hashable {
  var author: String?
  var contextName: String?
}

/// A pair of a many-to-many relationship that a save adds to its join table, removes from it, or moves.
struct JoinChange: Sendable {
  enum Kind: Sendable {
    case add(position: Int32?, inversePosition: Int32?)
    case remove
    case move(to: Int32)
  }

  /// The table from the perspective of the source's relationship.
  let ends: ToManyLayout.JoinEnds
  /// The keys of the two rows; negative for new ones.
  let source: Int64
  let destination: Int64
  let kind: Kind
  /// The store of the source; `nil` for a new row.
  let store: StoreIdentity?
}
