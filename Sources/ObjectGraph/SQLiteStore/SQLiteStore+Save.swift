// A save: all of its insertions, updates and deletions in one transaction.
internal import SQLiteDriver

extension SQLiteStore {
  func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    try write { (writer) throws(ObjectGraphError) in
      try during("saving") { () throws(SQLiteError) in try writer.connection.begin(.immediate) }
      do throws(ObjectGraphError) {
        let reply = try writer.save(request)
        if case .conflicts = reply {
          writer.connection.rollback()
        } else {
          try during("saving") { () throws(SQLiteError) in try writer.connection.commit() }
        }
        return reply
      } catch {
        writer.connection.rollback()
        throw error
      }
    }
  }
}

extension StoreWriter {
  /// Inserts the rows in their order, with keys reserved once an entity.
  fileprivate func insert(
    _ rows: [PendingRow], mergePolicy: MergePolicy
  ) throws(ObjectGraphError) -> [InsertionOutcome] {
    var insertion = SaveInsertion(self, resolution: ConflictResolution(saveUnder: mergePolicy))
    var layouts: [EntityLayout] = []
    for row in rows where !layouts.contains(where: { $0 === row.layout }) { layouts.append(row.layout) }
    var outcomes = [InsertionOutcome](repeating: .givenUp, count: rows.count)
    for layout in layouts {
      try during("inserting \(layout.entity.name)") { () throws(SQLiteError) in
        try insertion.insert(rows, of: layout, into: &outcomes)
      }
    }
    if !insertion.conflicts.isEmpty { throw .constraintConflict(insertion.conflicts) }
    return outcomes
  }

  /// Deletions first, so that their unique values are free for updates and insertions.
  fileprivate func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    let resolution = ConflictResolution(saveUnder: request.mergePolicy)
    var changes = SaveChanges(self, resolution: resolution)
    for (index, row) in request.deletions.enumerated() {
      try during("deleting \(row.layout.entity.name)") { () throws(SQLiteError) in
        try changes.delete(row, index: index)
      }
    }
    for (index, row) in request.updates.enumerated() {
      try during("updating \(row.layout.entity.name)") { () throws(SQLiteError) in
        try changes.update(row, index: index)
      }
    }
    if !changes.stale.isEmpty { return .conflicts(changes.stale) }
    if !changes.clashes.isEmpty {
      if resolution == .fail { throw .constraintConflict(changes.conflicts) }
      return .conflicts(changes.clashes)
    }
    var outcome = SaveOutcome(updates: changes.versions, replaced: changes.replaced)
    outcome.insertions = try insert(request.insertions, mergePolicy: request.mergePolicy)
    return .saved(outcome)
  }
}

extension EntityLayout {
  fileprivate func updateSQL(_ slots: [Int]) -> String {
    "UPDATE \(tableName) SET "
      + (slots.map { attributes[$0].columnName } + ["Z_OPT"]).map { "\($0) = ?" }
      .joined(separator: ", ") + " WHERE Z_PK = ? AND Z_OPT = ?"
  }
}

/// The updates and deletions of one save, and what came of them.
private struct SaveChanges {
  let writer: StoreWriter
  let resolution: ConflictResolution
  var versions: [Int64] = []
  var replaced: [ManagedObjectID] = []
  /// Rows of another version than the save thought, or gone.
  var stale: [StaleRow] = []
  /// Updates whose unique values are taken, and the same for the error policy.
  var clashes: [StaleRow] = []
  var conflicts: [ConstraintConflict] = []

  init(_ writer: StoreWriter, resolution: ConflictResolution) {
    self.writer = writer
    self.resolution = resolution
  }

  /// Deletes the row, if it still has the version it was read with.
  mutating func delete(_ row: PendingRow, index: Int) throws(SQLiteError) {
    let statement = try writer.statement("DELETE FROM \(row.layout.tableName) WHERE Z_PK = ? AND Z_OPT = ?")
    try statement.bind(row.objectID.key, at: 1)
    try statement.bind(row.snapshot.version, at: 2)
    try statement.run()
    if writer.connection.changes == 0 { stale.append(.deletion(index, persisted: try persisted(row))) }
  }

  /// Writes the changed columns of the row, if it still has the version it was read with.
  mutating func update(_ row: PendingRow, index: Int) throws(SQLiteError) {
    versions.append(row.snapshot.version + 1)
    do {
      if try !write(row) { stale.append(.update(index, persisted: try persisted(row))) }
    } catch  where error.extendedCode == .constraintUnique {
      guard
        let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout, besides: row.objectID.key)
      else { throw error }
      let other = row.objectID.permanent(taken.key, in: writer.identity)
      if resolution == .overwriteStored {
        // What is in memory wins: the stored row that has its values makes way.
        try remove(other, of: row.layout)
        replaced.append(other)
        versions.removeLast()
        return try update(row, index: index)
      }
      clashes.append(.clash(index, constraint: taken.constraint))
      conflicts.append(
        ConstraintConflict(
          constraint: taken.constraint.map { row.layout.attributes[$0].name },
          constraintValues: taken.constraint.map { row.snapshot[$0] }, databaseObjectID: other,
          conflictingObjectID: row.objectID))
    }
  }

  private func write(_ row: PendingRow) throws(SQLiteError) -> Bool {
    let slots = row.layout.columnOrder.filter(row.changedSlots.contains)
    let statement = try writer.statement(row.layout.updateSQL(slots))
    for (place, slot) in slots.enumerated() { try statement.bind(row.snapshot[slot], at: place + 1) }
    try statement.bind(row.snapshot.version + 1, at: slots.count + 1)
    try statement.bind(row.objectID.key, at: slots.count + 2)
    try statement.bind(row.snapshot.version, at: slots.count + 3)
    try statement.run()
    return writer.connection.changes == 1
  }

  private func persisted(_ row: PendingRow) throws(SQLiteError) -> RowSnapshot? {
    try row.layout.row(key: row.objectID.key, try writer.statement(row.layout.selectByKeySQL))
  }

  private func remove(_ objectID: ManagedObjectID, of layout: EntityLayout) throws(SQLiteError) {
    let statement = try writer.statement("DELETE FROM \(layout.tableName) WHERE Z_PK = ?")
    try statement.bind(objectID.key, at: 1)
    try statement.run()
  }
}

/// The insertions of one save, and what came of them.
private struct SaveInsertion {
  let writer: StoreWriter
  let resolution: ConflictResolution
  /// Under the error policy: every object whose unique values are taken.
  ///
  /// The transaction is given up then.
  var conflicts: [ConstraintConflict] = []

  init(_ writer: StoreWriter, resolution: ConflictResolution) {
    self.writer = writer
    self.resolution = resolution
  }

  /// Inserts the rows of one entity.
  mutating func insert(
    _ rows: [PendingRow], of layout: EntityLayout, into outcomes: inout [InsertionOutcome]
  ) throws(SQLiteError) {
    let insert = try InsertStatement(layout, resolution: resolution, writer: writer)
    let lastKey = try writer.lastKey(of: layout)
    let reserved = rows.count { $0.layout === layout }
    try writer.setLastKey(of: layout, to: lastKey + Int64(reserved))
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
    var key = lastKey
    var owners: [Int64: Int] = [:]
    for (index, row) in rows.enumerated() where row.layout === layout {
      key += 1
      do {
        try insert.insert(row.snapshot, key: key)
      } catch  where error.extendedCode == .constraintUnique && insert.resolution == .fail {
        try noteConflict(of: row, firstKey: lastKey + 1, error: error)
        continue
      }
      if writer.connection.lastInsertRowID == key {
        outcomes[index] = .stored(row.objectID.permanent(key, in: writer.identity), version: 1)
        // Only a later row can be written over it, and only where values must be unique.
        if insert.resolution == .overwriteStored { owners[key] = index }
      } else if insert.resolution == .overwriteStored,
        let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: layout)
      {
        if let earlier = owners.updateValue(index, forKey: taken.key) { outcomes[earlier] = .givenUp }
        outcomes[index] = .stored(row.objectID.permanent(taken.key, in: writer.identity), version: taken.version)
      }
    }
  }

  private mutating func noteConflict(of row: PendingRow, firstKey: Int64, error: SQLiteError) throws(SQLiteError) {
    guard let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout) else { throw error }
    conflicts.append(
      ConstraintConflict(
        constraint: taken.constraint.map { row.layout.attributes[$0].name },
        constraintValues: taken.constraint.map { row.snapshot[$0] },
        databaseObjectID: taken.key < firstKey ? row.objectID.permanent(taken.key, in: writer.identity) : nil,
        conflictingObjectID: row.objectID))
  }
}

extension ManagedObjectID {
  /// The identity of the same entity's row under a key of the store.
  func permanent(_ key: Int64, in store: StoreIdentity) -> ManagedObjectID {
    ManagedObjectID(store: store, entityIndex: entityIndex, key: key)
  }
}
