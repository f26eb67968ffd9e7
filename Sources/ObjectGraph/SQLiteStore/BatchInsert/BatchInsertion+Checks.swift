// The refusals of a batch insert: rows without required values, rows that break rules, and rows that SQLite refuses.
internal import CoreDataModel
internal import SQLiteDriver

extension BatchInsertion {
  // MARK: - Values

  /// Refuses a row without a required value.
  @inline(__always)
  func check(_ row: RowSnapshot) throws(ObjectGraphError) {
    for slot in layout.requiredAttributes where row[slot].isStoredAsNull { throw missing(slot) }
  }

  /// Refuses a row without a required value or with values that break rules, considering which values it was given.
  func check(_ row: RowSnapshot, given: SlotMask) throws(ObjectGraphError) {
    // A row that overwrites a stored one may lack a required value, because the stored value stays.
    let keepsStoredValues = request.updatesSuppliedKeysOnly && resolution == .overwriteStored
    for slot in layout.requiredAttributes where row[slot].isStoredAsNull {
      let meetsStored = keepsStoredValues && !given.contains(slot) ? try meetsOwnRow(row) : false
      if !meetsStored { throw missing(slot) }
    }
    guard request.validatesRules else { return }
    for (slot, rule) in layout.rules {
      guard let breach = rule.breach(by: row[slot]) else { continue }
      throw .brokenRule(
        breach.code, entity: layout.entity.name, key: layout.attributes[slot].name, found: breach.found,
        expected: breach.expected, row: rows)
    }
  }

  /// Whether the row will overwrite a stored one of its entity.
  private func meetsOwnRow(_ row: RowSnapshot) throws(ObjectGraphError) -> Bool {
    try during("looking for the row that row \(rows) is written over") { () throws(SQLiteError) in
      try writer.rowSharingUniqueValues(with: row, layout: layout)?.entityIndex == layout.index
    }
  }

  private func missing(_ slot: Int) -> ObjectGraphError {
    .missingValue(entity: layout.entity.name, key: layout.attributes[slot].name, row: rows)
  }

  // MARK: - Relationships

  /// Refuses new rows without a required object; overwritten rows keep theirs.
  func checkRequiredRelationships() throws(ObjectGraphError) {
    if key == lastKey || request.leavesRequiredRelationshipsEmpty { return }
    for slot in layout.requiredSlots where layout.isToOne(slot) {
      let found = try during("checking the relationships of \(layout.entity.name)") { () throws(SQLiteError) -> Bool in
        let statement = try writer.statement(
          "SELECT 1 FROM \(layout.tableName) WHERE Z_PK > ? AND \(layout.columnName(of: slot)) IS NULL LIMIT 1")
        defer { statement.reset() }
        try statement.bind(lastKey, at: 1)
        return try statement.step()
      }
      if found { throw .missingValue(entity: layout.entity.name, key: layout.slots[slot].name, row: nil) }
    }
  }

  // MARK: - What SQLite refused

  /// The error for a refused row, or for a row of a group if it is unknown which one.
  func refusal(_ error: SQLiteError, of keys: ClosedRange<Int64>?) -> ObjectGraphError {
    let keys = keys ?? key...key
    // Keys and row numbers are consecutive from the transaction's first row on.
    let number = stored.rows + Int(keys.upperBound - lastKey)
    let position = keys.count == 1 ? "row \(number)" : "one of the rows up to row \(number)"
    return .store(error, during: "inserting \(layout.entity.name), \(position)")
  }

  /// The error for the last row; if it conflicts with two stored rows, both are reported.
  func refusal(_ error: SQLiteError, _ row: RowSnapshot) -> ObjectGraphError {
    let plain = refusal(error, of: nil)
    guard error.extendedCode == .constraintUnique, let taken = try? writer.rowsSharingUniqueValues(with: row, layout)
    else { return plain }
    let takers = taken.compactMap { taken in
      taken.entityIndex.map { ManagedObjectID(store: writer.identity, entityIndex: Int32($0), key: taken.key) }
    }
    var attributes: [String] = []
    for slot in taken.flatMap(\.constraint) where !attributes.contains(layout.attributes[slot].name) {
      attributes.append(layout.attributes[slot].name)
    }
    return takers.count < 2
      ? plain : .uniqueValuesTaken(entity: layout.entity.name, constraint: attributes, by: takers, row: rows)
  }
}
