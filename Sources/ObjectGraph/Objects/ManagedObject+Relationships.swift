// Reads relationships: the object of a to-one relationship, or the objects of a to-many one.
internal import CoreDataModel

extension ManagedObject {
  /// The object of a to-one relationship, as a fault if it was not read yet; `nil` if there is none.
  ///
  /// ```swift
  /// if let region = try quake.object(forKey: "region") {
  ///   region["name"] = "Nevada"
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownRelationship(entity:key:expected:)``, ``ObjectGraphError/missingObject(_:)``
  ///   if this object's own row is gone, ``ObjectGraphError/store(_:during:)`` if it cannot be read.
  public final func object(forKey key: String) throws(ObjectGraphError) -> ManagedObject? {
    owner?.check()
    guard let slot = layout.toOneSlot(named: key) else { throw layout.unknownRelationship(key, isToMany: false) }
    if let value = partialValue(slot) { return value.reference.flatMap { context?.object($0, from: self) } }
    _ = try filled()
    return destination(slot)
  }

  /// The objects of a to-many relationship.
  ///
  /// If it is not ordered, stored ones come first, by key, followed by new ones.
  ///
  /// The first call reads the keys from the store; the objects are faults. O(objects).
  ///
  /// ```swift
  /// let quakes = try region.objects(forKey: "quakes")
  /// let strongest = quakes.max { $0[Quake.magnitude] ?? 0 < $1[Quake.magnitude] ?? 0 }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownRelationship(entity:key:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public final func objects(forKey key: String) throws(ObjectGraphError) -> [ManagedObject] {
    owner?.check()
    guard let index = layout.toManyIndex(named: key) else { throw layout.unknownRelationship(key, isToMany: true) }
    return try members(index)
  }

  /// The IDs of a relationship's objects, to-one or to-many, without creating the objects.
  ///
  /// ```swift
  /// let quakeIDs = try region.objectIDs(forRelationshipNamed: "quakes")
  /// try context.execute(BatchDeleteRequest(objectIDs: quakeIDs))
  /// ```
  ///
  /// - Throws: The same errors as ``objects(forKey:)``.
  public final func objectIDs(forRelationshipNamed key: String) throws(ObjectGraphError) -> [ManagedObjectID] {
    owner?.check()
    if layout.toOneSlot(named: key) != nil { return try object(forKey: key).map { [$0.objectID] } ?? [] }
    guard let index = layout.toManyIndex(named: key) else { throw layout.unknownRelationship(key, isToMany: true) }
    return try memberIDs(index)
  }

  /// Whether accessing the relationship will read the store; a to-one relationship is read with the object's other
  /// values.
  ///
  /// ```swift
  /// if !region.hasFault(forRelationshipNamed: "quakes") {
  ///   print("\(region[Region.quakes].count) quakes, without a look at the store")
  /// }
  /// ```
  public final func hasFault(forRelationshipNamed key: String) -> Bool {
    owner?.check()
    if let slot = layout.toOneSlot(named: key) { return isFault && partialValue(slot) == nil }
    guard let index = layout.toManyIndex(named: key) else { return false }
    return state != .inserted && links?.lists[index].stored == nil
  }

  /// The names of to-many relationships with unsaved changes.
  ///
  /// ```swift
  /// region[Region.quakes].removeAll()
  /// region.changedRelationships  // ["quakes"]
  /// ```
  public final var changedRelationships: [String] {
    owner?.check()
    guard let links else { return [] }
    return links.lists.indices.filter { links.lists[$0].isChanged }
      .map { layout.toManyRelationships[$0].relationship.name }
  }

  // MARK: Inside

  /// The object of a to-one slot; the row must have been read.
  final func destination(_ slot: Int) -> ManagedObject? {
    guard let reference = row?[slot].reference else { return nil }
    return context?.object(reference, from: self)
  }

  /// The present objects of a to-many relationship.
  final func members(_ index: Int) throws(ObjectGraphError) -> [ManagedObject] {
    guard let context else { return [] }
    let stored = try storedMembers(index)
    guard let list = links?.lists[index] else { return [] }
    return list.arrangement ?? unarranged(stored, list, context)
  }

  private final func unarranged(
    _ stored: [RelatedObject], _ list: ToManyList, _ context: ManagedObjectContext
  ) -> [ManagedObject] {
    let kept = list.removed.isEmpty ? stored : stored.filter { !list.removed.contains($0.objectID) }
    return kept.map { context.objectOrFault($0.objectID) } + list.added
  }

  /// The present number of objects in a to-many relationship.
  final func memberCount(_ index: Int) throws(ObjectGraphError) -> Int { try memberIDs(index).count }

  private final func memberIDs(_ index: Int) throws(ObjectGraphError) -> [ManagedObjectID] {
    let stored = try storedMembers(index)
    guard let list = links?.lists[index] else { return stored.map(\.objectID) }
    if let arrangement = list.arrangement { return arrangement.map(\.objectID) }
    return stored.lazy.map(\.objectID).filter { !list.removed.contains($0) } + list.added.map(\.objectID)
  }

  /// The stored objects, which are read on first use.
  @discardableResult
  final func storedMembers(_ index: Int) throws(ObjectGraphError) -> [RelatedObject] {
    let links = linksMade()
    if let stored = links.lists[index].stored { return stored }
    if state == .forgotten { throw .missingObject(objectID) }
    guard let context, state != .inserted, state != .scratch else {
      links.lists[index].stored = []
      return []
    }
    let stored = try context.relatedObjects(of: self, layout.toManyRelationships[index])
    take(stored, index)
    return stored
  }

  /// Updates the stored content of a to-many relationship, keeping the changes made here.
  final func take(_ stored: [RelatedObject], _ index: Int) {
    let links = linksMade()
    links.lists[index].stored = stored
    // An object that the store already has is not an addition, and one that it no longer has is not a removal. The
    // other end must then read its own list again, which is as old as this one was.
    if !links.lists[index].added.isEmpty, let context {
      for related in stored {
        guard let object = context.knownObject(related.objectID), links.lists[index].added.remove(object) else {
          continue
        }
        forgetBack(of: object, index)
      }
    }
    if !links.lists[index].removed.isEmpty {
      let removed = links.lists[index].removed
      links.lists[index].removed.formIntersection(stored.lazy.map(\.objectID))
      for objectID in removed.subtracting(links.lists[index].removed) {
        if let object = context?.knownObject(objectID) { forgetBack(of: object, index) }
      }
    }
    if links.lists[index].arrangement != nil, let context {
      links.lists[index].rearrange(unarranged(stored, links.lists[index], context))
    }
  }

  /// Makes the inverse of a many-to-many relationship be read again on its next use.
  private final func forgetBack(of object: ManagedObject, _ index: Int) {
    guard object !== self, let back = object.layout.toManyIndex(named: layout.toManyRelationships[index].inverse.name)
    else { return }
    object.links?.lists[back].forget()
  }

  final func linksMade() -> ToManyLinks {
    if let links { return links }
    let made = ToManyLinks(count: layout.toManyRelationships.count)
    // A new object has no stored content.
    if state == .inserted { for index in made.lists.indices { made.lists[index].stored = [] } }
    links = made
    return made
  }
}

extension EntityLayout {
  /// The slot of a to-one relationship.
  func toOneSlot(named name: String) -> Int? {
    guard hasToOneSlots, let slot = slot(named: name), slots[slot].toOne != nil else { return nil }
    return slot
  }

  func unknownRelationship(_ key: String, isToMany: Bool) -> ObjectGraphError {
    .unknownRelationship(
      entity: entity.name, key: key,
      expected: isToMany
        ? toManyRelationships.map(\.relationship.name) : slots.compactMap { $0.toOne?.relationship.name })
  }
}
