// Changes relationships, always at both ends.
internal import CoreDataModel

extension ManagedObject {
  /// Sets the object of a to-one relationship; `nil` clears it.
  ///
  /// ```swift
  /// try quake.setObject(region, forKey: "region")
  /// try region.objects(forKey: "quakes").contains(quake)  // true: the other end follows
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownRelationship(entity:key:expected:)``,
  ///   ``ObjectGraphError/wrongObject(entity:key:found:expected:)`` for an object of an unsuitable entity,
  ///   ``ObjectGraphError/foreignObject(_:)`` for an object of another context, ``ObjectGraphError/missingObject(_:)``,
  ///   ``ObjectGraphError/store(_:during:)`` if a row cannot be read.
  public final func setObject(_ object: ManagedObject?, forKey key: String) throws(ObjectGraphError) {
    owner?.check()
    guard let slot = layout.toOneSlot(named: key), let toOne = layout.slots[slot].toOne else {
      throw layout.unknownRelationship(key, isToMany: false)
    }
    try check(object.map { [$0] } ?? [], key, destination: toOne.destinationIndex)
    setDestination(object, slot, toOne)
    if invalidAssignment != nil { correct(key) }
  }

  /// Replaces the objects of a to-many relationship; duplicates count once.
  ///
  /// Their order counts if the relationship is ordered.
  ///
  /// ```swift
  /// let dogs = try kennel.objects(forKey: "dogs")
  /// try kennel.setObjects(dogs.reversed(), forKey: "dogs")
  /// ```
  ///
  /// - Throws: The same errors as ``setObject(_:forKey:)``, and ``ObjectGraphError/store(_:during:)``.
  public final func setObjects(_ objects: [ManagedObject], forKey key: String) throws(ObjectGraphError) {
    let index = try editableIndex(key, objects)
    var wanted = ObjectList()
    for object in objects { wanted.append(object) }
    for object in try members(index) where !wanted.contains(object) { remove(object, index) }
    let present = Set(try members(index).map(ObjectIdentifier.init))
    for object in wanted where !present.contains(ObjectIdentifier(object)) { add(object, index) }
    if invalidAssignment != nil { correct(key) }
    guard layout.toManyRelationships[index].relationship.isOrdered else { return }
    try arrange(Array(wanted), index)
  }

  /// Appends an object to the to-many relationship.
  ///
  /// It does nothing if the relationship already contains the object.
  ///
  /// ```swift
  /// try region.addObject(quake, forKey: "quakes")
  /// try quake.object(forKey: "region") == region  // true: the other end follows
  /// ```
  ///
  /// - Throws: The same errors as ``setObjects(_:forKey:)``.
  public final func addObject(_ object: ManagedObject, forKey key: String) throws(ObjectGraphError) {
    let index = try editableIndex(key, [object])
    if try !holds(object, index) { add(object, index) }
  }

  /// Removes an object from the to-many relationship.
  ///
  /// It does nothing if the relationship does not contain the object.
  ///
  /// ```swift
  /// try region.removeObject(quake, forKey: "quakes")
  /// try quake.object(forKey: "region")  // nil
  /// ```
  ///
  /// - Throws: The same errors as ``setObjects(_:forKey:)``.
  public final func removeObject(_ object: ManagedObject, forKey key: String) throws(ObjectGraphError) {
    let index = try editableIndex(key, [])
    guard object.context === context else { throw .foreignObject(object.objectID) }
    if try holds(object, index) { remove(object, index) }
  }

  /// Inserts an object into an ordered relationship at a position, or moves it there if it is already in the
  /// relationship.
  ///
  /// Positions beyond the end mean the end. O(objects).
  ///
  /// ```swift
  /// try kennel.insertObject(dog, forKey: "dogs", at: 0)
  /// try kennel.objects(forKey: "dogs").first == dog  // true
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unorderedRelationship(entity:key:expected:)``; otherwise the same errors as
  ///   ``setObjects(_:forKey:)``.
  public final func insertObject(_ object: ManagedObject, forKey key: String, at position: Int) throws(ObjectGraphError)
  {
    let index = try editableIndex(key, [object])
    let relationships = layout.toManyRelationships.map(\.relationship)
    guard relationships[index].isOrdered else {
      throw .unorderedRelationship(
        entity: layout.entity.name, key: key, expected: relationships.filter(\.isOrdered).map(\.name))
    }
    if try !holds(object, index) { add(object, index) }
    var objects = try members(index).filter { $0 !== object }
    objects.insert(object, at: min(max(position, 0), objects.count))
    try arrange(objects, index)
  }

  // MARK: Checks

  private final func editableIndex(_ key: String, _ objects: [ManagedObject]) throws(ObjectGraphError) -> Int {
    owner?.check()
    guard let index = layout.toManyIndex(named: key) else { throw layout.unknownRelationship(key, isToMany: true) }
    try check(objects, key, destination: layout.toManyRelationships[index].destinationIndex)
    return index
  }

  /// Checks that the objects fit the relationship and that their rows exist.
  private final func check(
    _ objects: [ManagedObject], _ key: String, destination: Int
  ) throws(ObjectGraphError) {
    guard let context, state != .scratch else { throw .foreignObject(objectID) }
    try checkIsThere()
    let expected = context.persistentStoreCoordinator.compiledModel.layouts[destination]
    for object in objects {
      guard object.context === context, object.state != .scratch else { throw .foreignObject(object.objectID) }
      guard object.layout.isKind(of: expected) else {
        throw .wrongObject(
          entity: layout.entity.name, key: key, found: object.layout.entity.name, expected: expected.entity.name)
      }
      try object.checkIsThere()
      try checkStore(of: object, key)
    }
  }

  private final func checkIsThere() throws(ObjectGraphError) {
    _ = try filled()
    if isGone { throw .missingObject(objectID) }
  }

  /// Whether the relationship contains the object; if the object has the key, it is read from there.
  private final func holds(_ object: ManagedObject, _ index: Int) throws(ObjectGraphError) -> Bool {
    let toMany = layout.toManyRelationships[index]
    if case .inverseKey = toMany.storage, let slot = object.layout.toOneSlot(named: toMany.inverse.name) {
      return object.values?[slot].reference?.refers(to: objectID) == true && sharesStore(with: object)
    }
    return try members(index).contains { $0 === object }
  }

  // MARK: Both ends

  /// Sets the slot to the object, and updates the inverses in the old and the new object.
  final func setDestination(_ object: ManagedObject?, _ slot: Int, _ toOne: ToOneLayout) {
    let old = values?[slot].reference
    if let object, old?.refers(to: object.objectID) == true { return }
    if object == nil && old == nil { return }
    let previous = destination(slot)
    write(object.map { .reference(ObjectReference($0.objectID)) } ?? .null, slot: slot)
    guard let inverse = toOne.inverse else { return }
    previous?.lose(self, inverse)
    object?.gain(self, inverse, through: toOne.relationship.name)
  }

  /// Adds an object to a to-many relationship that does not contain it.
  final func add(_ object: ManagedObject, _ index: Int) {
    if !setKey(of: object, index, to: self) { atBothEnds(object, index) { $0.gain($1, $2, isSure: $3) } }
  }

  /// Removes an object from a to-many relationship that contains it.
  final func remove(_ object: ManagedObject, _ index: Int) {
    if !setKey(of: object, index, to: nil) { atBothEnds(object, index) { $0.lose($1, $2, isSure: $3) } }
  }

  /// Changes the key in the object, if the objects of the to-many relationship have keys.
  ///
  /// Returns false if it consists of pairs.
  private final func setKey(of object: ManagedObject, _ index: Int, to destination: ManagedObject?) -> Bool {
    let inverse = layout.toManyRelationships[index].inverse
    guard let slot = object.layout.toOneSlot(named: inverse.name), let toOne = object.layout.slots[slot].toOne else {
      return false
    }
    object.setDestination(destination, slot, toOne)
    return true
  }

  /// Changes a pair of a many-to-many relationship in this object and the other one.
  private final func atBothEnds(
    _ object: ManagedObject, _ index: Int, _ change: (ManagedObject, ManagedObject, Int, Bool) -> Void
  ) {
    guard let back = object.layout.toManyIndex(named: layout.toManyRelationships[index].inverse.name) else {
      return change(self, object, index, true)
    }
    let isSure = knowsStoredMembers(index) && object.knowsStoredMembers(back)
    change(self, object, index, isSure)
    // If the relationship is its own inverse and the object is this one, both ends are the same.
    if object !== self || back != index { change(object, self, back, isSure) }
  }

  /// Whether the stored content of a to-many relationship is known.
  private final func knowsStoredMembers(_ index: Int) -> Bool {
    state == .inserted || links?.lists[index].stored != nil
  }

  /// Updates this object's inverse relationship after an object started to refer to it.
  final func gain(_ object: ManagedObject, _ back: RelationshipDescription, through forth: String) {
    if let index = layout.toManyIndex(named: back.name) { return gain(object, index) }
    guard let slot = layout.toOneSlot(named: back.name) else { return }
    if values?[slot].reference?.refers(to: object.objectID) == true { return }
    // One-to-one: the object that referred to this one before no longer does.
    if values != nil, let previous = destination(slot), previous !== object,
      let slot = previous.layout.toOneSlot(named: forth)
    {
      previous.write(.null, slot: slot)
    }
    write(.reference(ObjectReference(object.objectID)), slot: slot)
  }

  /// Updates this object's inverse relationship after the object stopped referring to it.
  final func lose(_ object: ManagedObject, _ back: RelationshipDescription) {
    if let index = layout.toManyIndex(named: back.name) { return lose(object, index) }
    guard let slot = layout.toOneSlot(named: back.name), values?[slot].reference?.refers(to: object.objectID) == true
    else { return }
    write(.null, slot: slot)
  }

  private final func gain(_ object: ManagedObject, _ index: Int, isSure: Bool = true) {
    beginRelationshipChange()
    // It is added after the others, not at its stored position.
    if layout.toManyRelationships[index].relationship.isOrdered, let list = links?.lists[index],
      list.arrangement == nil, list.removed.contains(object.objectID), let members = try? members(index)
    {
      links?.lists[index].arrangement = members
    }
    linksMade().lists[index].add(object, isSure: isSure)
  }

  private final func lose(_ object: ManagedObject, _ index: Int, isSure: Bool = true) {
    beginRelationshipChange()
    linksMade().lists[index].remove(object, isSure: isSure)
  }

  final func arrange(_ objects: [ManagedObject], _ index: Int) throws(ObjectGraphError) {
    // The stored order gives the positions of the objects that stay.
    try storedMembers(index)
    beginRelationshipChange()
    linksMade().lists[index].arrangement = objects
  }
}
