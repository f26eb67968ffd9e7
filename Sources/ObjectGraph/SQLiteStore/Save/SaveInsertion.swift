// The insertions of a save, and the rows that its new rows are written over.
internal import CoreDataModel
internal import SQLiteDriver

/// The insertions of one save, and what came of them.
struct SaveInsertion {
  struct StoredRow: Hashable {
    let root: Int
    let key: Int64
  }

  let writer: StoreWriter
  let request: SaveChangesRequest
  let resolution: ConflictResolution
  var outcomes: InsertionOutcomes
  /// Under the error policy: every object whose unique values are taken.
  ///
  /// The transaction is given up then.
  var conflicts: [ConstraintConflict] = []
  var references: StoredReferences
  /// Rows that new rows of other entities were written over, and the layouts they have now.
  var reclassified: [StoredRow: EntityLayout] = [:]

  init(_ writer: StoreWriter, _ request: SaveChangesRequest, _ references: StoredReferences) {
    self.references = references
    self.writer = writer
    self.request = request
    resolution = ConflictResolution(saveUnder: request.mergePolicy)
    outcomes = InsertionOutcomes(
      keys: InsertionKeys(count: request.insertions.count), store: writer.identity)
  }

  /// Has rows that lead to a new row stored under another key than it was given, or to a row of another entity than it
  /// was of, lead to what is there.
  mutating func mendReferences(_ reserved: KeyReservation) throws(SQLiteError) {
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
      // An updated row that a new one was written over leads where the new one does.
      for row in request.updates
      where overwritten[StoredRow(root: row.layout.rootIndex, key: row.objectID.key)] == nil {
        try repoint(row.layout, row.snapshot, key: row.objectID.key, moved)
      }
      for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
        try repoint(row.layout, row.snapshot, key: outcomes.keys[index], moved)
      }
    }
    // New rows may lead to one under the entity that it had when they were made.
    for (row, layout) in reclassified.sorted(by: { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }) {
      try Reclassification(to: layout, writer)?.repoint(key: row.key)
    }
  }

  /// The entities of the stored rows that have become new objects', with the relationships of those.
  ///
  /// A row may have been written over several times, by rows of several entities: the last one counts.
  private func overwrittenRows() -> [StoredRow: Int32] {
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

  /// Writes the keys of a row that lead to new rows stored under other keys.
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

  mutating func noteConflict(of row: ManagedObject, firstKey: Int64, error: SQLiteError) throws(SQLiteError) {
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
