// A save: all of its insertions, updates and deletions in one transaction.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteStore {
  func save(
    _ request: SaveChangesRequest, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> SaveReply {
    try write { (writer) throws(ObjectGraphError) in
      try writer.begin("saving", by: request.origin)
      do throws(ObjectGraphError) {
        let reply = try writer.save(request)
        guard case .saved(var outcome) = reply else {
          writer.rollback()
          return reply
        }
        guard try mayCommit() else {
          writer.rollback()
          return .conflicts([])
        }
        outcome.historyToken = try writer.commit(request.tracer)
        return .saved(outcome)
      } catch {
        writer.rollback()
        throw error
      }
    }
  }
}

extension StoreWriter {
  /// Commits, and tells the tracer of history's part and of the commit itself.
  fileprivate func commit(_ tracer: (any SaveTracer)?) throws(ObjectGraphError) -> PersistentHistoryToken? {
    guard let tracer else { return try commit("saving") }
    if history != nil { tracer.began(.history) }
    return try commit("saving") { tracer.began(.commit) }
  }

  /// Inserts the new rows in their order, with keys reserved once an entity.
  private func insert(
    _ request: SaveChangesRequest, _ keys: KeyReservation, _ references: inout StoredReferences
  ) throws(ObjectGraphError) -> InsertionOutcomes {
    var insertion = SaveInsertion(self, request, references)
    for root in keys.roots {
      try during("inserting \(root.layout.entity.name)") { () throws(SQLiteError) in
        try insertion.insert(root)
      }
    }
    if !insertion.conflicts.isEmpty { throw .constraintConflict(insertion.conflicts) }
    try during("linking rows that took the place of others") { () throws(SQLiteError) in
      try insertion.mendReferences(keys)
    }
    references = insertion.references
    return insertion.outcomes
  }

  /// Deletions first, so that their unique values are free for updates and insertions.
  fileprivate func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    let resolution = ConflictResolution(saveUnder: request.mergePolicy)
    var references = StoredReferences(entityNumbers)
    let tracer = request.tracer
    tracer?.began(.keyReservation)
    let keys = try during("reserving keys") { () throws(SQLiteError) in try KeyReservation(request, self) }
    if request.hasRelationships { references.keys = keys.keys(of: request) }
    var changes = SaveChanges(self, resolution: resolution, references: references, updates: request.updates)
    if !request.deletions.isEmpty { tracer?.began(.deletions) }
    for (index, row) in request.deletions.enumerated() {
      try during("deleting \(row.layout.entity.name)") { () throws(SQLiteError) in
        try changes.delete(row, index: index)
      }
    }
    if !request.updates.isEmpty { tracer?.began(.updates) }
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
    if !request.insertions.isEmpty { tracer?.began(.insertions) }
    outcome.insertions = try insert(request, keys, &references)
    if !request.joins.isEmpty { tracer?.began(.linking) }
    try during("linking") { () throws(SQLiteError) in try apply(request.joins, references) }
    return .saved(outcome)
  }
}

extension EntityLayout {
  fileprivate func updateSQL(_ slots: [Int]) -> String {
    "UPDATE \(tableName) SET "
      + (columns.filter { slots.contains($0.slot) }.map(\.name) + ["Z_OPT"]).map { "\($0) = ?" }
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

  let references: StoredReferences
  let updates: [PendingRow]

  init(
    _ writer: StoreWriter, resolution: ConflictResolution, references: StoredReferences, updates: [PendingRow]
  ) {
    self.references = references
    self.updates = updates
    self.writer = writer
    self.resolution = resolution
  }

  /// Deletes the row, if it still has the version it was read with.
  mutating func delete(_ row: PendingRow, index: Int) throws(SQLiteError) {
    try writer.history?.deleting(row.layout, key: row.objectID.key)
    let statement = try writer.statement("DELETE FROM \(row.layout.tableName) WHERE Z_PK = ? AND Z_OPT = ?")
    try statement.bind(row.objectID.key, at: 1)
    try statement.bind(row.snapshot.version, at: 2)
    try statement.run()
    if writer.connection.changes == 0 {
      stale.append(.deletion(index, persisted: try persisted(row)))
    } else {
      try writer.removePairs(of: row.layout, key: row.objectID.key)
    }
  }

  /// Writes the changed columns of the row, if it still has the version it was read with.
  mutating func update(_ row: PendingRow, index: Int) throws(SQLiteError) {
    versions.append(row.snapshot.version + 1)
    do {
      if try write(row) {
        try writer.history?.updated(
          row.layout, key: row.objectID.key,
          ChangedProperties(slots: row.changedSlots, toMany: row.changedToMany))
      } else {
        stale.append(.update(index, persisted: try persisted(row)))
      }
    } catch  where error.extendedCode == .constraintUnique {
      guard
        let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout, besides: row.objectID.key)
      else { throw error }
      let other = row.objectID.permanent(taken.key, in: writer.identity)
      if let later = updates.dropFirst(index + 1).first(where: {
        $0.objectID.key == taken.key && $0.layout.rootIndex == row.layout.rootIndex
      }), let slot = taken.constraint.first(where: later.changedSlots.contains) {
        // A later update of this save gives the value up: its column is emptied until then.
        let statement = try writer.statement(
          "UPDATE \(row.layout.tableName) SET \(row.layout.columnName(of: slot)) = NULL WHERE Z_PK = ?")
        try statement.bind(taken.key, at: 1)
        try statement.run()
        versions.removeLast()
        return try update(row, index: index)
      }
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
    var index = 1
    for column in row.layout.columns where row.changedSlots.contains(column.slot) {
      try statement.bind(row.snapshot[column.slot], as: column.role, at: index, references)
      index += 1
    }
    try statement.bind(row.snapshot.version + 1, at: index)
    try statement.bind(row.objectID.key, at: index + 1)
    try statement.bind(row.snapshot.version, at: index + 2)
    try statement.run()
    return writer.connection.changes == 1
  }

  private func persisted(_ row: PendingRow) throws(SQLiteError) -> RowSnapshot? {
    let query = writer.keyedRows[row.layout.index]
    return try query.row(key: row.objectID.key, try writer.statement(query.sql))
  }

  private func remove(_ objectID: ManagedObjectID, of layout: EntityLayout) throws(SQLiteError) {
    try writer.history?.deletingRow(ofTable: layout, key: objectID.key)
    let statement = try writer.statement("DELETE FROM \(layout.tableName) WHERE Z_PK = ?")
    try statement.bind(objectID.key, at: 1)
    try statement.run()
    try writer.removePairs(of: layout, key: objectID.key)
  }
}

/// The keys that a save's new rows get, reserved once a table.
private struct KeyReservation {
  struct Root {
    /// The first entity of the table that has new rows.
    let layout: EntityLayout
    let lastKey: Int64
  }

  var roots: [Root] = []

  init(_ request: SaveChangesRequest, _ writer: StoreWriter) throws(SQLiteError) {
    var counts: [(layout: EntityLayout, count: Int64)] = []
    for row in request.insertions {
      if let last = counts.last, last.layout.rootIndex == row.layout.rootIndex {
        counts[counts.count - 1].count += 1
      } else if let position = counts.firstIndex(where: { $0.layout.rootIndex == row.layout.rootIndex }) {
        counts[position].count += 1
      } else {
        counts.append((row.layout, 1))
      }
    }
    for (layout, count) in counts {
      let lastKey = try writer.lastKey(of: layout)
      try writer.setLastKey(of: layout, to: lastKey + count)
      roots.append(Root(layout: layout, lastKey: lastKey))
    }
  }

  /// The key of each new row by its temporary key, as far as nothing stands in its way.
  func keys(of request: SaveChangesRequest) -> [Int64: Int64] {
    var last = Dictionary(roots.map { ($0.layout.rootIndex, $0.lastKey) }) { first, _ in first }
    var keys: [Int64: Int64] = [:]
    for row in request.insertions {
      last[row.layout.rootIndex, default: 0] += 1
      keys[row.temporaryKey] = last[row.layout.rootIndex]
    }
    return keys
  }
}

/// The insertions of one save, and what came of them.
private struct SaveInsertion {
  let writer: StoreWriter
  let request: SaveChangesRequest
  let resolution: ConflictResolution
  var outcomes: InsertionOutcomes
  /// Under the error policy: every object whose unique values are taken.
  ///
  /// The transaction is given up then.
  var conflicts: [ConstraintConflict] = []
  var references: StoredReferences

  init(_ writer: StoreWriter, _ request: SaveChangesRequest, _ references: StoredReferences) {
    self.references = references
    self.writer = writer
    self.request = request
    resolution = ConflictResolution(saveUnder: request.mergePolicy)
    outcomes = InsertionOutcomes(
      keys: [Int64](repeating: 0, count: request.insertions.count), store: writer.identity)
  }

  /// Inserts the rows of one table, in their order.
  mutating func insert(_ reserved: KeyReservation.Root) throws(SQLiteError) {
    let root = reserved.layout.rootIndex
    let lastKey = reserved.lastKey
    var insert = try statement(reserved.layout)
    var group = try group(of: insert)
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
    var key = lastKey
    // Which of this save's rows has a key, where a later one can be written over it.
    var owners: [Int64: Int] = [:]
    for (index, row) in request.insertions.enumerated() where row.layout.rootIndex == root {
      key += 1
      let layout = row.layout
      if layout !== insert.layout {
        try flush(&group)
        insert = try statement(layout)
        group = try self.group(of: insert)
      }
      if group != nil {
        do throws(GroupedInsert.Refusal) { try group?.insert(row.snapshot, key: key) } catch { throw error.error }
        outcomes.keys[index] = key
        try writer.history?.inserted(layout, key: key)
        continue
      }
      do {
        try insert.insert(row.snapshot, key: key)
      } catch  where error.extendedCode == .constraintUnique && insert.resolution == .fail {
        try noteConflict(of: row, firstKey: lastKey + 1, error: error)
        continue
      }
      if writer.connection.lastInsertRowID == key {
        outcomes.keys[index] = key
        try writer.history?.inserted(layout, key: key)
        if insert.resolution == .overwriteStored { owners[key] = index }
      } else if insert.resolution == .overwriteStored,
        let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: layout)
      {
        let earlier = owners.updateValue(index, forKey: taken.key)
        if let earlier {
          outcomes.keys[earlier] = 0
          outcomes.standIns[earlier] = taken.key
        }
        try writer.history?.overwritten(layout, key: taken.key, .row, isToldOf: earlier != nil)
        outcomes.keys[index] = taken.key
        outcomes.versions[index] = taken.version
      } else if request.hasRelationships,
        let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: layout)
      {
        outcomes.standIns[index] = taken.key
      }
    }
    try flush(&group)
  }

  /// Stores several rows a step, where each is new for certain and there are enough of them.
  private func group(of insert: InsertStatement) throws(SQLiteError) -> GroupedInsert? {
    guard insert.layout.constraints.isEmpty, request.insertions.count >= GroupedInsert.rowsBefore else { return nil }
    return try GroupedInsert(insert, writer: writer)
  }

  private func flush(_ group: inout GroupedInsert?) throws(SQLiteError) {
    do throws(GroupedInsert.Refusal) { try group?.flush() } catch { throw error.error }
  }

  private func statement(_ layout: EntityLayout) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(layout, resolution: resolution, writer: writer, references: references)
  }

  /// Has rows that lead to a new row stored under another key than it was given lead to that key.
  mutating func mendReferences(_ reserved: KeyReservation) throws(SQLiteError) {
    guard request.hasRelationships, !outcomes.standIns.isEmpty || !outcomes.versions.isEmpty else { return }
    var moved: Set<Int64> = []
    for (index, row) in request.insertions.enumerated() {
      let key = outcomes.keys[index] == 0 ? outcomes.standIns[index] : outcomes.keys[index]
      guard key != references.keys[row.temporaryKey] else { continue }
      references.keys[row.temporaryKey] = key
      moved.insert(row.temporaryKey)
    }
    if moved.isEmpty { return }
    for row in request.updates { try mend(row.layout, row.snapshot, key: row.objectID.key, moved) }
    for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
      try mend(row.layout, row.snapshot, key: outcomes.keys[index], moved)
    }
  }

  private func mend(
    _ layout: EntityLayout, _ row: RowSnapshot, key: Int64, _ moved: Set<Int64>
  ) throws(SQLiteError) {
    guard layout.hasToOneSlots else { return }
    let columns = layout.columns.filter { column in row[column.slot].reference.map { moved.contains($0.key) } ?? false }
    if columns.isEmpty { return }
    let assignments = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    let statement = try writer.statement("UPDATE \(layout.tableName) SET \(assignments) WHERE Z_PK = ?")
    for (index, column) in columns.enumerated() {
      try statement.bind(row[column.slot], as: column.role, at: index + 1, references)
    }
    try statement.bind(key, at: columns.count + 1)
    try statement.run()
  }

  private mutating func noteConflict(of row: NewRow, firstKey: Int64, error: SQLiteError) throws(SQLiteError) {
    guard let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout) else { throw error }
    let objectID = ManagedObjectID(
      store: request.temporaryIdentity, entityIndex: Int32(row.layout.index), key: row.temporaryKey)
    conflicts.append(
      ConstraintConflict(
        constraint: taken.constraint.map { row.layout.attributes[$0].name },
        constraintValues: taken.constraint.map { row.snapshot[$0] },
        databaseObjectID: taken.key < firstKey ? objectID.permanent(taken.key, in: writer.identity) : nil,
        conflictingObjectID: objectID))
  }
}

extension ManagedObjectID {
  /// The identity of the same entity's row under a key of the store.
  func permanent(_ key: Int64, in store: StoreIdentity) -> ManagedObjectID {
    ManagedObjectID(store: store, entityIndex: entityIndex, key: key)
  }
}
