// Plain SQLite's INSERT, bound directly from the columns and stepped for every row or for several rows. It is the
// reference for inserts, and fills stores before rows are updated or deleted.
package import CoreDataModel
package import ObjectGraph
public import SQLiteDriver

/// Inserts columnar rows into an entity's table over one connection.
package struct RowInsertion {
  private let connection: Connection
  private let sql: InsertSQL
  private let insert: Statement
  private let rowsPerStep: Int
  private let linkKeys: [LinkKeys]

  /// Prepares the statement.
  ///
  /// The policy resolves conflicts of unique values.
  ///
  /// - Parameters:
  ///   - entity: The entity of the table.
  ///   - policy: Resolves conflicts of unique values.
  ///   - connection: The connection, which stays open while rows are inserted.
  ///   - rowsPerStep: How many rows one step of the statement inserts, at most as many as SQLite has parameters for.
  ///   - links: The links, whose keys are stored with the rows. The linked objects are inserted as well.
  ///   - keyColumns: Additional columns; their values are passed with the rows.
  /// - Throws: SQLite's error for the statement.
  package init(
    into entity: StoredEntity, policy: MergePolicy, connection: Connection,
    rowsPerStep: RowCount = .rows(1), links: [LinkColumns] = [], keyColumns: [String] = []
  ) throws(SQLiteError) {
    self.connection = connection
    var linkKeys: [LinkKeys] = []
    for link in links { linkKeys.append(try LinkKeys(link, connection: connection)) }
    self.linkKeys = linkKeys
    var sql = try InsertSQL(into: entity, policy: policy, of: connection)
    sql.keyColumns = links.map(\.key) + keyColumns
    self.sql = sql
    self.rowsPerStep = rowsPerStep.limited(to: connection.parameterLimit / sql.parametersARow)
    insert = try connection.prepare(sql.text(rows: self.rowsPerStep))
  }

  /// Inserts every row in one transaction.
  ///
  /// - Parameters:
  ///   - rows: The entity's rows.
  ///   - keys: For each key column, one value per row.
  ///   - finish: The rest of the transaction, after the rows.
  /// - Throws: SQLite's error for the rows; nothing is stored then.
  package func insert(
    _ rows: ColumnarRows, keys: [[Int64?]] = [], finish: () throws(SQLiteError) -> Void = {}
  ) throws(SQLiteError) {
    try connection.begin(.immediate)
    do throws(SQLiteError) {
      try add(rows, keys: keys)
      try finish()
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Inserts every row within a transaction that the caller has begun.
  ///
  /// - Parameters:
  ///   - rows: The entity's rows.
  ///   - keys: For each key column, one value per row.
  /// - Throws: SQLite's error for the rows.
  package func add(_ rows: ColumnarRows, keys: [[Int64?]] = []) throws(SQLiteError) {
    var key = try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(sql.rootNumber)") ?? 0
    let values = RowBinding(rows)
    let links = KeyBinding(links: linkKeys.compactMap { $0.binding(rows) }, keys: keys)
    if rowsPerStep == 1 {
      for row in 0..<rows.count {
        key += 1
        try bind(row, key, values, links, to: insert, from: 1)
        try insert.run()
      }
    } else {
      try insertSeveral(rows.count, of: values, links, after: &key)
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(sql.rootNumber)")
    for keys in linkKeys { try keys.noteLastKey() }
  }

  /// Binds one row's parameters.
  @inline(__always)
  private func bind(
    _ row: Int, _ key: Int64, _ values: RowBinding, _ links: KeyBinding, to statement: Statement, from first: Int
  ) throws(SQLiteError) {
    try statement.bind(key, at: first)
    try values.bind(row, to: statement, from: first + 1)
    if !links.isEmpty { try links.bind(row, to: statement, from: first + 1 + values.count) }
  }

  /// Inserts several rows per step, and the remaining ones with a second statement.
  private func insertSeveral(
    _ count: Int, of values: RowBinding, _ links: KeyBinding, after key: inout Int64
  ) throws(SQLiteError) {
    let whole = count - count % rowsPerStep
    for start in stride(from: 0, to: whole, by: rowsPerStep) {
      try step(insert, start..<start + rowsPerStep, of: values, links, after: &key)
    }
    if whole < count {
      let rest = try connection.prepare(sql.text(rows: count - whole), isPersistent: false)
      try step(rest, whole..<count, of: values, links, after: &key)
    }
  }

  private func step(
    _ statement: Statement, _ rows: Range<Int>, of values: RowBinding, _ links: KeyBinding, after key: inout Int64
  ) throws(SQLiteError) {
    var position = 1
    for row in rows {
      key += 1
      try bind(row, key, values, links, to: statement, from: position)
      position += sql.parametersARow
    }
    try statement.run()
  }
}

/// The keys stored with the rows, in addition to their values.
private struct KeyBinding {
  let links: [LinkBinding]
  let keys: [[Int64?]]
  let isEmpty: Bool

  init(links: [LinkBinding], keys: [[Int64?]]) {
    self.links = links
    self.keys = keys
    isEmpty = links.isEmpty && keys.isEmpty
  }

  func bind(_ row: Int, to statement: Statement, from first: Int) throws(SQLiteError) {
    for index in links.indices { try links[index].bind(row, to: statement, at: first + index) }
    for index in keys.indices {
      if let key = keys[index][row] {
        try statement.bind(key, at: first + links.count + index)
      } else {
        try statement.bindNull(at: first + links.count + index)
      }
    }
  }
}

/// Binds rows of the source, with nulls replaced by the attributes' defaults.
///
/// Text and bytes are not copied, so the rows must outlive the step.
///
/// ```swift
/// let values = RowBinding(rows)
/// for row in 0..<rows.count {
///   try insert.bind(Int64(row) + 1, at: 1)  // the key
///   try values.bind(row, to: insert, from: 2)
///   try insert.run()
/// }
/// ```
public struct RowBinding {
  private let columns: BoundColumns

  /// A binding of the rows' columns.
  public init(_ rows: ColumnarRows) { columns = BoundColumns(rows) }

  /// The number of parameters of a row, one for each attribute.
  public var count: Int { columns.count }

  /// Binds a row's values, in the order of the entity's attributes.
  ///
  /// - Parameters:
  ///   - row: The row's number, from 0.
  ///   - statement: The statement, with ``count`` parameters from `first` on.
  ///   - first: The number of the first parameter; SQLite counts from 1.
  /// - Throws: SQLite's error for the values.
  @inline(__always)
  public func bind(_ row: Int, to statement: Statement, from first: Int) throws(SQLiteError) {
    try columns.bind(row, to: statement, from: first)
  }
}
