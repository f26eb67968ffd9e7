// The to-many relationships of an object as its context knows them: what the store has, and what was changed since.
internal import CoreDataModel

/// The to-many relationships of one object, by their place among those of its entity.
///
/// Made when the first of them is read or changed, or something could not be set.
final class ToManyLinks {
  var lists: [ToManyList]
  /// The first of the properties that were given what they cannot take, reported when the object is saved.
  ///
  /// It is here and no member of the object, since hardly any object has one and each would pay for it.
  var invalidAssignment: InvalidAssignment?
  /// What a fetch of single properties has read of a fault; here for the same reason.
  var partial: PartialRow?

  init(count: Int) { lists = Array(repeating: ToManyList(), count: count) }

  var isChanged: Bool { lists.contains(where: \.isChanged) }

  /// The places of the relationships that were changed.
  var changed: SlotMask {
    var mask = SlotMask()
    for index in lists.indices where lists[index].isChanged { mask.insert(index) }
    return mask
  }
}

/// The objects of one to-many relationship.
struct ToManyList {
  /// The objects in the store, in its order; nil until they are read.
  var stored: [RelatedObject]?
  /// Objects put in since then.
  var added = ObjectList()
  /// Objects taken out since then.
  var removed: Set<ManagedObjectID> = []
  /// All objects in the order that was set; nil while the order is the store's, followed by added objects.
  var arrangement: [ManagedObject]?
  /// Places that a save gives to objects, by ID as it is before the save.
  var positions: [ManagedObjectID: Int32] = [:]

  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || arrangement != nil }

  /// Puts an object in.
  ///
  /// - Parameters:
  ///   - object: One that is not in it.
  ///   - isSure: Whether the other end of a pair knows what the store has; what this end knows may be older.
  mutating func add(_ object: ManagedObject, isSure: Bool = true) {
    // While the store's objects are unknown, an earlier removal may be one that others have stored too.
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

  /// Takes an object out, as ``add(_:isSure:)`` puts it in.
  mutating func remove(_ object: ManagedObject, isSure: Bool = true) {
    if !added.remove(object) || stored == nil || !isSure { removed.insert(object.objectID) }
    arrangement?.removeAll { $0 === object }
  }

  /// Takes back an addition that came to nothing.
  mutating func cancelAddition(of object: ManagedObject) {
    added.remove(object)
    arrangement?.removeAll { $0 === object }
  }

  /// Takes back a removal that came to nothing.
  mutating func cancelRemoval(of object: ManagedObject) {
    if removed.remove(object.objectID) != nil { arrangement?.append(object) }
  }

  /// Makes the objects be read again when they are next used.
  ///
  /// Pending changes stay.
  mutating func forget() { stored = nil }

  /// Makes the objects be read again if some have IDs that their rows no longer have.
  mutating func forget(outdated isOutdated: (ManagedObjectID) -> Bool) {
    if stored?.contains(where: { isOutdated($0.objectID) }) == true { forget() }
    removed = removed.filter { !isOutdated($0) }
  }

  /// Drops objects whose rows are gone.
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

  /// Adapts an order that was set to the current objects: removed objects are left out, added ones come last.
  mutating func rearrange(_ members: [ManagedObject]) {
    guard let old = arrangement else { return }
    let present = Set(members)
    let kept = old.filter(present.contains)
    let known = Set(kept)
    arrangement = kept + members.filter { !known.contains($0) }
  }
}

/// An object of a to-many relationship in the store.
struct RelatedObject: Sendable, Hashable {
  let objectID: ManagedObjectID
  /// Its place among the others, where the relationship is ordered; else 0.
  var order: Int32 = 0
}

/// Objects in the order they came, each once; every operation is O(1).
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

  /// Whether the relationship had the object.
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
