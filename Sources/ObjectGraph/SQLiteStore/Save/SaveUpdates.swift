// The updates and deletions of a save, each for the version of the row that was read.
internal import CoreDataModel
internal import SQLiteDriver

/// The updates and deletions of one save, and their outcomes.
struct SaveUpdates {
  let writer: StoreWriter
  var versions: [Int64] = []
  /// Rows that have another version than the save expected, or are gone.
  var stale: [StaleRow] = []
  /// Updates with unique values that are taken: for resolving them, and for reporting them under the error policy.
  var clashes: [StaleRow] = []
  var conflicts: ConstraintConflicts
  /// A row with an impossible version in the file, with which it cannot have been read.
  var unknownVersion: (objectID: ManagedObjectID, found: String)?

  let references: StoredReferences
  let updates: [PendingRow]

  init(_ writer: StoreWriter, references: StoredReferences, updates: [PendingRow]) {
    self.references = references
    self.updates = updates
    self.writer = writer
    conflicts = ConstraintConflicts(writer.identity)
  }

  /// Deletes the row if it still has the version that was read.
  mutating func delete(_ row: PendingRow, index: Int) throws(SQLiteError) {
    try writer.history?.deleting(row.layout, key: row.objectID.key)
    let statement = try writer.statement("DELETE FROM \(row.layout.tableName) WHERE Z_PK = ? AND Z_OPT = ?")
    try statement.bind(row.objectID.key, at: 1)
    try statement.bind(row.snapshot.version, at: 2)
    try statement.run()
    if writer.connection.changes == 0 {
      let stored = try persisted(row)
      stale.append(.deletion(index, persisted: stored))
    } else {
      try writer.removePairs(of: row.layout, key: row.objectID.key)
    }
  }

  /// Writes the changed columns of the row if it still has the version that was read.
  mutating func update(_ row: PendingRow, index: Int) throws(SQLiteError) {
    versions.append(row.snapshot.version + 1)
    do {
      if try write(row) {
        try writer.history?.updated(
          row.layout, key: row.objectID.key,
          ChangedProperties(slots: row.changedSlots, toMany: row.changedToMany))
      } else {
        let stored = try persisted(row)
        stale.append(.update(index, persisted: stored))
      }
    } catch  where error.extendedCode == .constraintUnique {
      guard
        let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout, besides: row.objectID.key)
      else { throw error }
      let other = ManagedObjectID(
        store: writer.identity, entityIndex: Int32(taken.entityIndex ?? row.layout.index), key: taken.key)
      if let later = updates.dropFirst(index + 1).first(where: {
        $0.objectID.key == taken.key && $0.layout.rootIndex == row.layout.rootIndex
      }), let slot = taken.constraint.first(where: { row.layout.changes($0, in: later) }) {
        // A later update of this save releases the value, so clear its column until then.
        let statement = try writer.statement(
          "UPDATE \(row.layout.tableName) SET \(row.layout.columnName(of: slot)) = NULL WHERE Z_PK = ?")
        try statement.bind(taken.key, at: 1)
        try statement.run()
        versions.removeLast()
        return try update(row, index: index)
      }
      clashes.append(.clash(index, constraint: taken.constraint, taken: other))
      conflicts.note(row.objectID, row.snapshot, row.layout, taken)
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

  /// The row as it is stored now, after it was not found with the version that was read.
  private mutating func persisted(_ row: PendingRow) throws(SQLiteError) -> RowSnapshot? {
    let query = writer.keyedRows[row.layout.index]
    let persisted = try query.row(key: row.objectID.key, try writer.statement(query.sql))
    // It would be read the same way and again not be found, however the conflict were resolved.
    if persisted?.version == row.snapshot.version { unknownVersion = (row.objectID, try version(row)) }
    return persisted
  }

  /// The row's version in the file.
  private func version(_ row: PendingRow) throws(SQLiteError) -> String {
    let statement = try writer.statement("SELECT Z_OPT FROM \(row.layout.tableName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(row.objectID.key, at: 1)
    guard try statement.step() else { return "no row" }
    return switch statement.columnType(0) {
    case .null: "no value"
    case .text: "a text"
    case .blob: "a blob"
    default: statement.string(0) ?? "\(statement.int64(0))"
    }
  }
}

extension EntityLayout {
  /// Whether an update, possibly of another entity in the hierarchy, sets the property of a slot.
  fileprivate func changes(_ slot: Int, in update: PendingRow) -> Bool {
    // Entities of one hierarchy share columns, but not slots.
    update.layout.slot(named: slots[slot].name).map(update.changedSlots.contains) ?? false
  }

  fileprivate func updateSQL(_ slots: [Int]) -> String {
    "UPDATE \(tableName) SET "
      + (columns.filter { slots.contains($0.slot) }.map(\.name) + ["Z_OPT"]).map { "\($0) = ?" }
      .joined(separator: ", ") + " WHERE Z_PK = ? AND Z_OPT = ?"
  }
}
