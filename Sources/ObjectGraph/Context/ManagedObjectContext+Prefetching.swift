// Prefetching: reading the objects at the other ends of relationships with a fetch, many with one statement.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Reads along each path from the objects.
  ///
  /// A step costs one statement, and a to-one step one for each destination table.
  ///
  /// - Returns: The objects found on the way, to be held for as long as they are to stay read.
  /// - Throws: ``ObjectGraphError/unknownRelationship(entity:key:expected:)``, ``ObjectGraphError/store(_:during:)``.
  func prefetch(
    _ paths: [String], from objects: [ManagedObject], of layout: EntityLayout
  ) throws(ObjectGraphError) -> [ManagedObject] {
    var prefetched: [ManagedObject] = []
    for path in paths {
      var layout = layout
      var objects = objects
      for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
        guard let destination = destination(of: key, from: layout) else {
          throw .unknownRelationship(
            entity: layout.entity.name, key: key,
            expected: (layout.slots.compactMap { $0.toOne?.relationship.name }
              + layout.toManyRelationships.map(\.relationship.name)).sorted())
        }
        objects = try prefetch(key, from: objects)
        prefetched += objects
        layout = destination
      }
    }
    return prefetched
  }

  /// The destination of a relationship of an entity, or of one that inherits from it.
  private func destination(of key: String, from layout: EntityLayout) -> EntityLayout? {
    let layouts = persistentStoreCoordinator.compiledModel.layouts
    for member in layouts[layout.family] {
      if let slot = member.toOneSlot(named: key), let toOne = member.slots[slot].toOne {
        return layouts[toOne.destinationIndex]
      }
      if let index = member.toManyIndex(named: key) {
        return layouts[member.toManyRelationships[index].destinationIndex]
      }
    }
    return nil
  }

  /// Reads one step, and returns the objects it reaches, each once.
  private func prefetch(_ key: String, from objects: [ManagedObject]) throws(ObjectGraphError) -> [ManagedObject] {
    let members = try prefetchMembers(key, of: objects)
    var found = ObjectList()
    for object in objects where object.values != nil {
      if let slot = object.layout.toOneSlot(named: key) {
        if let destination = object.destination(slot) { found.append(destination) }
      } else if let index = object.layout.toManyIndex(named: key) {
        for member in try object.members(index) { found.append(member) }
      }
    }
    let destinations = Array(found)
    withExtendedLifetime(members) {}
    try fulfil(destinations)
    return destinations
  }

  /// Reads a to-many relationship of all objects at once, with the rows at its other end.
  ///
  /// - Returns: The objects of these rows, to be held until others hold them.
  private func prefetchMembers(
    _ key: String, of objects: [ManagedObject]
  ) throws(ObjectGraphError) -> [ManagedObject] {
    var members: [ManagedObject] = []
    var unread: [(object: ManagedObject, index: Int)] = []
    for object in objects {
      guard let index = object.layout.toManyIndex(named: key), object.state == .stored,
        object.links?.lists[index].stored == nil
      else { continue }
      unread.append((object, index))
    }
    while let first = unread.first {
      // Keys identify objects within one store.
      let store = first.object.objectID.store
      let batch = unread.filter { $0.object.objectID.store === store }
      unread.removeAll { $0.object.objectID.store === store }
      let read = ReadTime.now
      let related = try source.relatedRows(
        of: batch.map(\.object.objectID), first.object.layout.toManyRelationships[first.index])
      members += related.rows.map { self.object(for: $0, read: read) }
      for (object, index) in batch { object.take(related.objects[object.objectID.key] ?? [], index) }
    }
    return members
  }
}
