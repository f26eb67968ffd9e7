// A save: all of its insertions, updates and deletions in one transaction.
internal import SQLiteDriver

extension SQLiteStore {
  func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveOutcome {
    try write { (writer) throws(ObjectGraphError) in
      try writer.transaction("saving") { () throws(ObjectGraphError) in
        var outcome = SaveOutcome()
        outcome.insertions = try writer.insert(request.insertions, mergePolicy: request.mergePolicy)
        outcome.updates = try writer.update(request.updates)
        try writer.delete(request.deletions)
        return outcome
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

  /// Writes the changed columns of each row, if it still has the version it was read with.
  fileprivate func update(_ rows: [PendingRow]) throws(ObjectGraphError) -> [Int64] {
    var versions: [Int64] = []
    var stale: [ManagedObjectID] = []
    for row in rows {
      let isDone = try during("updating \(row.layout.entity.name)") { () throws(SQLiteError) in
        let slots = row.layout.columnOrder.filter(row.changedSlots.contains)
        let statement = try statement(row.layout.updateSQL(slots))
        for (place, slot) in slots.enumerated() { try statement.bind(row.snapshot[slot], at: place + 1) }
        try statement.bind(row.snapshot.version + 1, at: slots.count + 1)
        try statement.bind(row.objectID.key, at: slots.count + 2)
        try statement.bind(row.snapshot.version, at: slots.count + 3)
        try statement.run()
        return connection.changes == 1
      }
      versions.append(row.snapshot.version + 1)
      if !isDone { stale.append(row.objectID) }
    }
    if !stale.isEmpty { throw .optimisticLocking(stale) }
    return versions
  }

  /// Deletes each row, if it still has the version it was read with.
  fileprivate func delete(_ rows: [PendingRow]) throws(ObjectGraphError) {
    var stale: [ManagedObjectID] = []
    for row in rows {
      let isDone = try during("deleting \(row.layout.entity.name)") { () throws(SQLiteError) in
        let statement = try statement("DELETE FROM \(row.layout.tableName) WHERE Z_PK = ? AND Z_OPT = ?")
        try statement.bind(row.objectID.key, at: 1)
        try statement.bind(row.snapshot.version, at: 2)
        try statement.run()
        return connection.changes == 1
      }
      if !isDone { stale.append(row.objectID) }
    }
    if !stale.isEmpty { throw .optimisticLocking(stale) }
  }
}

extension EntityLayout {
  fileprivate func updateSQL(_ slots: [Int]) -> String {
    "UPDATE \(tableName) SET "
      + (slots.map(columnName(of:)) + ["Z_OPT"]).map { "\($0) = ?" }
      .joined(separator: ", ") + " WHERE Z_PK = ? AND Z_OPT = ?"
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
