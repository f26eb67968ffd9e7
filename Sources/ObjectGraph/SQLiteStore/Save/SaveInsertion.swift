// The insertions of a save: the keys of its new rows, and the rows that they overwrite.
internal import CoreDataModel
internal import SQLiteDriver

/// The insertions of one save, and their outcomes.
struct SaveInsertion {
  /// A stored row, by its hierarchy and key.
  struct StoredRow: Hashable {
    let root: Int
    let key: Int64
  }

  /// A table with new rows.
  struct Table {
    /// The first entity of the table with new rows.
    let layout: EntityLayout
    /// The last key before the save.
    let lastKey: Int64
  }

  let writer: StoreWriter
  let request: SaveChangesRequest
  let resolution: ConflictResolution
  var outcomes: InsertionOutcomes
  /// Under the error policy, every object with unique values that are taken.
  ///
  /// The transaction is then rolled back.
  var conflicts: ConstraintConflicts
  /// How the save's rows refer to each other.
  var references: StoredReferences
  /// Rows that new rows of other entities have overwritten, with their present layouts.
  var reclassified: [StoredRow: EntityLayout] = [:]
  /// Stored rows that new ones in a shared table have overwritten, with their entities before the save.
  var entitiesBefore: [StoredRow: Int] = [:]

  // MARK: - The table whose rows are being inserted

  private(set) var tables: [Table] = []
  /// The index of the next row in the request.
  var index = 0
  /// The last key that was assigned to a row.
  var key: Int64 = 0
  /// The index of this save's row with a key, if a later row may overwrite it.
  var owners: [Int64: Int] = [:]

  /// Reserves a key for each new row, once for each table.
  init(_ writer: StoreWriter, _ request: SaveChangesRequest) throws(ObjectGraphError) {
    references = StoredReferences(writer.entityNumbers)
    self.writer = writer
    self.request = request
    conflicts = ConstraintConflicts(writer.identity)
    resolution = ConflictResolution(saveUnder: request.mergePolicy)
    outcomes = InsertionOutcomes(
      keys: InsertionKeys(count: request.insertions.count), store: writer.identity)
    try reserveKeys()
    if request.hasRelationships { references.keys = reservedKeys() }
  }

  private mutating func reserveKeys() throws(ObjectGraphError) {
    var counts: [(layout: EntityLayout, count: Int64)] = []
    for row in request.insertions {
      // A row that already has a key needs none, but its table is also written.
      let wanted: Int64 = row.hasPermanentKey ? 0 : 1
      if let last = counts.last, last.layout.rootIndex == row.layout.rootIndex {
        counts[counts.count - 1].count += wanted
      } else if let position = counts.firstIndex(where: { $0.layout.rootIndex == row.layout.rootIndex }) {
        counts[position].count += wanted
      } else {
        counts.append((row.layout, wanted))
      }
    }
    for (layout, count) in counts {
      let lastKey = try writer.lastKey(of: layout)
      try during("reserving keys") { () throws(SQLiteError) in
        if count > 0 { try writer.setLastKey(of: layout, to: lastKey + count) }
      }
      tables.append(Table(layout: layout, lastKey: lastKey))
    }
  }

  /// The keys that new rows get, by their temporary keys, unless a row conflicts with a stored one.
  private func reservedKeys() -> [Int64: Int64] {
    var last = Dictionary(tables.map { ($0.layout.rootIndex, $0.lastKey) }) { first, _ in first }
    var keys: [Int64: Int64] = [:]
    for row in request.insertions where !row.hasPermanentKey {
      last[row.layout.rootIndex, default: 0] += 1
      keys[row.temporaryKey] = last[row.layout.rootIndex]
    }
    return keys
  }

  /// Corrects the rows that refer to a new row which is stored with another key than it was given, or to a row that now
  /// has another entity.
  mutating func repairReferences() throws(SQLiteError) {
    guard request.hasRelationships, !outcomes.standIns.isEmpty || !outcomes.versions.isEmpty else { return }
    let overwritten = overwrittenRows()
    settleStandIns(overwritten)
    var moved: Set<Int64> = []
    for (index, row) in request.insertions.enumerated() where !row.hasPermanentKey {
      let standIn = outcomes.keys[index] == 0 ? outcomes.standIns[index] : nil
      let key = outcomes.keys[index] == 0 ? standIn?.key : outcomes.keys[index]
      let isOfOther = standIn.map { $0.entityIndex != Int32(row.layout.index) } ?? false
      guard isOfOther || key != references.keys[row.temporaryKey] else { continue }
      references.keys[row.temporaryKey] = key
      if let standIn { references.entities[row.temporaryKey] = standIn.entityIndex }
      moved.insert(row.temporaryKey)
    }
    if !moved.isEmpty {
      // An updated row that a new one has overwritten has the new one's references.
      for row in request.updates
      where overwritten[StoredRow(root: row.layout.rootIndex, key: row.objectID.key)] == nil {
        try repoint(row.layout, row.snapshot, key: row.objectID.key, moved)
      }
      for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
        try repoint(row.layout, row.snapshot, key: outcomes.keys[index], moved)
      }
    }
    // New rows may refer to it by the entity that it had when they were created.
    for (row, layout) in reclassified.sorted(by: { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }) {
      try Reclassification(to: layout, writer)?.repoint(key: row.key)
    }
  }

  /// The entities of the stored rows that belong to new objects now, with the relationships of those.
  ///
  /// A row may have been overwritten several times, by rows of several entities: the last one counts.
  func overwrittenRows() -> [StoredRow: Int32] {
    var entities: [StoredRow: Int32] = [:]
    for index in outcomes.versions.keys where outcomes.keys[index] != 0 {
      let layout = request.insertions[index].layout
      entities[StoredRow(root: layout.rootIndex, key: outcomes.keys[index])] = Int32(layout.index)
    }
    return entities
  }

  private mutating func settleStandIns(_ overwritten: [StoredRow: Int32]) {
    for (index, row) in outcomes.standIns {
      let root = request.insertions[index].layout.rootIndex
      guard let entity = overwritten[StoredRow(root: root, key: row.key)] else { continue }
      outcomes.standIns[index] = ObjectReference(key: row.key, entityIndex: entity)
    }
  }

  /// Writes the foreign keys of a row to destinations that are stored with other keys.
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

  mutating func noteConflict(of row: ManagedObject, error: SQLiteError) throws(SQLiteError) {
    guard let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout) else { throw error }
    conflicts.note(request.objectID(of: row, in: writer.identity), row.snapshot, row.layout, taken)
  }
}
