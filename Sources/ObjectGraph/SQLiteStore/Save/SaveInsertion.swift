// The insertions of a save, and the rows that its new rows are written over.
internal import CoreDataModel
internal import SQLiteDriver

/// The insertions of one save, and what came of them.
struct SaveInsertion {
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
    var group: SavedGroup?
    do throws(SQLiteError) {
      try insertRows(reserved, &group)
    } catch {
      // Nobody else may be at the connection when the transaction is taken back.
      throw group?.endThread() ?? error
    }
  }

  private mutating func insertRows(
    _ reserved: KeyReservation.Root, _ group: inout SavedGroup?
  ) throws(SQLiteError) {
    let root = reserved.layout.rootIndex
    let lastKey = reserved.lastKey
    var insert = try statement(reserved.layout)
    group = try self.group(of: insert)
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
    var key = lastKey
    // Which of this save's rows has a key, where a later one can be written over it.
    var owners: [Int64: Int] = [:]
    for (index, row) in request.insertions.enumerated() where row.layout.rootIndex == root {
      if row.hasPermanentKey {
        try group?.flush()
        try insertUnderItsKey(row, index, lastKey)
        if insert.resolution == .overwriteStored { owners[row.temporaryKey] = index }
        continue
      }
      key += 1
      let layout = row.layout
      if layout !== insert.layout {
        try group?.flush()
        insert = try statement(layout)
        group = try self.group(of: insert)
      }
      if group != nil {
        try group?.insert(row.snapshot, key: key)
        outcomes.keys[index] = key
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
    try group?.flush()
  }

  /// Inserts a row whose key others may know already: it is stored under that key, or the save fails.
  private mutating func insertUnderItsKey(_ row: NewRow, _ index: Int, _ lastKey: Int64) throws(SQLiteError) {
    let insert = try InsertStatement(row.layout, resolution: .fail, writer: writer, references: references)
    do {
      try insert.insert(row.snapshot, key: row.temporaryKey)
    } catch  where error.extendedCode == .constraintUnique {
      return try noteConflict(of: row, firstKey: lastKey + 1, error: error)
    }
    outcomes.keys[index] = row.temporaryKey
    try writer.history?.inserted(row.layout, key: row.temporaryKey)
  }

  /// Stores several rows a step, where each is new for certain and there are enough of them.
  private func group(of insert: InsertStatement) throws(SQLiteError) -> SavedGroup? {
    guard insert.layout.constraints.isEmpty, request.insertions.count >= GroupedInsert.rowsBefore,
      let group = try GroupedInsert(insert, writer: writer)
    else { return nil }
    return SavedGroup(group, SavedRowHistory(recorder: writer.history, layout: insert.layout))
  }

  private func statement(_ layout: EntityLayout) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(layout, resolution: resolution, writer: writer, references: references)
  }

  /// Has rows that lead to a new row stored under another key than it was given lead to that key.
  mutating func mendReferences(_ reserved: KeyReservation) throws(SQLiteError) {
    guard request.hasRelationships, !outcomes.standIns.isEmpty || !outcomes.versions.isEmpty else { return }
    var moved: Set<Int64> = []
    for (index, row) in request.insertions.enumerated() where !row.hasPermanentKey {
      let key = outcomes.keys[index] == 0 ? outcomes.standIns[index] : outcomes.keys[index]
      guard key != references.keys[row.temporaryKey] else { continue }
      references.keys[row.temporaryKey] = key
      moved.insert(row.temporaryKey)
    }
    if moved.isEmpty { return }
    for row in request.updates { try repoint(row.layout, row.snapshot, key: row.objectID.key, moved) }
    for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
      try repoint(row.layout, row.snapshot, key: outcomes.keys[index], moved)
    }
  }

  private func repoint(
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
      store: row.hasPermanentKey ? writer.identity : request.temporaryIdentity,
      entityIndex: Int32(row.layout.index), key: row.temporaryKey)
    conflicts.append(
      ConstraintConflict(
        constraint: taken.constraint.map { row.layout.attributes[$0].name },
        constraintValues: taken.constraint.map { row.snapshot[$0] },
        databaseObjectID: taken.key < firstKey ? objectID.permanent(taken.key, in: writer.identity) : nil,
        conflictingObjectID: objectID))
  }
}
