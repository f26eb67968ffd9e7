// The to-many relationships of an object as its context knows them: the stored objects, and changes since then.
internal import CoreDataModel

/// The to-many relationships of one object, by their index in its entity.
///
/// It is created when the first of them is accessed, or on an invalid assignment.
final class ToManyLinks {
  var lists: [ToManyList]
  /// The object's first invalid assignment, reported when the object is saved.
  ///
  /// It is stored here because hardly any object has one, and a member of the object would cost each object memory.
  var invalidAssignment: InvalidAssignment?
  /// Values of a fault that a fetch of some properties has read; stored here for the same reason.
  var partial: PartialRow?

  init(count: Int) { lists = Array(repeating: ToManyList(), count: count) }

  var isChanged: Bool { lists.contains(where: \.isChanged) }

  /// The indexes of the changed relationships.
  var changed: SlotMask {
    var mask = SlotMask()
    for index in lists.indices where lists[index].isChanged { mask.insert(index) }
    return mask
  }
}

/// The objects of one to-many relationship.
struct ToManyList {
  /// The stored objects in the store's order; `nil` until they are read.
  var stored: [RelatedObject]?
  /// Objects added since then.
  var added = ObjectList()
  /// Objects removed since then.
  var removed: Set<ManagedObjectID> = []
  /// All objects in the order that was set; `nil` for the store's order, followed by added objects.
  var arrangement: [ManagedObject]?
  /// Positions that a save assigns to objects, by their IDs from before the save.
  var positions: [ManagedObjectID: Int32] = [:]

  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || arrangement != nil }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - object: An object that is not in the relationship.
  ///   - isSure: Whether the other end of a pair knows the stored content; this end's knowledge may be older.
  mutating func add(_ object: ManagedObject, isSure: Bool = true) {
    // While the stored objects are unknown, others may have stored an earlier removal, too.
    if removed.remove(object.objectID) != nil, stored?.contains(where: { $0.objectID == object.objectID }) == true {
      if isSure {
        arrangement?.append(object)
        return
      }
      forget()
    }
    added.append(object)
    arrangement?.append(object)
  }

  /// Removes an object; the counterpart of ``add(_:isSure:)``.
  mutating func remove(_ object: ManagedObject, isSure: Bool = true) {
    if !added.remove(object) || stored == nil || !isSure { removed.insert(object.objectID) }
    arrangement?.removeAll { $0 === object }
  }

  /// Undoes an addition that has no effect.
  mutating func cancelAddition(of object: ManagedObject) {
    added.remove(object)
    arrangement?.removeAll { $0 === object }
  }

  /// Undoes a removal that has no effect.
  mutating func cancelRemoval(of object: ManagedObject) {
    if removed.remove(object.objectID) != nil { arrangement?.append(object) }
  }

  /// Makes the objects be read again on their next use.
  ///
  /// Pending changes stay.
  mutating func forget() { stored = nil }

  /// Makes the objects be read again on their next use if some have IDs that their rows no longer have.
  mutating func forget(outdated isOutdated: (ManagedObjectID) -> Bool) {
    if stored?.contains(where: { isOutdated($0.objectID) }) == true { forget() }
    removed = removed.filter { !isOutdated($0) }
  }

  /// Removes objects without rows.
  ///
  /// - Returns: Whether the store had one of them in the relationship.
  mutating func forget(_ gone: Set<ManagedObjectID>) -> Bool {
    removed.subtract(gone)
    for object in added where gone.contains(object.objectID) { added.remove(object) }
    arrangement?.removeAll { gone.contains($0.objectID) }
    guard let stored, stored.contains(where: { gone.contains($0.objectID) }) else { return false }
    self.stored = stored.filter { !gone.contains($0.objectID) }
    return true
  }

  /// Adapts an order that was set to the present objects: removed objects are omitted, added ones come last.
  mutating func rearrange(_ members: [ManagedObject]) {
    guard let old = arrangement else { return }
    let present = Set(members)
    let kept = old.filter(present.contains)
    let known = Set(kept)
    arrangement = kept + members.filter { !known.contains($0) }
  }
}

/// An object of a stored to-many relationship.
struct RelatedObject: Sendable, Hashable {
  let objectID: ManagedObjectID
  /// Its position among the others if the relationship is ordered; otherwise 0.
  var order: Int32 = 0
}

/// Objects in insertion order, each once; every operation is O(1).
struct ObjectList: Sequence {
  private var objects: [ManagedObject?] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { positions.isEmpty }
  var count: Int { positions.count }

  func contains(_ object: ManagedObject) -> Bool { positions[ObjectIdentifier(object)] != nil }

  mutating func append(_ object: ManagedObject) {
    if contains(object) { return }
    positions[ObjectIdentifier(object)] = objects.count
    objects.append(object)
  }

  /// Removes an object; returns whether it was in the list.
  @discardableResult
  mutating func remove(_ object: ManagedObject) -> Bool {
    guard let position = positions.removeValue(forKey: ObjectIdentifier(object)) else { return false }
    objects[position] = nil
    if positions.isEmpty { objects = [] }
    return true
  }

  func makeIterator() -> AnyIterator<ManagedObject> {
    var iterator = objects.makeIterator()
    return AnyIterator {
      while let object = iterator.next() { if let object { return object } }
      return nil
    }
  }
}
