// Passes saves to their stores: unchanged to a single one, or a part to each.
internal import CoreDataModel

extension PersistentStoreCoordinator {
  /// Stores the whole save or nothing, unless one of several stores cannot commit after others have.
  ///
  /// - Throws: ``ObjectGraphError/relationshipAcrossStores(key:object:store:destination:destinationStore:)``,
  ///   ``ObjectGraphError/entityInNoStore(_:)``, ``ObjectGraphError/wrongStore(found:expected:)``, and errors of the
  ///   stores.
  func execute(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    let stores = openStores
    guard let first = stores.first else { throw .noStore }
    if stores.count > 1 || !first.identity.entities.isComplete || !request.assignedStores.isEmpty {
      return try save(request, in: stores)
    }
    for row in request.updates + request.deletions where row.objectID.store !== first.identity {
      throw .foreignObject(row.objectID)
    }
    for (index, store) in request.obtainedStores where store !== first.identity {
      let row = request.insertions[index]
      throw .foreignObject(
        ManagedObjectID(store: store, entityIndex: Int32(row.layout.index), key: row.temporaryKey))
    }
    return try first.save(request) { true }
  }

  private func save(
    _ request: SaveChangesRequest, in stores: [SQLiteStore]
  ) throws(ObjectGraphError) -> SaveReply {
    try refuseReentrance()
    let waiting = stores.indices.filter { stores[$0].hasPendingMetadata }
    let division = try SavePartition(request, stores.map(\.identity), compiledModel, andIn: waiting)
    if let only = division.onlyStore { return try stores[only].save(request) { true } }
    let save = MultiStoreSave(request, division, stores)
    var writing = MultiStoreTransaction(save)
    do throws(ObjectGraphError) {
      try writing.run()
    } catch {
      guard case .partlyCommitted = error else { throw error }
      return .partlySaved(save.storedPart, because: error)
    }
    return save.reply
  }
}

/// A save in several stores, with the replies combined into one.
private final class MultiStoreSave: MultiStoreRequest {
  private let division: SavePartition
  private let stores: [SQLiteStore]
  private var outcome: SaveOutcome
  private var stale: [StaleRow] = []
  private var isSaved = false
  private var committed: [SavePartition.Part] = []

  init(_ request: SaveChangesRequest, _ division: SavePartition, _ stores: [SQLiteStore]) {
    self.division = division
    self.stores = stores
    outcome = SaveOutcome(
      insertions: InsertionOutcomes(keys: InsertionKeys(count: request.insertions.count)),
      updates: [Int64](repeating: 0, count: request.updates.count))
  }

  var reply: SaveReply { isSaved ? .saved(outcome) : .conflicts(stale) }

  /// The part that was stored by the stores that have committed.
  var storedPart: StoredPart {
    var stored = StoredPart()
    let whole = outcome.insertions
    stored.outcome.insertions.keys = InsertionKeys(committed.flatMap(\.insertions).map { whole.keys[$0] })
    for part in committed {
      for position in part.insertions {
        let index = stored.insertions.count
        stored.insertions.append(position)
        stored.outcome.insertions.versions[index] = whole.versions[position]
        stored.outcome.insertions.standIns[index] = whole.standIns[position]
        stored.outcome.insertions.otherStores[index] = whole.otherStores[position]
      }
      stored.updates += part.updates
      stored.outcome.updates += part.updates.map { outcome.updates[$0] }
      stored.deletions += part.deletions
    }
    stored.outcome.insertions.raised = whole.raised
    stored.outcome.insertions.derived = whole.derived
    stored.outcome.insertions.left = whole.left
    stored.outcome.insertions.former = whole.former
    stored.outcome.insertions.store = whole.store
    stored.outcome.historyToken = outcome.historyToken
    return stored
  }

  var paths: [String] { division.parts.map { stores[$0.store].identity.path } }

  func write(
    _ position: Int, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> Bool {
    let part = division.parts[position]
    let store = stores[part.store]
    return take(try store.save(part.request, mayCommit: mayCommit), of: part, in: store.identity)
  }

  /// Adds a store's reply to the outcome, and returns whether the store saved its part.
  private func take(_ reply: SaveReply, of part: SavePartition.Part, in store: StoreIdentity) -> Bool {
    switch reply {
    case .conflicts(let rows):
      stale += rows.map { row in
        switch row {
        case .update(let index, let persisted): .update(part.updates[index], persisted: persisted)
        case .deletion(let index, let persisted): .deletion(part.deletions[index], persisted: persisted)
        case .clash(let index, let constraint, let taken):
          .clash(part.updates[index], constraint: constraint, taken: taken)
        case .members(let index): .members(deletion: part.deletions[index])
        case .missing: row
        case .partner(.update(let index), let slot, let other, let repair):
          .partner(.update(part.updates[index]), slot: slot, other: other, repair)
        case .partner(.insertion(let index), let slot, let other, let repair):
          .partner(.insertion(part.insertions[index]), slot: slot, other: other, repair)
        case .partner(.deletion(let index), let slot, let other, let repair):
          .partner(.deletion(part.deletions[index]), slot: slot, other: other, repair)
        }
      }
      isSaved = false
      return false
    case .partlySaved: return false
    case .saved(let saved):
      isSaved = true
      committed.append(part)
      for (index, position) in part.insertions.enumerated() {
        outcome.insertions.keys[position] = saved.insertions.keys[index]
        outcome.insertions.versions[position] = saved.insertions.versions[index]
        outcome.insertions.standIns[position] = saved.insertions.standIns[index]
        if outcome.insertions.store == nil { outcome.insertions.store = store }
        if outcome.insertions.store !== store { outcome.insertions.otherStores[position] = store }
      }
      outcome.insertions.raised.merge(saved.insertions.raised) { $1 }
      outcome.insertions.derived.merge(saved.insertions.derived) { $1 }
      outcome.insertions.left.formUnion(saved.insertions.left)
      outcome.insertions.former.formUnion(saved.insertions.former)
      for (index, position) in part.updates.enumerated() { outcome.updates[position] = saved.updates[index] }
      outcome.historyToken = PersistentHistoryToken.covering([outcome.historyToken, saved.historyToken])
      return true
    }
  }
}
