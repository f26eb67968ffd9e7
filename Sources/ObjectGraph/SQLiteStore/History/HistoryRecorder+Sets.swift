// Records changes of sets of rows with one statement, which reads entity numbers and tombstones from the rows
// themselves.
internal import CoreDataModel
internal import SQLiteDriver

extension HistoryRecorder {
  /// Records the change of every row that a query finds, before it is made.
  ///
  /// Afterwards the query might find other rows, and a deleted row would have no values to keep.
  ///
  /// - Parameters:
  ///   - kind: The kind of change that is about to happen.
  ///   - layout: The entity of the rows; they may include rows of any entity that shares its table.
  ///   - keys: A `SELECT` of the rows' keys, or a list of them.
  ///   - properties: The names of the properties that an update changes.
  /// - Throws: SQLite's error.
  func record(
    _ kind: PersistentHistoryChangeType, rowsOf layout: EntityLayout, keys: SQLFragment, properties: [String] = []
  ) throws(SQLiteError) {
    try record(kind, rowsOf: layout, keys: keys) { row in
      var changed = ChangedProperties()
      for name in properties {
        if let slot = row.slot(named: name) { changed.slots.insert(slot) }
        if let index = row.toManyIndex(named: name) { changed.toMany.insert(index) }
      }
      return changed
    }
  }

  /// Records the change of one row in the entity's table, whatever its own entity.
  func record(
    _ kind: PersistentHistoryChangeType, rowOf layout: EntityLayout, key: Int64, _ properties: ChangedProperties
  ) throws(SQLiteError) {
    let names = layout.slots.indices.filter(properties.slots.contains).map { layout.slots[$0].name }
    try record(kind, rowsOf: layout, keys: "\(bind: .integer(key))", properties: names)
  }

  private func record(
    _ kind: PersistentHistoryChangeType, rowsOf layout: EntityLayout, keys: SQLFragment,
    changes: (EntityLayout) -> ChangedProperties
  ) throws(SQLiteError) {
    try flush()
    let numbers = try currentNumbers()
    if numbers.exhaustion != nil { return }
    let layouts = writer.model.layouts
    let family = layouts[layouts[layout.rootIndex].family]
    var columns = ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]
    var values: SQLFragment = """
      \(bind: .integer(numbers.change)) + row_number() OVER (ORDER BY Z_PK), 16001, \(raw: "\(kind.rawValue)"), \
      Z_ENT, Z_PK, \(bind: .integer(numbers.transaction))
      """
    switch kind {
    case .insert: break
    case .update:
      columns.append("ZCOLUMNS")
      let bitmaps = choice(family) { self.columns[$0.index].bitmap(changes($0)).hexadecimal }
      values = "\(values), \(raw: bitmaps)"
    case .delete:
      for position in 0..<(family.map { $0.tombstoneSlots.count }.max() ?? 0) {
        columns.append("ZTOMBSTONE\(position)")
        let kept = choice(family) { layout in
          let slots = layout.tombstoneSlots
          return position < slots.count ? layout.columnName(of: slots[position]) : "NULL"
        }
        values = "\(values), \(raw: kept)"
      }
    }
    let insert: SQLFragment = """
      INSERT INTO ACHANGE (\(raw: columns.joined(separator: ", "))) \
      SELECT \(values) FROM \(raw: layout.tableName) WHERE Z_PK IN (\(keys))
      """
    try writer.prepare(insert).run()
    wrote(Int64(writer.connection.changes))
  }

  /// An expression for each entity of a table.
  private func choice(_ family: ArraySlice<EntityLayout>, _ expression: (EntityLayout) -> String) -> String {
    if family.count == 1, let only = family.first { return expression(only) }
    let cases = family.map { "WHEN \(writer.number(of: $0)) THEN \(expression($0))" }
    return "CASE Z_ENT \(cases.joined(separator: " ")) END"
  }
}

extension [UInt8] {
  /// The bytes as a blob literal in SQL.
  fileprivate var hexadecimal: String {
    let digits = map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
    return "x'\(digits.joined())'"
  }
}
