// Invalid assignments to an object: kept until the property gets a valid value, and tried again by the save if they may
// be valid by then.
internal import CoreDataModel

/// A value that was assigned to a property but is invalid.
///
/// A subscript cannot throw, so the object keeps the value until the property gets a valid one or the object is
/// refreshed. Otherwise the save, or the batch insert that the object is a row of, reports it.
final class InvalidAssignment {
  /// The value that the save assigns again, because it may be valid by then.
  enum Assignment {
    case value(AttributeValue, slot: Int)
    case object(ManagedObject?)
    case objects([ManagedObject])
  }

  let key: String
  let found: String
  let expected: String
  /// `nil` for a value that can never be valid.
  let assignment: Assignment?
  /// The invalid assignment to another property.
  fileprivate(set) var next: InvalidAssignment?

  init(key: String, found: String, expected: String, assignment: Assignment? = nil) {
    self.key = key
    self.found = found
    self.expected = expected
    self.assignment = assignment
  }
}

extension ManagedObject {
  /// The first invalid assignment of the object.
  final var invalidAssignment: InvalidAssignment? {
    get { links?.invalidAssignment }
    set { if let newValue { linksMade().invalidAssignment = newValue } else { links?.invalidAssignment = nil } }
  }

  /// The invalid assignment of each property, in the order in which they were made.
  final var invalidAssignments: [InvalidAssignment] {
    var invalidAssignments: [InvalidAssignment] = []
    var next = invalidAssignment
    while let invalidAssignment = next {
      invalidAssignments.append(invalidAssignment)
      next = invalidAssignment.next
    }
    return invalidAssignments
  }

  /// Keeps an invalid assignment, so that the object takes part in the next save.
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

  /// Forgets the invalid assignment of a property that got a valid value.
  @inline(never)
  final func correct(_ key: String) {
    while let first = invalidAssignment, first.key == key { invalidAssignment = first.next }
    var last = invalidAssignment
    while let node = last {
      if let next = node.next, next.key == key { node.next = next.next }
      last = node.next
    }
  }

  /// Sets the row of a fault, with the values that were set while it could not be read.
  final func fill(_ row: RowSnapshot) {
    self.row = row
    links?.partial = nil
    if invalidAssignment == nil { return }
    for invalidAssignment in invalidAssignments {
      if case .value(let value, let slot)? = invalidAssignment.assignment { write(value, slot: slot) }
    }
  }

  /// Sets values that were invalid before but may be valid now.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if the necessary data still cannot be read.
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
