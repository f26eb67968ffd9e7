// Prefetching: reading the objects at the other ends of relationships with a fetch, many with one statement.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Reads along each path from the objects.
  ///
  /// A to-one step costs one statement for each destination table, a to-many step one more for the keys.
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
    try prefetchMembers(key, of: objects)
    var found = ObjectList()
    for object in objects where object.values != nil {
      if let slot = object.layout.toOneSlot(named: key) {
        if let destination = object.destination(slot) { found.append(destination) }
      } else if let index = object.layout.toManyIndex(named: key) {
        for member in try object.members(index) { found.append(member) }
      }
    }
    let destinations = Array(found)
    try fulfil(destinations)
    return destinations
  }

  /// Reads the keys of a to-many relationship of all objects at once.
  private func prefetchMembers(_ key: String, of objects: [ManagedObject]) throws(ObjectGraphError) {
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
      let related = try source.relatedObjects(
        of: batch.map(\.object.objectID), first.object.layout.toManyRelationships[first.index])
      for (object, index) in batch { object.take(related[object.objectID.key] ?? [], index) }
    }
  }
}
