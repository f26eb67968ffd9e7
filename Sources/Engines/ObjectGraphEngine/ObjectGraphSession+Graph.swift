// Rows of several entities as objects that are related before they are saved, all at once.
internal import ObjectGraph
internal import Scenarios
internal import Workloads

extension ObjectGraphSession {
  /// Makes an object of every row, relates them, and saves the context.
  func saveGraph(_ source: SourceRows) throws {
    stages?.began(.objectCreation)
    var objects: [[ManagedObject]] = []
    for table in source.tables {
      let rows = RowSource(table)
      var made: [ManagedObject] = []
      made.reserveCapacity(table.count)
      for row in 0..<table.count {
        let object = try context.insertNewObject(forEntityName: table.entityName)
        rows.fill(object, row: row)
        made.append(object)
      }
      objects.append(made)
    }
    stages?.began(.objectLinking)
    var lists = ObjectLists()
    for related in source.relationships { try relate(related, objects, &lists) }
    try lists.set()
    try save()
  }

  /// Relates the objects of one relationship's pairs.
  ///
  /// An end that has many objects is given all of them at once, in their order; where neither has an order and one is a
  /// to-one end, that is set object by object.
  private func relate(_ related: RelatedRows, _ objects: [[ManagedObject]], _ lists: inout ObjectLists) throws {
    let name = related.relationship.name
    for pair in related.pairs {
      let (object, destination) = (
        objects[related.table][pair.row], objects[pair.destinationTable][pair.destinationRow]
      )
      if related.relationship.isToMany {
        lists.add(destination, at: pair.position, to: object, name)
      } else if related.inverse?.isOrdered != true {
        try object.setObject(destination, forKey: name)
      }
      if let inverse = related.inverse, inverse.isOrdered {
        lists.add(object, at: pair.inversePosition, to: destination, inverse.name)
      }
    }
  }
}

/// The objects of to-many relationships, gathered from all that lead to them.
private struct ObjectLists {
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

  /// Gives every owner its objects, in the order of their places.
  func set() throws {
    for (owner, objects) in lists {
      try owner.object.setObjects(
        objects.sorted { $0.position < $1.position }.map(\.object), forKey: owner.relationship)
    }
  }
}
