// What could not be set on an object: kept until the property is set right, and tried again by the save where it may fit
// by then.
internal import CoreDataModel

/// A value that a property was given and could not take.
///
/// A subscript cannot throw, so the object keeps it until the same property is given a value it can take, or the object is
/// refreshed. Until then its save, or the batch insert it is the row of, reports it.
final class Defect {
  /// What the save gives to the property again, because it may fit by then.
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
  /// That of another property.
  fileprivate(set) var next: Defect?

  init(key: String, found: String, expected: String, assignment: Assignment? = nil) {
    self.key = key
    self.found = found
    self.expected = expected
    self.assignment = assignment
  }
}

extension ManagedObject {
  /// The first of the properties that were given what they cannot take.
  final var defect: Defect? {
    get { links?.defect }
    set { if let newValue { linksMade().defect = newValue } else { links?.defect = nil } }
  }

  /// Every property's defect, in the order they came.
  final var defects: [Defect] {
    var defects: [Defect] = []
    var next = defect
    while let defect = next {
      defects.append(defect)
      next = defect.next
    }
    return defects
  }

  /// Keeps what could not be set, which makes the object one to be saved.
  @inline(never)
  final func note(_ defect: Defect) {
    if state == .stored { beginChange() }
    keep(defect)
  }

  /// Keeps a value that was set while the object's row could not be read.
  @inline(never)
  final func postpone(_ value: AttributeValue, slot: Int) {
    guard state == .stored else { return }
    keep(
      Defect(
        key: layout.slots[slot].name, found: "a value that was set while the object's row could not be read",
        expected: "a store that can be read", assignment: .value(value, slot: slot)))
  }

  private final func keep(_ new: Defect) {
    correct(new.key)
    context?.hasDefects = true
    guard var last = defect else {
      defect = new
      return
    }
    while let next = last.next { last = next }
    last.next = new
  }

  /// The property was given what it can take.
  @inline(never)
  final func correct(_ key: String) {
    while let first = defect, first.key == key { defect = first.next }
    var last = defect
    while let node = last {
      if let next = node.next, next.key == key { node.next = next.next }
      last = node.next
    }
  }

  /// Takes the row of a fault, and the values that were set while it could not be read.
  final func fill(_ row: RowSnapshot) {
    self.row = row
    links?.partial = nil
    if defect == nil { return }
    for defect in defects {
      if case .value(let value, let slot)? = defect.assignment { write(value, slot: slot) }
    }
  }

  /// Sets what could not be set and may fit now.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when what is needed still cannot be read.
  final func settleDefects() throws(ObjectGraphError) {
    for defect in defects {
      do throws(ObjectGraphError) {
        switch defect.assignment {
        case .object(let object): try setObject(object, forKey: defect.key)
        case .objects(let objects): try setObjects(objects, forKey: defect.key)
        case .value, nil: continue
        }
      } catch {
        if case .store = error { throw error }
        keep(
          Defect(key: defect.key, found: "\(error)", expected: defect.expected, assignment: defect.assignment))
      }
    }
  }
}
