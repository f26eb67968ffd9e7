// Divides a save in several stores into a part for each.
internal import CoreDataModel

/// A save divided into a request for each store.
struct SavePartition {
  /// One store's part of a save, and the indexes of its rows in the whole request.
  struct Part {
    let store: Int
    let request: SaveChangesRequest
    let insertions: [Int]
    let updates: [Int]
    let deletions: [Int]
  }

  private(set) var parts: [Part] = []
  /// The only store involved, if the save need not be divided.
  private(set) var onlyStore: Int?
  private let identities: [StoreIdentity]
  private let model: CompiledModel
  /// The stores of new objects by their temporary keys.
  private var newStores: [Int64: Int] = [:]

  /// - Parameters:
  ///   - request: The save.
  ///   - identities: The open stores.
  ///   - model: The model of all of them.
  ///   - others: Stores that take part even if they have no rows.
  /// - Throws: ``ObjectGraphError`` for rows that no store can take, or that refer to another store.
  init(
    _ request: SaveChangesRequest, _ identities: [StoreIdentity], _ model: CompiledModel, andIn others: [Int] = []
  ) throws(ObjectGraphError) {
    self.identities = identities
    self.model = model
    var insertions: [Int] = []
    for (index, row) in request.insertions.enumerated() {
      let known = row.hasPermanentKey ? request.obtainedStores[index] : request.assignedStores[row.temporaryKey]
      let store = try position(ofNew: row, known)
      insertions.append(store)
      if !row.hasPermanentKey { newStores[row.temporaryKey] = store }
    }
    let updates = try positions(request.updates)
    let deletions = try positions(request.deletions)
    for (row, store) in zip(request.insertions, insertions) {
      let objectID = ManagedObjectID(
        store: row.hasPermanentKey ? identities[store] : request.temporaryIdentity,
        entityIndex: Int32(row.layout.index), key: row.temporaryKey)
      try check(row.layout, row.snapshot, of: objectID, in: store, request)
    }
    for (row, store) in zip(request.updates, updates) {
      try check(row.layout, row.snapshot, of: row.objectID, in: store, request)
    }
    let joins = try request.joins.map { (join) throws(ObjectGraphError) in try position(of: join, request) }
    let used = Set(insertions).union(updates).union(deletions).union(joins).union(others)
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
            assignedStores: [:], obtainedStores: [:], tracer: request.tracer),
          insertions: mine, updates: myUpdates, deletions: myDeletions))
    }
  }

  private func position(ofNew row: ManagedObject, _ assigned: StoreIdentity?) throws(ObjectGraphError) -> Int {
    let choice = StoreAssignment(identities)
    if let assigned { return try choice.position(of: PersistentStore(identity: assigned), holding: row.layout) }
    if let position = choice.placeOfNewObjects(row.layout) { return position }
    // If the only store with the entity is read-only, it reports the error itself.
    return try choice.positions(holding: row.layout, among: nil)[0]
  }

  private func positions(_ rows: [PendingRow]) throws(ObjectGraphError) -> [Int] {
    try rows.map { (row) throws(ObjectGraphError) in
      guard let position = identities.firstIndex(where: { $0 === row.objectID.store }) else {
        throw .foreignObject(row.objectID)
      }
      return position
    }
  }

  /// Refuses to-one relationships with new objects of other stores; those with stored objects were refused when they
  /// were set.
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

  /// The store of both ends of a pair; a pair with an object that is not stored belongs to the store of the other.
  private func position(of join: JoinChange, _ request: SaveChangesRequest) throws(ObjectGraphError) -> Int {
    let source = join.store.flatMap { store in identities.firstIndex { $0 === store } } ?? newStores[join.source]
    let destination = join.destination < 0 ? newStores[join.destination] : nil
    guard let position = source ?? destination else { return 0 }
    guard let destination, destination != position else { return position }
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
      store: identities[position].path, destination: objectID(join.destination, toMany?.destinationIndex),
      destinationStore: identities[destination].path)
  }
}
