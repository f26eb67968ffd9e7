// Plain SQLite's INSERT, bound straight from the columns and stepped for every row or for every few: the floor of
// inserts, and what fills a store before rows are updated or deleted.
package import ObjectGraph
package import SQLiteDriver
package import Scenarios

/// Inserts columnar rows into an entity's table over one connection.
package struct RowInsertion {
  private let connection: Connection
  private let sql: InsertSQL
  private let insert: Statement
  private let rowsAStep: Int
  private let entityNumber: Int64

  /// Prepares the statement; a taken unique value is met as the policy says.
  ///
  /// - Parameters:
  ///   - entity: Whose table the rows go to.
  ///   - policy: Decides on rows whose unique values are taken.
  ///   - connection: Stays open for as long as rows are inserted.
  ///   - rowsAStep: How many rows one step of the statement inserts; as many as SQLite has parameters for at most.
  /// - Throws: What SQLite has against the statement.
  package init(
    into entity: EntityDescription, policy: MergePolicy, connection: Connection,
    rowsAStep: ParameterValue = .count(1)
  ) throws(SQLiteError) {
    self.connection = connection
    entityNumber = try connection.scalar("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)'") ?? 0
    sql = InsertSQL(into: entity, entityNumber: entityNumber, policy: policy)
    self.rowsAStep = rowsAStep.rows(of: connection.parameterLimit / sql.parametersARow)
    insert = try connection.prepare(sql.text(rows: self.rowsAStep))
  }

  /// Inserts every row in one transaction.
  package func insert(_ rows: ColumnarRows) throws(SQLiteError) {
    try connection.begin(.immediate)
    do throws(SQLiteError) {
      var key = try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(entityNumber)") ?? 0
      let fields = zip(rows.attributes, rows.columns).map { BoundColumn($1, $0) }
      if rowsAStep == 1 {
        for row in 0..<rows.count {
          key += 1
          try insert.bind(key, at: 1)
          for index in fields.indices { try fields[index].bind(row, to: insert, at: index + 2) }
          try insert.run()
        }
      } else {
        try insertSeveral(rows.count, of: fields, after: &key)
      }
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(entityNumber)")
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Inserts several rows a step, and those that are left with a statement of their own.
  private func insertSeveral(_ count: Int, of fields: [BoundColumn], after key: inout Int64) throws(SQLiteError) {
    let whole = count - count % rowsAStep
    for start in stride(from: 0, to: whole, by: rowsAStep) {
      try step(insert, start..<start + rowsAStep, of: fields, after: &key)
    }
    if whole < count {
      let rest = try connection.prepare(sql.text(rows: count - whole), isPersistent: false)
      try step(rest, whole..<count, of: fields, after: &key)
    }
  }

  private func step(
    _ statement: Statement, _ rows: Range<Int>, of fields: [BoundColumn], after key: inout Int64
  ) throws(SQLiteError) {
    var place = 1
    for row in rows {
      key += 1
      try statement.bind(key, at: place)
      for index in fields.indices { try fields[index].bind(row, to: statement, at: place + 1 + index) }
      place += 1 + fields.count
    }
    try statement.run()
  }
}
