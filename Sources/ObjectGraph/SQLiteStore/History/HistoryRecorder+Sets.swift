// Recording changes of whole sets of rows with one statement, entity numbers and tombstones read from the rows themselves.
internal import CoreDataModel
internal import SQLiteDriver

extension HistoryRecorder {
  /// Writes down the change of every row that a query names, before it is made.
  ///
  /// Before, because afterwards the query may find others, and a deleted row has no values to keep.
  ///
  /// - Parameters:
  ///   - kind: What is about to happen to them.
  ///   - layout: The entity of the rows; rows of any entity that shares its table may be among them.
  ///   - keys: A `SELECT` of the rows' keys, or a list of them.
  ///   - properties: The names of the properties that an update changes.
  /// - Throws: what SQLite says.
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

  /// Writes down the change of one row of the entity's table, of whatever entity.
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

  /// What an expression is for each entity of a table.
  private func choice(_ family: ArraySlice<EntityLayout>, _ expression: (EntityLayout) -> String) -> String {
    if family.count == 1, let only = family.first { return expression(only) }
    let cases = family.map { "WHEN \(writer.number(of: $0)) THEN \(expression($0))" }
    return "CASE Z_ENT \(cases.joined(separator: " ")) END"
  }
}

extension [UInt8] {
  /// As SQL spells a blob.
  fileprivate var hexadecimal: String {
    let digits = map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
    return "x'\(digits.joined())'"
  }
}
