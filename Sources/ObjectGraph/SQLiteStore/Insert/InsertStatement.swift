// The INSERT of an entity: its SQL for each way of handling taken unique values, and how it binds rows.
internal import CoreDataModel
internal import SQLiteDriver

/// A prepared INSERT for one entity that stores one row per step, with all columns; a ``RowInserter`` uses several.
struct InsertStatement {
  let layout: EntityLayout
  let statement: Statement
  let resolution: ConflictResolution
  /// What it overwrites in a stored row.
  let scope: OverwriteScope
  /// How to-one relationships are stored; `nil` for an entity without any.
  private let references: StoredReferences?
  /// Prepares for a row that may overwrite one of another entity; `nil` if that is impossible or nothing refers to such
  /// a row.
  private let reclassifier: Reclassification?

  init(
    _ layout: EntityLayout, resolution: ConflictResolution, writer: StoreWriter, references: StoredReferences? = nil,
    overwriting scope: OverwriteScope = .row
  ) throws(SQLiteError) {
    self.layout = layout
    self.scope = scope
    reclassifier = resolution == .overwriteStored ? Reclassification(to: layout, writer) : nil
    self.references = layout.hasToOneSlots ? references ?? StoredReferences(writer.entityNumbers) : nil
    // Without constraints there is nothing to resolve, and plain SQL is fastest.
    self.resolution = layout.constraints.isEmpty ? .fail : resolution
    let sql = layout.insertSQL(self.resolution, scope, entityNumber: writer.number(of: layout))
    // There is a statement for every set of keys that rows are given; it is not kept after the request.
    if case .slots = scope {
      statement = try writer.connection.prepare(sql)
    } else {
      statement = try writer.statement(sql)
    }
  }

  /// Stores one row with the key.
  @inline(__always)
  func insert(_ row: RowSnapshot, key: Int64) throws(SQLiteError) {
    try bind(row, key: key)
    try statement.run()
  }

  /// Binds one row and its key, and prepares a row of another entity that it overwrites.
  @inline(__always)
  func bind(_ row: RowSnapshot, key: Int64) throws(SQLiteError) {
    if let reclassifier { try reclassifier.prepare(for: row) }
    try bind(row, key: key, to: statement, at: 1)
  }

  // MARK: - Groups

  /// The number of parameters for a row.
  var width: Int { layout.columns.count + 1 }

  /// Whether one statement can insert a group of rows, without any work for a row before it is stored.
  ///
  /// - Parameters:
  ///   - resolution: How the group handles taken unique values; `nil` for no groups.
  ///   - parameters: The most parameters of a statement.
  /// - Returns: Whether rows may be in groups.
  func isGroupable(_ resolution: ConflictResolution?, parameters: Int) -> Bool {
    guard let resolution, reclassifier == nil || resolution != self.resolution else { return false }
    return RowInserter.rowsInGroup * width <= parameters
  }

  /// The same INSERT with another way of handling taken unique values.
  func resolving(_ resolution: ConflictResolution, _ writer: StoreWriter) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(layout, resolution: resolution, writer: writer, references: references, overwriting: scope)
  }

  /// The statement for a whole group.
  func groupStatement(_ writer: StoreWriter) throws(SQLiteError) -> Statement {
    try writer.statement(
      layout.insertSQL(resolution, scope, entityNumber: writer.number(of: layout), rows: RowInserter.rowsInGroup))
  }

  /// Binds a row to the parameters from `position` on, of this statement or of one for several rows, or packs it.
  @inline(__always)
  func bind(
    _ row: RowSnapshot, key: Int64, to destination: some RowDestination, at position: Int
  ) throws(SQLiteError) {
    try destination.bind(key, at: position)
    if references == nil {
      var index = position + 1
      for slot in layout.columnOrder {
        try destination.bind(row[slot], at: index)
        index += 1
      }
    } else {
      try bindWithReferences(row, to: destination, at: position + 1)
    }
  }

  @inline(never)
  private func bindWithReferences(
    _ row: RowSnapshot, to destination: some RowDestination, at position: Int
  ) throws(SQLiteError) {
    for (index, column) in layout.columns.enumerated() {
      try destination.bind(row[column.slot], as: column.role, at: position + index, references ?? StoredReferences([]))
    }
  }
}

extension EntityLayout {
  /// An `INSERT` with literals for the entity's number and the first version, which are the same for every row.
  ///
  /// Conflict clauses contain their constraint (`ON CONFLICT (…)` instead of `OR IGNORE`), so that a key clash is never
  /// mistaken for a duplicate. If one of several rows fails, the rows before it stay, and their inserter rolls the
  /// transaction back.
  func insertSQL(
    _ resolution: ConflictResolution, _ scope: OverwriteScope, entityNumber: Int, rows: Int = 1
  ) -> String {
    let columns = columns.map(\.name)
    let positions = Array(repeating: "?", count: columns.count)
    let row = "(" + (["?", "\(entityNumber)", "1"] + positions).joined(separator: ", ") + ")"
    let insert =
      "INSERT \(rows > 1 ? "OR FAIL " : "")INTO \(tableName) ("
      + (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ") + ") VALUES "
      + Array(repeating: row, count: rows).joined(separator: ", ")
    return ([insert] + constraints.map { conflictClause($0, resolution, scope) }).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private func conflictClause(
    _ constraint: [Int], _ resolution: ConflictResolution, _ scope: OverwriteScope
  ) -> String {
    let target = "ON CONFLICT (" + constraint.map(columnName(of:)).joined(separator: ", ") + ") DO "
    switch resolution {
    case .fail: return ""
    case .keepStored: return target + "NOTHING"
    case .overwriteStored:
      // The stored row may have another entity of the hierarchy, in which case its entity changes.
      let entity = sharesTable ? ["Z_ENT = excluded.Z_ENT"] + foreignColumns.map { "\($0) = NULL" } : []
      let others = columns.filter { !constraint.contains($0.slot) }.compactMap { overwriting($0, scope) }
      return target + "UPDATE SET " + (["Z_OPT = \(StoreTables.nextVersion)"] + entity + others).joined(separator: ", ")
    }
  }

  /// The assignment that overwrites a column; `nil` if the column stays.
  private func overwriting(_ column: Column, _ scope: OverwriteScope) -> String? {
    let name = column.name
    switch scope {
    case .row: break
    case .attributes:
      if column.role != .value { return nil }
      // The row keeps its relationships, and therefore the values derived from them, unless the value is given.
      if slotsDerivedOverRelationships.contains(column.slot) { return "\(name) = coalesce(excluded.\(name), \(name))" }
    case .slots(let slots):
      if column.role != .value { return nil }
      if !slots.contains(column.slot) {
        return sharesTable ? "\(name) = CASE WHEN Z_ENT = excluded.Z_ENT THEN \(name) ELSE excluded.\(name) END" : nil
      }
    }
    return "\(name) = excluded.\(name)"
  }
}
