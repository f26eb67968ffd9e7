// What relationships ask of a context: objects by what rows say of them, and the objects of to-many relationships.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The object of a reference, a fault when it was not read yet; nil for a new object that was deleted.
  func object(_ reference: ObjectReference, from source: ManagedObject) -> ManagedObject? {
    if reference.key < 0, let object = newObject(reference.key) { return object }
    guard let objectID = objectID(reference, from: source) else { return nil }
    // What the parent has not saved yet is stored for its child.
    return parentSource == nil && objectID.isTemporaryID ? nil : objectOrFault(objectID)
  }

  /// The object of a reference if the context has it.
  func knownObject(_ reference: ObjectReference, from source: ManagedObject) -> ManagedObject? {
    objectID(reference, from: source).flatMap(knownObject)
  }

  /// What a row of the source names.
  private func objectID(_ reference: ObjectReference, from source: ManagedObject) -> ManagedObjectID? {
    if reference.key < 0 {
      return settled(
        ManagedObjectID(store: temporaryIdentity, entityIndex: reference.entityIndex, key: reference.key))
    }
    return storeIdentity(of: source.objectID).map {
      ManagedObjectID(store: $0, entityIndex: reference.entityIndex, key: reference.key)
    }
  }

  /// The identity of the store that an object is in, or that it will be saved to.
  func storeIdentity(of objectID: ManagedObjectID) -> StoreIdentity? {
    if !objectID.isTemporaryID { return objectID.store }
    if let assigned = family.assignedStore(objectID.key) { return assigned }
    let coordinator = persistentStoreCoordinator
    return coordinator.insertionStoreIdentity(coordinator.compiledModel.layouts[Int(objectID.entityIndex)])
  }

  /// Has rows that lead to a row under an older entity of its lead to it under the one that it has now.
  ///
  /// O(registered objects): a row hardly ever becomes one of another entity.
  func repointReferences(to objectID: ManagedObjectID) {
    let model = persistentStoreCoordinator.compiledModel
    let root = model.layouts[Int(objectID.entityIndex)].rootIndex
    func repointed(_ row: RowSnapshot?, _ layout: EntityLayout) -> RowSnapshot? {
      guard var row else { return nil }
      var isOther = false
      for slot in layout.slots.indices {
        guard let toOne = layout.slots[slot].toOne, model.layouts[toOne.destinationIndex].rootIndex == root,
          let reference = row[slot].reference, reference.key == objectID.key,
          reference.entityIndex != objectID.entityIndex
        else { continue }
        row[slot] = .reference(
          ObjectReference(key: reference.key, entityIndex: objectID.entityIndex, order: reference.order))
        isOther = true
      }
      return isOther ? row : nil
    }
    for object in registered.all where object.layout.hasRelationships {
      if let row = repointed(object.row, object.layout) { object.row = row }
      if let committed = repointed(object.committed, object.layout) { object.committed = committed }
      if let cached = rowCache.lastRow(object.objectID).flatMap({ repointed($0, object.layout) }) {
        rowCache.update(object.objectID, cached, read: .now)
      }
      object.forgetStoredLinks()
    }
  }

  /// The object of the ID if the context has it.
  func knownObject(_ objectID: ManagedObjectID) -> ManagedObject? {
    if objectID.isTemporaryID, let object = newObject(objectID.key) { return object }
    return registered[objectID]
  }

  /// The new object under a temporary key.
  ///
  /// The first question builds an index; contexts that only store attributes never do.
  func newObject(_ temporaryKey: Int64) -> ManagedObject? {
    if newObjects == nil {
      newObjects = Dictionary(pendingInsertions.map { ($0.objectID.key, $0) }) { first, _ in first }
    }
    return newObjects?[temporaryKey].flatMap { $0.isInserted ? $0 : nil }
  }

  /// The objects of a to-many relationship as the store has them.
  func relatedObjects(
    of object: ManagedObject, _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [RelatedObject] {
    try source.relatedObjects(of: [object.objectID], toMany)[object.objectID.key] ?? []
  }

  /// Reads the values of all faults among the objects, many with one statement.
  ///
  /// Objects whose rows are gone are deleted ones afterwards, as after any look at them.
  func fulfil(_ objects: [ManagedObject]) throws(ObjectGraphError) {
    let faults = objects.filter {
      $0.isFault && $0.state == .stored && (parentSource != nil || !$0.objectID.isTemporaryID)
    }
    if faults.isEmpty { return }
    let cache = rowCache
    let oldest = oldestRow
    let missing = faults.filter { cache.row($0.objectID, readSince: oldest) == nil }
    let read = ReadTime.now
    for row in try source.rows(of: missing.map(\.objectID)) {
      _ = self.object(for: row, read: read)
    }
    for object in faults where object.isFault { _ = object.values }
  }
}
