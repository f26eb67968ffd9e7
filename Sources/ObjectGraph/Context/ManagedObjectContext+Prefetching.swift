// Prefetching: reads related objects together with a fetch, many with one statement.
internal import CoreDataModel

extension ManagedObjectContext {
  /// Reads the objects along each path.
  ///
  /// Each step costs one statement; a to-one step costs one for each destination table. If sub-entities of the
  /// request's entity have relationships with the same name, each has its own statement.
  ///
  /// - Returns: The objects found along the paths. Hold them as long as their values should stay in memory.
  /// - Throws: ``ObjectGraphError/unknownRelationship(entity:key:expected:)``, ``ObjectGraphError/store(_:during:)``.
  func prefetch(
    _ paths: [String], from objects: [ManagedObject], of layout: EntityLayout
  ) throws(ObjectGraphError) -> [ManagedObject] {
    var prefetched: [ManagedObject] = []
    for path in paths {
      var objects = objects
      for key in try prefetchingKeys(path, of: layout) {
        objects = try prefetch(key, from: objects)
        prefetched += objects
      }
    }
    return prefetched
  }

  /// Refuses paths that are not relationships.
  ///
  /// - Throws: ``ObjectGraphError/unknownRelationship(entity:key:expected:)``.
  func checkPrefetching(_ paths: [String], of layout: EntityLayout) throws(ObjectGraphError) {
    for path in paths { _ = try prefetchingKeys(path, of: layout) }
  }

  /// The steps of a path.
  ///
  /// Each step is a relationship of an entity that the previous step reaches.
  private func prefetchingKeys(_ path: String, of layout: EntityLayout) throws(ObjectGraphError) -> [String] {
    var layouts = [layout]
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for key in keys {
      let destinations = destinations(of: key, from: layouts)
      if destinations.isEmpty {
        let known = layouts.flatMap { layout in
          layout.slots.compactMap { $0.toOne?.relationship.name } + layout.toManyRelationships.map(\.relationship.name)
        }
        throw .unknownRelationship(entity: layouts[0].entity.name, key: key, expected: Set(known).sorted())
      }
      layouts = destinations
    }
    return keys
  }

  /// The destinations of a relationship of the entities and their sub-entities, each once.
  private func destinations(of key: String, from origins: [EntityLayout]) -> [EntityLayout] {
    let layouts = persistentStoreCoordinator.compiledModel.layouts
    var found: Set<Int> = []
    for member in origins.flatMap({ layouts[$0.family] }) {
      if let slot = member.toOneSlot(named: key), let toOne = member.slots[slot].toOne {
        found.insert(toOne.destinationIndex)
      } else if let index = member.toManyIndex(named: key) {
        found.insert(member.toManyRelationships[index].destinationIndex)
      }
    }
    return found.sorted().map { layouts[$0] }
  }

  /// Reads one step, and returns the objects that it reaches, each once.
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

  /// Reads a to-many relationship of all objects at once, including the destinations' rows.
  ///
  /// - Returns: The objects of these rows; hold them until something else does.
  private func prefetchMembers(
    _ key: String, of objects: [ManagedObject]
  ) throws(ObjectGraphError) -> [ManagedObject] {
    var members: [ManagedObject] = []
    var unread: [(object: ManagedObject, index: Int, toMany: ToManyLayout)] = []
    for object in objects {
      guard let index = object.layout.toManyIndex(named: key), object.state == .stored,
        object.links?.lists[index].stored == nil
      else { continue }
      unread.append((object, index, object.layout.toManyRelationships[index]))
    }
    while let first = unread.first {
      // Keys identify objects within one store and table, and several entities may have relationships with this name.
      let store = first.object.objectID.store
      let batch = unread.filter {
        $0.object.objectID.store === store && $0.toMany.entityIndex == first.toMany.entityIndex
      }
      unread.removeAll { $0.object.objectID.store === store && $0.toMany.entityIndex == first.toMany.entityIndex }
      let read = ReadTime.now
      let related = try source.relatedRows(of: batch.map(\.object.objectID), first.toMany)
      members += related.rows.map { self.object(for: $0, read: read) }
      for (object, index, _) in batch { object.take(related.objects[object.objectID.key] ?? [], index) }
    }
    return members
  }
}
