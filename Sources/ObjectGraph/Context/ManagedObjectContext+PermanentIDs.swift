// Gives the objects of a child context the permanent IDs under which they were saved.
internal import CoreDataModel

extension ManagedObjectContext {
  /// The object's current ID: the permanent one once it was saved to the store.
  func settled(_ objectID: ManagedObjectID) -> ManagedObjectID {
    let settled = family.settled(objectID)
    guard settled.isTemporaryID, settled.store === temporaryIdentity else { return settled }
    return formerIDs.objectID(settled.key) ?? settled
  }

  /// Like ``settled(_:)``, but also asks the parents: others may pass on IDs that nobody in the family has asked for.
  func settledByParents(_ objectID: ManagedObjectID) -> ManagedObjectID {
    let settled = settled(objectID)
    guard settled.isTemporaryID, settled.store === temporaryIdentity, let parentSource, newObject(settled.key) == nil
    else { return settled }
    do throws(ObjectGraphError) {
      return try parentSource.ask { (parent) throws(ObjectGraphError) in parent.settledByParents(settled) }
    } catch {
      return settled
    }
  }

  /// Gives children the permanent IDs of the objects that they know.
  func notifyFamily(_ outcome: SaveOutcome) {
    if childKeys.isEmpty { return }
    let keys = PermanentKeys(pendingInsertions, outcome.insertions)
    var objectIDs: [Int64: ManagedObjectID] = [:]
    for (index, object) in pendingInsertions.enumerated() where childKeys.contains(object.objectID.key) {
      guard let store = outcome.insertions.store(at: index), let row = keys[ObjectReference(object.objectID)]
      else { continue }
      objectIDs[object.objectID.key] = ManagedObjectID(store: store, entityIndex: row.entityIndex, key: row.key)
    }
    childKeys = []
    family.report(objectIDs)
  }

  /// Gives objects the permanent IDs from saves of the family's root since the last call.
  ///
  /// It is called wherever a child context encounters IDs; usually it takes only one comparison.
  func adoptPermanentIDs() {
    guard parentSource != nil, family.generation != knownGeneration else { return }
    knownGeneration = family.generation
    settleIDs()
  }

  /// Calls ``adoptPermanentIDs()`` as soon as possible: at once if the caller is on this context's queue, for example
  /// when a block of a child saves the root; otherwise before any later use of the context.
  func learnPermanentIDs() {
    if queue.isCurrent { return adoptPermanentIDs() }
    queue.async { self.adoptPermanentIDs() }
  }

  /// Gives objects, and references to them, the permanent IDs that the family knows.
  func settleIDs() {
    for object in registered.all {
      object.settleReferences(family)
      let objectID = family.settled(object.objectID)
      guard objectID != object.objectID else { continue }
      registered.remove(object.objectID, cache: rowCache)
      guard objectID.entityIndex == Int32(object.layout.index) else {
        // A row of another entity replaces it.
        object.detach(as: .detached)
        continue
      }
      // This object is already in use, so it replaces an object of the same row that was fetched in the meantime.
      if let later = registered[objectID] {
        registered.remove(objectID, cache: rowCache)
        later.state = .detached
      }
      object.objectID = objectID
      registered.insert(object, cache: rowCache, read: .now)
    }
    for object in pendingInsertions {
      object.settleReferences(family)
      let objectID = family.settled(object.objectID)
      guard objectID != object.objectID, object.isInserted else { continue }
      newObjects?[object.objectID.key] = nil
      object.objectID = objectID
      enterUnsaved(object)
    }
  }
}

extension ManagedObject {
  /// Updates relationships to the objects' current IDs, and removes objects that were replaced by a row of an
  /// unsuitable entity.
  fileprivate final func settleReferences(_ family: ContextFamily) {
    guard let layouts = context?.persistentStoreCoordinator.compiledModel.layouts else { return }
    if layout.hasToOneSlots {
      for slot in layout.slots.indices {
        guard let toOne = layout.slots[slot].toOne else { continue }
        let destination = layouts[toOne.destinationIndex]
        if let settled = row?[slot].settled(family, destination) { row?[slot] = settled }
        if let settled = committed?[slot].settled(family, destination) { committed?[slot] = settled }
      }
    }
    guard let links else { return }
    for (index, toMany) in layout.toManyRelationships.enumerated() {
      let destination = layouts[toMany.destinationIndex]
      links.lists[index].stored = links.lists[index].stored?.compactMap {
        let settled = family.settled($0.objectID)
        guard settled.isTemporaryID || destination.family.contains(Int(settled.entityIndex)) else { return nil }
        return RelatedObject(objectID: settled, order: $0.order)
      }
      if !links.lists[index].removed.isEmpty {
        links.lists[index].removed = Set(links.lists[index].removed.map(family.settled))
      }
    }
  }
}

extension AttributeValue {
  /// The reference with its object's current key, or null if that object has an unsuitable entity; `nil` if nothing
  /// changes.
  fileprivate func settled(_ family: ContextFamily, _ destination: EntityLayout) -> AttributeValue? {
    guard let reference, reference.key < 0 else { return nil }
    let objectID = family.settled(
      ManagedObjectID(store: family.temporaryIdentity, entityIndex: reference.entityIndex, key: reference.key))
    if objectID.isTemporaryID { return nil }
    if !destination.family.contains(Int(objectID.entityIndex)) { return .null }
    return .reference(
      ObjectReference(key: objectID.key, entityIndex: objectID.entityIndex, order: reference.order))
  }
}

/// Permanent IDs by the temporary keys that they replaced.
///
/// Objects that were created and saved one after another have consecutive keys, so a run of them takes one entry.
struct FormerIDs {
  private struct Run {
    let store: StoreIdentity
    let entityIndex: Int32
    /// The temporary key and the key of the run's first object; those of the others follow, downwards and upwards.
    var temporaryKey: Int64
    var key: Int64
    var count: Int64
  }

  private var runs: [Run] = []

  /// Records the new ID of an object; runs are built from their ends.
  mutating func note(_ temporaryKey: Int64, is objectID: ManagedObjectID) {
    if temporaryKey > 0 { return }
    if let last = runs.last, last.store === objectID.store, last.entityIndex == objectID.entityIndex,
      last.temporaryKey == temporaryKey - 1, last.key == objectID.key + 1
    {
      runs[runs.count - 1].temporaryKey = temporaryKey
      runs[runs.count - 1].key = objectID.key
      runs[runs.count - 1].count += 1
      return
    }
    runs.append(
      Run(
        store: objectID.store, entityIndex: objectID.entityIndex, temporaryKey: temporaryKey, key: objectID.key,
        count: 1))
  }

  /// O(runs).
  func objectID(_ temporaryKey: Int64) -> ManagedObjectID? {
    for run in runs {
      let position = run.temporaryKey - temporaryKey
      guard position >= 0, position < run.count else { continue }
      return ManagedObjectID(store: run.store, entityIndex: run.entityIndex, key: run.key + position)
    }
    return nil
  }
}
