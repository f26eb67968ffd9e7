// Writes a value into an object's slot, and records the change in the object and its context.
internal import CoreDataModel

extension ManagedObject {
  @inline(__always)
  func set(_ value: consuming AttributeValue, slot: Int) {
    owner?.check()
    let type = layout.types[slot]
    if layout.hasToOneSlots, layout.isToOne(slot) {
      note(
        InvalidAssignment(
          key: layout.slots[slot].name, found: "a value for a relationship", expected: "a value of an attribute"))
    } else if value.isOfKind(type) {
      write(value, slot: slot)
    } else if let conformed = value.conformed(to: type) {
      write(conformed, slot: slot)
    } else {
      note(InvalidAssignment(key: layout.attributes[slot].name, found: value.typeName, expected: type.expectation))
    }
  }

  @inline(__always)
  func write(_ value: consuming AttributeValue, slot: Int) {
    if state == .stored || state == .deletionPending {
      if isAwaking { return writeAwaking(value, slot: slot) }
      beginChange()
    }
    guard row != nil else { return postpone(value, slot: slot) }
    row?[slot] = value
    changedSlots.insert(slot)
    if invalidAssignment != nil { correct(layout.slots[slot].name) }
    if watch == .on { watch = .written }
    if reported == .changed { noteChangeAgain() }
  }

  /// Records a change after observers were notified of earlier ones.
  @inline(never)
  private func noteChangeAgain() {
    reported = .changedSince
    context?.unreported.changedAgain.append(self)
  }

  /// Call this before the first change of a stored object: it reads the values if necessary, keeps them as committed,
  /// and notifies the context.
  func beginChange() {
    // An awakening object may set primitive values.
    let read = committed == nil ? values : nil
    if committed == nil {
      committed = read
    } else if state == .stored, !isListed {
      countPrimitiveValues()
    }
    // The committed values may be left from a change without effect, after which the object was removed from the list.
    if state == .stored, !isListed { context?.noteChange(of: self) }
  }

  /// Primitive values that were set before the object had anything to save are saved with it.
  @inline(never)
  private func countPrimitiveValues() {
    for slot in layout.columnOrder where isOtherwise(slot) { changedSlots.insert(slot) }
  }

  /// Call this before a to-many relationship changes: the object counts as changed, and saving it increments its
  /// version.
  func beginRelationshipChange() {
    if state == .stored || state == .deletionPending { beginChange() }
    if watch == .on { watch = .written }
    if reported == .changed { noteChangeAgain() }
  }

  /// Sets a value without making it a change; does nothing if the object turned itself into a fault again.
  func writePrimitive(_ value: AttributeValue, slot: Int) {
    // Keep the stored values, which are needed if the attribute is changed later.
    if state == .stored, committed == nil, !layout.isTransient(slot) { committed = row }
    row?[slot] = value
    if invalidAssignment != nil { correct(layout.slots[slot].name) }
    // If the object will be saved anyway, the value is saved with it.
    if isChanged { changedSlots.insert(slot) }
  }

  /// Sets a value in `awakeFromFetch()`: it is not a change, but it is validated if a save stores it with others.
  @inline(never)
  private func writeAwaking(_ value: AttributeValue, slot: Int) {
    writePrimitive(value, slot: slot)
    // A rollback reads nothing, so the object will not awake again.
    if layout.isTransient(slot) { committed?[slot] = value }
    if isChanged, watch == .on { watch = .written }
  }
}
