// What an object tells of itself: where it stands, and what changed since it was read or saved.
public import CoreDataModel

extension ManagedObject {
  /// The context the object lives in; nil once it is gone.
  public final var managedObjectContext: ManagedObjectContext? { state == .detached ? nil : context }

  public final var entity: EntityDescription { layout.entity }

  /// Whether the object was made in its context and not yet saved.
  public final var isInserted: Bool { state == .inserted }
  /// Whether a stored object has unsaved changes.
  public final var isUpdated: Bool { state == .stored && isChanged }
  /// Whether the object is to be, or has been, deleted.
  public final var isDeleted: Bool { state == .deletionPending || state == .detached }
  /// Whether saving would write the object.
  public final var hasChanges: Bool { isInserted || isUpdated || state == .deletionPending }
  /// Whether the object's values are still to be read.
  public final var isFault: Bool { row == nil }

  /// Whether something was set since the object was last read or saved.
  final var isChanged: Bool { !changedSlots.isEmpty || defect != nil || links?.isChanged == true }

  /// The values changed since the object was last read or saved, by attribute name; all set ones for a new object.
  public final func changedValues() -> [String: AttributeValue] {
    owner?.check()
    guard let row else { return [:] }
    var values: [String: AttributeValue] = [:]
    for slot in 0..<layout.slotCount where changedSlots.contains(slot) {
      values[layout.attributes[slot].name] = row[slot]
    }
    return values
  }

  /// The values as the object last read or saved them; unknown keys are left out.
  ///
  /// A new object has none.
  public final func committedValues(forKeys keys: [String]) -> [String: AttributeValue] {
    owner?.check()
    guard state != .inserted, let row = committed ?? values else { return [:] }
    var values: [String: AttributeValue] = [:]
    for key in keys { if let slot = layout.slot(named: key) { values[key] = row[slot] } }
    return values
  }

  /// The values, read first when the object is a fault; nil when its row is gone.
  @inline(__always)
  final var values: RowSnapshot? { row ?? fulfil() }

  /// Reads the values of a fault.
  @inline(never)
  private final func fulfil() -> RowSnapshot? {
    guard state == .stored || state == .deletionPending, let context else { return nil }
    row = context.row(forFault: self)
    if row != nil { awakeFromFetch() }
    return row
  }

  /// Drops the values, so that the next look reads them again.
  final func turnIntoFault() {
    row = nil
    committed = nil
    changedSlots = SlotMask()
    defect = nil
    forgetStoredLinks()
  }

  /// Has to-many relationships read again at the next look; what was changed in them stays.
  final func forgetStoredLinks() {
    guard let links, state != .inserted else { return }
    for index in links.lists.indices { links.lists[index].forget() }
  }

  /// Drops what was changed in to-many relationships.
  final func forgetLinkChanges() {
    guard let links else { return }
    for index in links.lists.indices {
      let stored = links.lists[index].stored
      links.lists[index] = ToManyList(stored: stored)
    }
  }

  /// Takes a row of the store as the object's own.
  final func become(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    self.objectID = objectID
    isReported = false
    state = .stored
    take(row)
  }

  /// Takes a row of the store as its values, without changes.
  final func take(_ row: RowSnapshot) {
    self.row = row
    committed = nil
    changedSlots = SlotMask()
    defect = nil
  }
}
