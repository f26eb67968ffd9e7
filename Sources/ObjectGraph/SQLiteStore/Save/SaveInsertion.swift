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
      keys: InsertionKeys(count: request.insertions.count), store: writer.identity)
  }

  /// Has rows that lead to a new row stored under another key than it was given lead to that key.
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
    if moved.isEmpty && overwritten.isEmpty { return }
    // A new row that was written over an updated one leads where the new row does.
    for row in request.updates where overwritten[row.layout.rootIndex]?[row.objectID.key] == nil {
      try repoint(row.layout, row.snapshot, key: row.objectID.key, moved, overwritten)
    }
    for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
      try repoint(row.layout, row.snapshot, key: outcomes.keys[index], moved, overwritten)
    }
  }

  /// The entities of the rows that new rows were written over, by root and key.
  ///
  /// A row may have been written over several times, by rows of several entities: the last one counts.
  private func overwrittenRows() -> [Int: [Int64: Int32]] {
    var entities: [Int: [Int64: Int32]] = [:]
    for index in outcomes.versions.keys where outcomes.keys[index] != 0 {
      let layout = request.insertions[index].layout
      entities[layout.rootIndex, default: [:]][outcomes.keys[index]] = Int32(layout.index)
    }
    return entities
  }

  private mutating func settleStandIns(_ overwritten: [Int: [Int64: Int32]]) {
    for (index, row) in outcomes.standIns {
      let root = request.insertions[index].layout.rootIndex
      guard let entity = overwritten[root]?[row.key] else { continue }
      outcomes.standIns[index] = ObjectReference(key: row.key, entityIndex: entity)
    }
  }

  /// Writes the keys of a row that lead to new rows stored under other keys, or to rows that are of another entity now.
  private func repoint(
    _ layout: EntityLayout, _ row: RowSnapshot, key: Int64, _ moved: Set<Int64>, _ overwritten: [Int: [Int64: Int32]]
  ) throws(SQLiteError) {
    guard layout.hasToOneSlots else { return }
    var row = row
    var slots = SlotMask()
    for slot in layout.slots.indices {
      guard let toOne = layout.slots[slot].toOne, let reference = row[slot].reference else { continue }
      let destination = writer.model.layouts[toOne.destinationIndex]
      if moved.contains(reference.key) {
        slots.insert(slot)
      } else if let entity = overwritten[destination.rootIndex]?[reference.key], entity != reference.entityIndex,
        destination.family.contains(Int(entity))
      {
        slots.insert(slot)
        row[slot] = .reference(ObjectReference(key: reference.key, entityIndex: entity, order: reference.order))
      }
    }
    let columns = layout.columns.filter { slots.contains($0.slot) }
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
