// What relationships need from a context: the objects that rows refer to, and the contents of to-many relationships.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The object of a reference, as a fault if it was not read yet; `nil` for a new object that was deleted.
  func object(_ reference: ObjectReference, from source: ManagedObject) -> ManagedObject? {
    if reference.key < 0, let object = newObject(reference.key) { return object }
    guard let objectID = objectID(reference, from: source) else { return nil }
    // For a child, the parent's unsaved objects count as stored.
    return parentSource == nil && objectID.isTemporaryID ? nil : objectOrFault(objectID)
  }

  /// The object of a reference, if the context has it.
  func knownObject(_ reference: ObjectReference, from source: ManagedObject) -> ManagedObject? {
    objectID(reference, from: source).flatMap(knownObject)
  }

  /// The ID for a reference in a row of the source.
  private func objectID(_ reference: ObjectReference, from source: ManagedObject) -> ManagedObjectID? {
    if reference.key < 0 {
      return settled(
        ManagedObjectID(store: temporaryIdentity, entityIndex: reference.entityIndex, key: reference.key))
    }
    return storeIdentity(of: source.objectID).map {
      ManagedObjectID(store: $0, entityIndex: reference.entityIndex, key: reference.key)
    }
  }

  /// The identity of the store that contains the object, or that it will be saved to.
  func storeIdentity(of objectID: ManagedObjectID) -> StoreIdentity? {
    if !objectID.isTemporaryID { return objectID.store }
    if let assigned = family.assignedStore(objectID.key) { return assigned }
    let coordinator = persistentStoreCoordinator
    return coordinator.insertionStoreIdentity(coordinator.compiledModel.layouts[Int(objectID.entityIndex)])
  }

  /// Updates references that use former entities of the rows that they refer to.
  ///
  /// O(registered objects): rows hardly ever change their entities.
  func repointReferences(to objectIDs: [ManagedObjectID]) {
    if objectIDs.isEmpty { return }
    let entities = CurrentEntities(objectIDs, persistentStoreCoordinator.compiledModel)
    for object in registered.all where object.layout.hasRelationships {
      if let row = entities.repointed(object.row, object.layout) { object.row = row }
      if let committed = entities.repointed(object.committed, object.layout) { object.committed = committed }
      if let cached = rowCache.lastRow(object.objectID).flatMap({ entities.repointed($0, object.layout) }) {
        rowCache.update(object.objectID, cached, read: .now)
      }
      guard let links = object.links else { continue }
      for index in links.lists.indices { links.lists[index].forget(outdated: entities.isOutdated) }
    }
  }

  /// The rows that may have had other entities before, if a relationship in the context refers to one of them by its
  /// former entity; `nil` if none does.
  ///
  /// The context may no longer have an object for the row, or a fetch may have replaced it. O(registered objects) if
  /// any row may have changed its entity.
  func relatedAsOlder(_ objectIDs: [ManagedObjectID]) -> [ManagedObjectID]? {
    let model = persistentStoreCoordinator.compiledModel
    let taken = objectIDs.filter {
      let layout = model.layouts[Int($0.entityIndex)]
      return layout.sharesTable && !layout.constraints.isEmpty
    }
    if taken.isEmpty || !hasRelationships { return nil }
    let entities = CurrentEntities(taken, model)
    return registered.all.contains(where: entities.isOutdated) ? taken : nil
  }

  /// The object with the ID, if the context has it.
  func knownObject(_ objectID: ManagedObjectID) -> ManagedObject? {
    if objectID.isTemporaryID, objectID.store === temporaryIdentity, let object = newObject(objectID.key) {
      return object
    }
    return registered[objectID]
  }

  /// The new object with a temporary key.
  ///
  /// The first call builds an index; contexts that only store attributes never need one.
  func newObject(_ temporaryKey: Int64) -> ManagedObject? {
    if newObjects == nil {
      newObjects = Dictionary(pendingInsertions.map { ($0.objectID.key, $0) }) { first, _ in first }
    }
    return newObjects?[temporaryKey].flatMap { $0.isInserted ? $0 : nil }
  }

  /// The stored content of a to-many relationship.
  func relatedObjects(
    of object: ManagedObject, _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [RelatedObject] {
    try source.relatedObjects(of: [object.objectID], toMany)[object.objectID.key] ?? []
  }

  /// Reads the values of all faults among the objects, many with one statement.
  ///
  /// Objects without rows become deleted objects, as on any other use.
  func fulfil(_ objects: [ManagedObject]) throws(ObjectGraphError) {
    let faults = objects.filter {
      $0.isFault && $0.state == .stored && (parentSource != nil || !$0.objectID.isTemporaryID)
    }
    if faults.isEmpty { return }
    let cache = rowCache
    let oldest = oldestRow
    let missing = faults.filter { cache.row($0.objectID, readSince: oldest) == nil }
    let read = ReadTime.now
    for case let row? in try source.rows(of: missing.map(\.objectID)) {
      _ = self.object(for: row, read: read)
    }
    for object in faults where object.isFault { _ = object.values }
  }
}

/// The entities of rows that may have had other entities of their hierarchies before.
private struct CurrentEntities {
  private struct Row: Hashable {
    let root: Int
    let key: Int64
  }

  private let model: CompiledModel
  private let entities: [Row: Int32]

  init(_ objectIDs: [ManagedObjectID], _ model: CompiledModel) {
    self.model = model
    entities = Dictionary(
      objectIDs.map { (Row(root: model.layouts[Int($0.entityIndex)].rootIndex, key: $0.key), $0.entityIndex) }
    ) { _, last in last }
  }

  private func entity(_ key: Int64, root: Int) -> Int32? { entities[Row(root: root, key: key)] }

  /// Whether the ID refers to one of the rows by a former entity.
  func isOutdated(_ objectID: ManagedObjectID) -> Bool {
    let root = model.layouts[Int(objectID.entityIndex)].rootIndex
    return entity(objectID.key, root: root).map { $0 != objectID.entityIndex } ?? false
  }

  /// Whether a relationship of the object refers to one of the rows by a former entity.
  func isOutdated(_ object: ManagedObject) -> Bool {
    repointed(object.row, object.layout) != nil || repointed(object.committed, object.layout) != nil
      || object.links?.lists.contains { $0.stored?.contains { isOutdated($0.objectID) } == true } == true
  }

  /// The row with references to the current entities; `nil` if nothing must be changed.
  ///
  /// If the relationship cannot refer to the other row's new entity, the store has cleared the key and incremented the
  /// row's version.
  func repointed(_ row: RowSnapshot?, _ layout: EntityLayout) -> RowSnapshot? {
    guard var row, layout.hasToOneSlots else { return nil }
    var isOther = false
    for slot in layout.slots.indices {
      guard let toOne = layout.slots[slot].toOne, let reference = row[slot].reference,
        let entity = entity(reference.key, root: model.layouts[toOne.destinationIndex].rootIndex),
        reference.entityIndex != entity
      else { continue }
      if model.layouts[toOne.destinationIndex].family.contains(Int(entity)) {
        row[slot] = .reference(ObjectReference(key: reference.key, entityIndex: entity, order: reference.order))
      } else {
        row[slot] = .null
        row.version += 1
      }
      isOther = true
    }
    return isOther ? row : nil
  }
}
