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
    sql = try InsertSQL(into: entity, policy: policy, of: connection)
    self.rowsAStep = rowsAStep.rows(of: connection.parameterLimit / sql.parametersARow)
    insert = try connection.prepare(sql.text(rows: self.rowsAStep))
  }

  /// Inserts every row in one transaction.
  package func insert(_ rows: ColumnarRows) throws(SQLiteError) {
    try connection.begin(.immediate)
    do throws(SQLiteError) {
      var key = try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(sql.entityNumber)") ?? 0
      let values = RowBinding(rows)
      if rowsAStep == 1 {
        for row in 0..<rows.count {
          key += 1
          try insert.bind(key, at: 1)
          try values.bind(row, to: insert, from: 2)
          try insert.run()
        }
      } else {
        try insertSeveral(rows.count, of: values, after: &key)
      }
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(sql.entityNumber)")
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Inserts several rows a step, and those that are left with a statement of their own.
  private func insertSeveral(_ count: Int, of values: RowBinding, after key: inout Int64) throws(SQLiteError) {
    let whole = count - count % rowsAStep
    for start in stride(from: 0, to: whole, by: rowsAStep) {
      try step(insert, start..<start + rowsAStep, of: values, after: &key)
    }
    if whole < count {
      let rest = try connection.prepare(sql.text(rows: count - whole), isPersistent: false)
      try step(rest, whole..<count, of: values, after: &key)
    }
  }

  private func step(
    _ statement: Statement, _ rows: Range<Int>, of values: RowBinding, after key: inout Int64
  ) throws(SQLiteError) {
    var place = 1
    for row in rows {
      key += 1
      try statement.bind(key, at: place)
      try values.bind(row, to: statement, from: place + 1)
      place += 1 + values.count
    }
    try statement.run()
  }
}
