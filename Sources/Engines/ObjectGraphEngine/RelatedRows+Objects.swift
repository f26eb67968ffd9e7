// Objects related as the rows of a source are.
internal import CoreDataModel
internal import ObjectGraph
internal import BatchmarkEngine

extension RelatedRows {
  /// Whether a part of the pairs cannot be saved: objects at an end have an order, in which all are given to their owner
  /// at once, or must lead somewhere, or to a minimum of others.
  var needsOneSave: Bool {
    [relationship, inverse].compactMap(\.self).contains {
      $0.isOrdered || !$0.isOptional || $0.isToMany && $0.minimumCount > 0
    }
  }

  /// Relates the objects of a pair.
  ///
  /// An end that has many objects is given all of them at once, in their order, by `lists`; where neither has an order
  /// and one is a to-one end, that is set object by object.
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

/// The objects of to-many relationships, gathered from the objects that refer to them.
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

  /// Gives every owner its objects, in the order of their positions.
  func set() throws {
    for (owner, objects) in lists {
      try owner.object.setObjects(
        objects.sorted { $0.position < $1.position }.map(\.object), forKey: owner.relationship)
    }
  }
}
