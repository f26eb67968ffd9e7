// What a context's save sends to the store, and what the store answers.
internal import CoreDataModel

/// Everything a save writes, as rows; it stays on the thread of its context's queue.
struct SaveChangesRequest {
  /// The new objects themselves: a list of their rows would take words for each of very many.
  let insertions: [ManagedObject]
  /// What the temporary IDs of the new rows name instead of a store.
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
  /// The stores of new rows that have permanent IDs already, by their place among the insertions.
  let obtainedStores: [Int: StoreIdentity]
  /// The save's tracer; nil for none.
  let tracer: (any SaveTracer)?
}

/// What a store reads of a new object.
extension ManagedObject {
  /// The row to store; a new object is not a fault.
  final var snapshot: RowSnapshot { row ?? layout.defaults }

  /// The key of its temporary ID; above 0, the key that it must be stored under.
  final var temporaryKey: Int64 { objectID.key }

  final var hasPermanentKey: Bool { temporaryKey > 0 }
}

/// A changed or deleted row of a save.
struct PendingRow: Sendable {
  let layout: EntityLayout
  let objectID: ManagedObjectID
  let snapshot: RowSnapshot
  let changedSlots: SlotMask
  /// To-many relationships that were changed, by their place among the entity's.
  let changedToMany: SlotMask
}

/// A store's answer to a save.
enum SaveReply: Sendable {
  case saved(SaveOutcome)
  /// Nothing was stored, because of these rows.
  case conflicts([StaleRow])
  /// Some of several stores committed their part, and another could not.
  case partlySaved(StoredPart, because: ObjectGraphError)
}

/// What some of several stores have stored of a save, when another could not commit.
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
  /// What names the save in history.
  var historyToken: PersistentHistoryToken?
}

/// A row whose state in the database differs from what the save expected.
///
/// Indexes refer to the request's lists.
enum StaleRow: Sendable {
  /// A row of the save.
  enum Position: Sendable {
    case update(Int)
    case insertion(Int)
    case deletion(Int)
  }

  /// What makes both ends of a relationship agree.
  enum Repair: Sendable {
    /// The other row refers back again.
    case regain
    /// This row's reference is emptied.
    case giveUp
    /// The other row, which is not this row's partner, no longer refers to it.
    case release
    /// This row is deleted, and its delete rule decides about the other one.
    case applyRule
  }

  /// An update's row has another version, or is gone.
  case update(Int, persisted: RowSnapshot?)
  /// A deletion's row has another version, or is gone.
  case deletion(Int, persisted: RowSnapshot?)
  /// A to-one relationship refers to a row that was deleted.
  case missing(ManagedObjectID)
  /// The unique values of an update are those of a stored row.
  ///
  /// Reported only when all versions are right.
  case clash(Int, constraint: [Int], taken: ManagedObjectID)
  /// The ends of a one-to-one relationship, by its slot, would not agree, or a relationship would refer to a row of an entity
  /// that it does not allow.
  ///
  /// Reported only if there is no other conflict.
  case partner(Position, slot: Int, other: ManagedObjectID, Repair)
  /// Other rows, as members of a to-many relationship, would still refer to a deleted one.
  ///
  /// Reported as `partner` is.
  case members(deletion: Int)
}

/// The outcome for the new rows.
struct InsertionOutcomes: Sendable {
  /// The key that each row has now: its own, or that of the row that it overwrote; 0 for a row that was dropped because the
  /// store's row stayed, or because a later row of the same save replaced it.
  var keys = InsertionKeys(count: 0)
  /// The versions of rows that are not of version 1, by their place in the request.
  var versions: [Int: Int64] = [:]
  /// The stored rows that replace dropped new rows, by their index in the request.
  ///
  /// Known if rows of the request refer to others.
  var standIns: [Int: ObjectReference] = [:]
  /// The versions of stored rows that replace new ones and are related with rows of the request.
  var raised: [ManagedObjectID: Int64] = [:]
  /// The stored rows whose derived values the store computed differently from the context.
  var derived: [ManagedObjectID: RowSnapshot] = [:]
  /// Stored rows that know an overwritten row in a to-many relationship no longer, whose keys to it were emptied, or whose
  /// derived values the save has changed without being asked for the row.
  var left: Set<ManagedObjectID> = []
  /// What overwritten rows were called that are of another entity now: these IDs name nothing any more.
  var former: Set<ManagedObjectID> = []
  /// The store the keys belong to.
  var store: StoreIdentity?
  /// The stores of the keys that belong to others, by their place in the request.
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

/// Who asks a store to write, as history names it.
struct RequestOrigin: Sendable, Hashable {
  var author: String?
  var contextName: String?
}

/// A pair of a many-to-many relationship that a save puts into its join table, takes out of it, or moves.
struct JoinChange: Sendable {
  enum Kind: Sendable {
    case add(position: Int32?, inversePosition: Int32?)
    case remove
    case move(to: Int32)
  }

  /// The table as the source's relationship sees it.
  let ends: ToManyLayout.JoinEnds
  /// Keys of the two rows; negative for new ones.
  let source: Int64
  let destination: Int64
  let kind: Kind
  /// The store of the source; nil for a new one.
  let store: StoreIdentity?
}
