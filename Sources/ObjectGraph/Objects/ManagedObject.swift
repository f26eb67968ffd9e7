// An object in a context: its identity, its values, and what became of it since it was read.

/// An object of the graph.
///
/// It belongs to its context and is used on that context's queue alone; what crosses queues is its ``objectID``.
open class ManagedObject {
  /// Where an object stands between memory and store.
  enum State: UInt8 {
    /// In a context, never saved.
    case inserted
    /// As the store last had it, plus changes.
    case stored
    /// To be deleted by the next save.
    case deletionPending
    /// Gone from the store, or given up by a save.
    case detached
    /// The one object a batch insert hands to its handler again and again.
    case scratch
  }

  public final internal(set) var objectID: ManagedObjectID
  final let layout: EntityLayout
  /// Shared with the row it was read from until it is changed.
  final var snapshot: RowSnapshot
  final var state: State
  /// Which values differ, or may differ, from the stored row; empty for a new object, whose values all count.
  final var changedSlots = SlotMask()
  /// The first value that could not be set, reported when the object is saved.
  final var defect: Defect?
  /// Whose queue the object may be used on; nil for the scratch object.
  final let owner: ContextQueue?
  final weak var context: ManagedObjectContext?

  init(
    objectID: ManagedObjectID, layout: EntityLayout, snapshot: RowSnapshot, state: State,
    context: ManagedObjectContext?
  ) {
    self.objectID = objectID
    self.layout = layout
    self.snapshot = snapshot
    self.state = state
    self.context = context
    owner = context?.queue
  }

  /// The context the object lives in; nil once it is gone.
  public final var managedObjectContext: ManagedObjectContext? { state == .detached ? nil : context }

  public final var entity: EntityDescription { layout.entity }

  /// Whether the object was made in its context and not yet saved.
  public final var isInserted: Bool { state == .inserted }
  /// Whether a stored object has unsaved changes.
  public final var isUpdated: Bool { state == .stored && !changedSlots.isEmpty }
  /// Whether the object is to be, or has been, deleted.
  public final var isDeleted: Bool { state == .deletionPending || state == .detached }
  /// Whether saving would write the object.
  public final var hasChanges: Bool { isInserted || isUpdated || state == .deletionPending }

  /// The values changed since the object was last read or saved, by attribute name; all set ones for a new object.
  public final func changedValues() -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for slot in 0..<layout.slotCount where changedSlots.contains(slot) {
      values[layout.attributes[slot].name] = snapshot[slot]
    }
    return values
  }
}

/// A value that could not be set.
///
/// A subscript cannot throw, so the object keeps the first one and its save, or the batch insert it is the row of,
/// reports it.
final class Defect {
  let key: String
  let found: String
  let expected: String

  init(key: String, found: String, expected: String) {
    self.key = key
    self.found = found
    self.expected = expected
  }
}
