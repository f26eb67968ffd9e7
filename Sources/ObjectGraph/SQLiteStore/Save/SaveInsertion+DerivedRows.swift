// The rows with derived values that a save recomputes from stored rows.
internal import CoreDataModel
internal import SQLiteDriver

extension SaveInsertion {
  /// The rows that new ones have overwritten or that replace new ones, and the rows that refer to one of them or did so
  /// before.
  func rowsToDerive() throws(SQLiteError) -> Set<StoredRow> {
    if outcomes.versions.isEmpty && outcomes.standIns.isEmpty && outcomes.left.isEmpty { return [] }
    let layouts = writer.model.layouts
    var rows: Set<StoredRow> = []
    for index in outcomes.versions.keys where outcomes.keys[index] != 0 {
      rows.insert(StoredRow(root: request.insertions[index].layout.rootIndex, key: outcomes.keys[index]))
    }
    for (index, standIn) in outcomes.standIns {
      rows.insert(StoredRow(root: request.insertions[index].layout.rootIndex, key: standIn.key))
    }
    var related = Set(outcomes.left.map { StoredRow(root: layouts[Int($0.entityIndex)].rootIndex, key: $0.key) })
    for index in outcomes.standIns.keys {
      let row = request.insertions[index]
      for slot in row.layout.slots.indices {
        guard let toOne = row.layout.slots[slot].toOne, let reference = row.snapshot[slot].reference,
          let key = references.key(reference)
        else { continue }
        related.insert(StoredRow(root: layouts[toOne.destinationIndex].rootIndex, key: key))
      }
    }
    for (root, rows) in Dictionary(grouping: rows, by: \.root) {
      for layout in layouts {
        for (slot, derivation) in layout.derivations
        where layout.destination(of: derivation).map({ layouts[$0].rootIndex }) == root {
          for row in rows {
            for key in try dependents(on: row, slot, derivation, layout) {
              related.insert(StoredRow(root: layout.rootIndex, key: key))
            }
          }
        }
      }
    }
    return rows.union(related)
  }

  /// The keys of rows with an attribute derived over a relationship that contains a row, if the value may have changed.
  private func dependents(
    on row: StoredRow, _ slot: Int, _ derivation: Derivation, _ layout: EntityLayout
  ) throws(SQLiteError) -> [Int64] {
    let sql: String
    var value: AttributeValue?
    switch derivation {
    case .count(let index), .aggregate(_, let index, _):
      switch layout.toManyRelationships[index].storage {
      case .inverseKey(let inverse):
        sql = "SELECT \(inverse.keyColumn) FROM \(inverse.table) WHERE Z_PK = ? AND \(inverse.keyColumn) > 0"
      case .join(let ends): sql = "SELECT \(ends.sourceColumn) FROM \(ends.table) WHERE \(ends.destinationColumn) = ?"
      }
    case .destination(let toOneSlot, let attribute, let form):
      // Very many rows may refer to the same row.
      guard let toOne = layout.slots[toOneSlot].toOne, let column = layout.slots[slot].columnName,
        let found = try self.value(of: attribute, form, toOne, key: row.key)
      else { return [] }
      value = found.conformed(to: layout.types[slot]) ?? .null
      sql = "SELECT Z_PK FROM \(layout.tableName) WHERE \(toOne.keyColumn) = ? AND \(column) IS NOT ?"
    case .value, .now: return []
    }
    let statement = try writer.statement(sql)
    defer { statement.reset() }
    try statement.bind(row.key, at: 1)
    if let value { try statement.bind(value, at: 2) }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.int64(0)) }
    return keys
  }

  // MARK: - Rows that the context knew otherwise

  /// The rows with values that the context may have derived from outdated values or members, or not at all because it
  /// did not know about them.
  func rowsKnownOtherwise() throws(SQLiteError) -> Set<StoredRow> {
    var rows = writer.takeUnpaired()
    for row in request.updates {
      // The rows of its members may not be part of the save, so nothing has compared their versions.
      if row.layout.derivations.contains(where: { $0.derivation.isOverToMany }) {
        rows.insert(StoredRow(root: row.layout.rootIndex, key: row.objectID.key))
      }
      try addDependents(of: row, to: &rows)
    }
    try addStaleCopies(to: &rows)
    return rows
  }

  /// Adds the rows with values derived from a changed value of an updated row.
  private func addDependents(of row: PendingRow, to rows: inout Set<StoredRow>) throws(SQLiteError) {
    let changed = StoredRow(root: row.layout.rootIndex, key: row.objectID.key)
    for layout in writer.model.layouts {
      for (slot, derivation) in layout.derivations {
        guard let destination = layout.destination(of: derivation), let attribute = derivation.sourceAttribute(layout),
          writer.model.layouts[destination].family.contains(row.layout.index),
          row.layout.slot(named: attribute).map(row.changedSlots.contains) ?? false
        else { continue }
        for key in try dependents(on: changed, slot, derivation, layout) {
          rows.insert(StoredRow(root: layout.rootIndex, key: key))
        }
      }
    }
  }

  /// Adds the written rows with a copy of another row's value that the context knew, if it differs from the stored one.
  private func addStaleCopies(to rows: inout Set<StoredRow>) throws(SQLiteError) {
    var copies = StoredCopies()
    for row in request.updates where row.layout.isDerivedOverRelationships {
      if try hasStaleCopy(row.snapshot, row.layout, &copies) {
        rows.insert(StoredRow(root: row.layout.rootIndex, key: row.objectID.key))
      }
    }
    for (index, row) in request.insertions.enumerated()
    where row.layout.isDerivedOverRelationships && outcomes.keys[index] != 0 {
      if try hasStaleCopy(row.snapshot, row.layout, &copies) {
        rows.insert(StoredRow(root: row.layout.rootIndex, key: outcomes.keys[index]))
      }
    }
  }

  private func hasStaleCopy(
    _ row: RowSnapshot, _ layout: EntityLayout, _ copies: inout StoredCopies
  ) throws(SQLiteError) -> Bool {
    for (slot, derivation) in layout.derivations where layout.slots[slot].columnName != nil {
      guard case .destination(let toOneSlot, let attribute, let form) = derivation,
        let toOne = layout.slots[toOneSlot].toOne, let reference = row[toOneSlot].reference,
        let key = references.key(reference)
      else { continue }
      let source = StoredCopies.Source(layout: layout.index, slot: slot, key: key)
      let stored: AttributeValue
      if let known = copies.values[source] {
        stored = known
      } else {
        guard let found = try value(of: attribute, form, toOne, key: key) else { continue }
        stored = found.conformed(to: layout.types[slot]) ?? .null
        copies.values[source] = stored
      }
      if !stored.isStored(as: row[slot]) { return true }
    }
    return false
  }
}

/// The stored values that rows of a save copy, each read once.
private struct StoredCopies {
  /// The value of an entity's derived attribute if its relationship refers to the row with the key.
  struct Source: Hashable {
    let layout: Int
    let slot: Int
    let key: Int64
  }

  var values: [Source: AttributeValue] = [:]
}

extension Derivation {
  /// Whether it depends on the members of a to-many relationship.
  fileprivate var isOverToMany: Bool {
    switch self {
    case .count, .aggregate: true
    case .value, .destination, .now: false
    }
  }

  /// The attribute of the destination from which it is derived; `nil` if there is none.
  fileprivate func sourceAttribute(_ layout: EntityLayout) -> String? {
    switch self {
    case .aggregate(_, _, let attribute): attribute
    // Without an inverse, the value is from the last save of its own row.
    case .destination(let slot, let attribute, _): layout.slots[slot].toOne?.inverse == nil ? nil : attribute
    case .count, .value, .now: nil
    }
  }
}
