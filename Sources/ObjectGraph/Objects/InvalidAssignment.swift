// What could not be set on an object: kept until the property is set right, and tried again by the save where it may fit
// by then.
internal import CoreDataModel

/// A value that a property was given and could not take.
///
/// A subscript cannot throw, so the object keeps it until the same property is given a value it can take, or the object is
/// refreshed. Until then its save, or the batch insert it is the row of, reports it.
final class InvalidAssignment {
  /// What the save assigns to the property again, because it may fit now.
  enum Assignment {
    case value(AttributeValue, slot: Int)
    case object(ManagedObject?)
    case objects([ManagedObject])
  }

  let key: String
  let found: String
  let expected: String
  /// Nil for what the property can never take.
  let assignment: Assignment?
  /// The assignment to another property.
  fileprivate(set) var next: InvalidAssignment?

  init(key: String, found: String, expected: String, assignment: Assignment? = nil) {
    self.key = key
    self.found = found
    self.expected = expected
    self.assignment = assignment
  }
}

extension ManagedObject {
  /// The first of the properties that were given what they cannot take.
  final var invalidAssignment: InvalidAssignment? {
    get { links?.invalidAssignment }
    set { if let newValue { linksMade().invalidAssignment = newValue } else { links?.invalidAssignment = nil } }
  }

  /// The invalid assignment of each property, in the order they came.
  final var invalidAssignments: [InvalidAssignment] {
    var invalidAssignments: [InvalidAssignment] = []
    var next = invalidAssignment
    while let invalidAssignment = next {
      invalidAssignments.append(invalidAssignment)
      next = invalidAssignment.next
    }
    return invalidAssignments
  }

  /// Keeps what could not be set, which makes the object one to be saved.
  @inline(never)
  final func note(_ invalidAssignment: InvalidAssignment) {
    if state == .stored { beginChange() }
    keep(invalidAssignment)
  }

  /// Keeps a value that was set while the object's row could not be read.
  @inline(never)
  final func postpone(_ value: AttributeValue, slot: Int) {
    guard state == .stored else { return }
    keep(
      InvalidAssignment(
        key: layout.slots[slot].name, found: "a value that was set while the object's row could not be read",
        expected: "a store that can be read", assignment: .value(value, slot: slot)))
  }

  private final func keep(_ new: InvalidAssignment) {
    correct(new.key)
    context?.hasDefects = true
    guard var last = invalidAssignment else {
      invalidAssignment = new
      return
    }
    while let next = last.next { last = next }
    last.next = new
  }

  /// The property was given a valid value.
  @inline(never)
  final func correct(_ key: String) {
    while let first = invalidAssignment, first.key == key { invalidAssignment = first.next }
    var last = invalidAssignment
    while let node = last {
      if let next = node.next, next.key == key { node.next = next.next }
      last = node.next
    }
  }

  /// Takes the row of a fault, and the values that were set while it could not be read.
  final func fill(_ row: RowSnapshot) {
    self.row = row
    links?.partial = nil
    if invalidAssignment == nil { return }
    for invalidAssignment in invalidAssignments {
      if case .value(let value, let slot)? = invalidAssignment.assignment { write(value, slot: slot) }
    }
  }

  /// Sets what could not be set and may fit now.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when what is needed still cannot be read.
  final func settleDefects() throws(ObjectGraphError) {
    for invalidAssignment in invalidAssignments {
      do throws(ObjectGraphError) {
        switch invalidAssignment.assignment {
        case .object(let object): try setObject(object, forKey: invalidAssignment.key)
        case .objects(let objects): try setObjects(objects, forKey: invalidAssignment.key)
        case .value, nil: continue
        }
      } catch {
        if case .store = error { throw error }
        keep(
          InvalidAssignment(
            key: invalidAssignment.key, found: "\(error)", expected: invalidAssignment.expected,
            assignment: invalidAssignment.assignment))
      }
    }
  }
}
