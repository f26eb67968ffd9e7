// Relates objects like the rows of a source.
internal import CoreDataModel
internal import ObjectGraph
internal import BatchmarkEngine

extension RelatedRows {
  /// Whether a part of the pairs cannot be saved: the objects at an end are ordered, so that their owner gets all of
  /// them at once, or are required, or have a minimum count.
  var needsOneSave: Bool {
    [relationship, inverse].compactMap(\.self).contains {
      $0.isOrdered || !$0.isOptional || $0.isToMany && $0.minimumCount > 0
    }
  }

  /// Relates the objects of a pair.
  ///
  /// `lists` sets all objects of a to-many end at once, in order. If neither end is ordered and one is to-one, the
  /// to-one end is set object by object.
  func relate(
    _ object: ManagedObject, to destination: ManagedObject, by pair: Pair, _ lists: inout ObjectLists
  ) throws {
    if relationship.isToMany {
      lists.add(destination, at: pair.position, to: object, relationship.name)
    } else if inverse?.isOrdered != true {
      try object.setObject(destination, forKey: relationship.name)
    }
    if let inverse, inverse.isOrdered { lists.add(object, at: pair.inversePosition, to: destination, inverse.name) }
  }
}

/// The objects of to-many relationships, collected from the objects that refer to them.
struct ObjectLists {
  private struct Owner: Hashable {
    let object: ManagedObject
    let relationship: String
  }

  private var indexes: [Owner: Int] = [:]
  private var lists: [(owner: Owner, objects: [(object: ManagedObject, position: Int)])] = []

  mutating func add(_ object: ManagedObject, at position: Int, to owner: ManagedObject, _ relationship: String) {
    let owner = Owner(object: owner, relationship: relationship)
    if let index = indexes[owner] {
      lists[index].objects.append((object, position))
    } else {
      indexes[owner] = lists.count
      lists.append((owner, [(object, position)]))
    }
  }

  /// Sets every owner's objects, in the order of their positions.
  func set() throws {
    for (owner, objects) in lists {
      try owner.object.setObjects(
        objects.sorted { $0.position < $1.position }.map(\.object), forKey: owner.relationship)
    }
  }
}
