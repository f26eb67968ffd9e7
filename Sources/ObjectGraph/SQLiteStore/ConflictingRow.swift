// Finds the stored rows that have the unique values of another row.
internal import CoreDataModel
internal import SQLiteDriver

/// A stored row that has the unique values of another row.
struct ConflictingRow {
  let constraint: [Int]
  let key: Int64
  let version: Int64
  /// The index of its entity in the model; `nil` for an entity that the model does not have.
  let entityIndex: Int?
}

extension StoreWriter {
  /// The stored row, other than the one with `key`, that has the same values in one of the entity's constraints, with
  /// that constraint.
  func rowSharingUniqueValues(
    with row: RowSnapshot, layout: EntityLayout, besides key: Int64 = 0
  ) throws(SQLiteError) -> ConflictingRow? {
    for constraint in layout.constraints {
      if let taken = try self.row(sharing: constraint, with: row, layout, besides: key) { return taken }
    }
    return nil
  }

  /// All stored rows that have the same values in one of the entity's constraints, each once.
  func rowsSharingUniqueValues(with row: RowSnapshot, _ layout: EntityLayout) throws(SQLiteError) -> [ConflictingRow] {
    var found: [ConflictingRow] = []
    for constraint in layout.constraints {
      guard let taken = try self.row(sharing: constraint, with: row, layout, besides: 0),
        !found.contains(where: { $0.key == taken.key })
      else { continue }
      found.append(taken)
    }
    return found
  }

  private func row(
    sharing constraint: [Int], with row: RowSnapshot, _ layout: EntityLayout, besides key: Int64
  ) throws(SQLiteError) -> ConflictingRow? {
    if constraint.contains(where: { row[$0].isNull }) { return nil }
    let statement = try statement(layout.lookupSQL(constraint))
    defer { statement.reset() }
    for (position, slot) in constraint.enumerated() { try statement.bind(row[slot], at: position + 1) }
    try statement.bind(key, at: constraint.count + 1)
    guard try statement.step() else { return nil }
    return ConflictingRow(
      constraint: constraint, key: statement.int64(0), version: statement.int64(1),
      entityIndex: entityIndexes[Int(statement.int64(2))])
  }
}

extension EntityLayout {
  /// Finds the row that has the constraint's values, with its key and version.
  fileprivate func lookupSQL(_ constraint: [Int]) -> String {
    "SELECT Z_PK, Z_OPT, Z_ENT FROM \(tableName) WHERE "
      + constraint.map { "\(columnName(of: $0)) = ?" }.joined(separator: " AND ") + " AND Z_PK <> ?"
  }
}
