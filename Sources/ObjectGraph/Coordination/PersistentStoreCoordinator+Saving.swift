// Saves on their way to the stores they concern: as they are to the only one, or a part for each.

extension PersistentStoreCoordinator {
  /// Stores all of the save or nothing of it.
  ///
  /// - Throws: ``ObjectGraphError/relationshipAcrossStores(key:object:store:destination:destinationStore:)``,
  ///   ``ObjectGraphError/entityInNoStore(_:isForWriting:)``, ``ObjectGraphError/wrongStore(found:expected:)``,
  ///   ``ObjectGraphError/partlyCommitted(stores:because:)``, and what the stores throw.
  func execute(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    let stores = openStores
    guard let first = stores.first else { throw .noStore }
    if stores.count > 1 || !first.identity.entities.isComplete || !request.assignedStores.isEmpty {
      return try save(request, in: stores)
    }
    for row in request.updates + request.deletions where row.objectID.store !== first.identity {
      throw .foreignObject(row.objectID)
    }
    return try first.save(request) { true }
  }

  private func save(
    _ request: SaveChangesRequest, in stores: [any RowStore]
  ) throws(ObjectGraphError) -> SaveReply {
    let division = try SaveDivision(request, stores.map(\.identity), compiledModel)
    if let only = division.onlyStore { return try stores[only].save(request) { true } }
    let save = JointSave(request, division, stores)
    var writing = JointWriting(save)
    try writing.run()
    return save.reply
  }
}

/// A save divided into a request for each store.
private struct SaveDivision {
  /// What one store is to save, and where its rows stand in the whole request.
  struct Part {
    let store: Int
    let request: SaveChangesRequest
    let insertions: [Int]
    let updates: [Int]
    let deletions: [Int]
  }

  private(set) var parts: [Part] = []
  /// The store of everything, so that nothing need be divided.
  private(set) var onlyStore: Int?
  private let identities: [StoreIdentity]
  private let model: CompiledModel
  /// The stores of new objects by their temporary keys.
  private var newStores: [Int64: Int] = [:]

  init(
    _ request: SaveChangesRequest, _ identities: [StoreIdentity], _ model: CompiledModel
  ) throws(ObjectGraphError) {
    self.identities = identities
    self.model = model
    var insertions: [Int] = []
    for row in request.insertions {
      let store = try place(ofNew: row, request.assignedStores[row.temporaryKey])
      insertions.append(store)
      newStores[row.temporaryKey] = store
    }
    let updates = try places(request.updates)
    let deletions = try places(request.deletions)
    for (row, store) in zip(request.insertions, insertions) {
      let objectID = ManagedObjectID(
        store: request.temporaryIdentity, entityIndex: Int32(row.layout.index), key: row.temporaryKey)
      try check(row.layout, row.snapshot, of: objectID, in: store, request)
    }
    for (row, store) in zip(request.updates, updates) {
      try check(row.layout, row.snapshot, of: row.objectID, in: store, request)
    }
    let joins = try request.joins.map { (join) throws(ObjectGraphError) in try place(of: join, request) }
    let used = Set(insertions).union(updates).union(deletions).union(joins)
    if used.count <= 1 {
      onlyStore = used.first ?? 0
      return
    }
    for store in used.sorted() {
      let mine = insertions.indices.filter { insertions[$0] == store }
      let myUpdates = updates.indices.filter { updates[$0] == store }
      let myDeletions = deletions.indices.filter { deletions[$0] == store }
      parts.append(
        Part(
          store: store,
          request: SaveChangesRequest(
            insertions: mine.map { request.insertions[$0] }, temporaryIdentity: request.temporaryIdentity,
            updates: myUpdates.map { request.updates[$0] }, deletions: myDeletions.map { request.deletions[$0] },
            joins: joins.indices.filter { joins[$0] == store }.map { request.joins[$0] },
            mergePolicy: request.mergePolicy, hasRelationships: request.hasRelationships, origin: request.origin,
            assignedStores: [:]),
          insertions: mine, updates: myUpdates, deletions: myDeletions))
    }
  }

  private func place(ofNew row: NewRow, _ assigned: StoreIdentity?) throws(ObjectGraphError) -> Int {
    let choice = StoreChoice(identities)
    if let assigned { return try choice.place(of: PersistentStore(identity: assigned), holding: row.layout) }
    if let place = choice.placeOfNewObjects(row.layout) { return place }
    // The only store that holds the entity may be read-only, which it says itself.
    return try choice.places(holding: row.layout, among: nil)[0]
  }

  private func places(_ rows: [PendingRow]) throws(ObjectGraphError) -> [Int] {
    try rows.map { (row) throws(ObjectGraphError) in
      guard let place = identities.firstIndex(where: { $0 === row.objectID.store }) else {
        throw .foreignObject(row.objectID)
      }
      return place
    }
  }

  /// Refuses to-one relationships with new objects of other stores; those with stored ones were refused when they were
  /// set.
  private func check(
    _ layout: EntityLayout, _ row: RowSnapshot, of objectID: ManagedObjectID, in store: Int,
    _ request: SaveChangesRequest
  ) throws(ObjectGraphError) {
    guard layout.hasToOneSlots else { return }
    for slot in layout.slots.indices {
      guard let reference = row[slot].reference, reference.key < 0, let other = newStores[reference.key],
        other != store
      else { continue }
      throw .relationshipAcrossStores(
        key: layout.slots[slot].name, object: objectID, store: identities[store].path,
        destination: ManagedObjectID(
          store: request.temporaryIdentity, entityIndex: reference.entityIndex, key: reference.key),
        destinationStore: identities[other].path)
    }
  }

  /// The store of both ends of a pair; a pair with an object that is not stored goes where the other is.
  private func place(of join: JoinChange, _ request: SaveChangesRequest) throws(ObjectGraphError) -> Int {
    let source = join.store.flatMap { store in identities.firstIndex { $0 === store } } ?? newStores[join.source]
    let destination = join.destination < 0 ? newStores[join.destination] : nil
    guard let place = source ?? destination else { return 0 }
    guard let destination, destination != place else { return place }
    let toMany = model.layouts.lazy.flatMap(\.toManyRelationships).first { toMany in
      if case .join(let ends) = toMany.storage { ends == join.ends } else { false }
    }
    func objectID(_ key: Int64, _ entity: Int?) -> ManagedObjectID {
      ManagedObjectID(
        store: key < 0 ? request.temporaryIdentity : join.store ?? request.temporaryIdentity,
        entityIndex: Int32(entity ?? 0), key: key)
    }
    throw .relationshipAcrossStores(
      key: toMany?.relationship.name ?? join.ends.table, object: objectID(join.source, toMany?.entityIndex),
      store: identities[place].path, destination: objectID(join.destination, toMany?.destinationIndex),
      destinationStore: identities[destination].path)
  }
}

/// A save in several stores, whose answers become the answer to the whole request.
private final class JointSave: JointRequest {
  private let division: SaveDivision
  private let stores: [any RowStore]
  private var outcome: SaveOutcome
  private var stale: [StaleRow] = []
  private var isSaved = false

  init(_ request: SaveChangesRequest, _ division: SaveDivision, _ stores: [any RowStore]) {
    self.division = division
    self.stores = stores
    outcome = SaveOutcome(
      insertions: InsertionOutcomes(keys: [Int64](repeating: 0, count: request.insertions.count)),
      updates: [Int64](repeating: 0, count: request.updates.count))
  }

  var reply: SaveReply { isSaved ? .saved(outcome) : .conflicts(stale) }

  var paths: [String] { division.parts.map { stores[$0.store].identity.path } }

  func write(
    _ place: Int, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> Bool {
    let part = division.parts[place]
    let store = stores[part.store]
    return take(try store.save(part.request, mayCommit: mayCommit), of: part, in: store.identity)
  }

  /// Takes in what a store answered; true when it has saved its part.
  private func take(_ reply: SaveReply, of part: SaveDivision.Part, in store: StoreIdentity) -> Bool {
    switch reply {
    case .conflicts(let rows):
      stale += rows.map { row in
        switch row {
        case .update(let index, let persisted): .update(part.updates[index], persisted: persisted)
        case .deletion(let index, let persisted): .deletion(part.deletions[index], persisted: persisted)
        case .clash(let index, let constraint): .clash(part.updates[index], constraint: constraint)
        }
      }
      isSaved = false
      return false
    case .saved(let saved):
      isSaved = true
      for (index, place) in part.insertions.enumerated() {
        outcome.insertions.keys[place] = saved.insertions.keys[index]
        outcome.insertions.versions[place] = saved.insertions.versions[index]
        outcome.insertions.standIns[place] = saved.insertions.standIns[index]
        if outcome.insertions.store == nil { outcome.insertions.store = store }
        if outcome.insertions.store !== store { outcome.insertions.otherStores[place] = store }
      }
      for (index, place) in part.updates.enumerated() { outcome.updates[place] = saved.updates[index] }
      outcome.replaced += saved.replaced
      outcome.historyToken = PersistentHistoryToken.covering([outcome.historyToken, saved.historyToken])
      return true
    }
  }
}
