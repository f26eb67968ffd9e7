// Writing a value into an object's slot, and what the object and its context note of that.
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

  /// A change after observers were notified of earlier ones.
  @inline(never)
  private func noteChangeAgain() {
    reported = .changedSince
    context?.unreported.changedAgain.append(self)
  }

  /// Before the first change of a stored object: its values are read if need be, kept as committed, and the context
  /// learns of it.
  func beginChange() {
    // An object that awakes may set primitive values.
    let read = committed == nil ? values : nil
    if committed == nil {
      committed = read
    } else if state == .stored, !isListed {
      countPrimitiveValues()
    }
    // Its values may be kept from a change that came to nothing, after which it was taken off the list.
    if state == .stored, !isListed { context?.noteChange(of: self) }
  }

  /// What was set as a primitive value before the object had something to save is saved with it.
  @inline(never)
  private func countPrimitiveValues() {
    for slot in layout.columnOrder where isOtherwise(slot) { changedSlots.insert(slot) }
  }

  /// Before a to-many relationship changes: the object counts as changed, and saving it raises its version.
  func beginRelationshipChange() {
    if state == .stored || state == .deletionPending { beginChange() }
    if watch == .on { watch = .written }
    if reported == .changed { noteChangeAgain() }
  }

  /// Sets a value that is not a change; nothing where the object had itself turned into a fault again.
  func writePrimitive(_ value: AttributeValue, slot: Int) {
    // What the store has is still known when the attribute is set for good.
    if state == .stored, committed == nil, !layout.isTransient(slot) { committed = row }
    row?[slot] = value
    if invalidAssignment != nil { correct(layout.slots[slot].name) }
    // An object that will be saved anyway is saved with it.
    if isChanged { changedSlots.insert(slot) }
  }

  /// Sets a value in `awakeFromFetch()`: no change, but checked where a save stores it with others.
  @inline(never)
  private func writeAwaking(_ value: AttributeValue, slot: Int) {
    writePrimitive(value, slot: slot)
    // A rollback reads nothing, so that the object does not awake again.
    if layout.isTransient(slot) { committed?[slot] = value }
    if isChanged, watch == .on { watch = .written }
  }
}
