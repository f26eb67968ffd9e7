// Plain SQLite's INSERT, bound straight from the columns and stepped for every row: the floor of inserts, and what
// fills a store before rows are updated or deleted.
package import ObjectGraph
package import SQLiteDriver
package import Scenarios

/// Inserts columnar rows into an entity's table over one connection.
package struct RowInsertion {
  private let connection: Connection
  private let insert: Statement
  private let entityNumber: Int64

  /// Prepares the statement; a taken unique value is met as the policy says.
  package init(into entity: EntityDescription, policy: MergePolicy, connection: Connection) throws(SQLiteError) {
    self.connection = connection
    entityNumber = try connection.scalar("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)'") ?? 0
    insert = try connection.prepare(RowInsertion.sql(entity, entityNumber: entityNumber, policy: policy))
  }

  /// Inserts every row in one transaction.
  package func insert(_ rows: ColumnarRows) throws(SQLiteError) {
    try connection.begin(.immediate)
    do throws(SQLiteError) {
      var key = try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(entityNumber)") ?? 0
      let fields = zip(rows.attributes, rows.columns).map { BoundColumn($1, $0) }
      for row in 0..<rows.count {
        key += 1
        try insert.bind(key, at: 1)
        for index in fields.indices { try fields[index].bind(row, to: insert, at: index + 2) }
        try insert.run()
      }
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(entityNumber)")
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// The INSERT, with the clause the merge policy asks for where values must be unique.
  private static func sql(_ entity: EntityDescription, entityNumber: Int64, policy: MergePolicy) -> String {
    let columns = entity.attributes.map(\.columnName)
    var sql =
      "INSERT INTO \(entity.tableName) (Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) VALUES (?, "
      + "\(entityNumber), 1, \(columns.map { _ in "?" }.joined(separator: ", ")))"
    for constraint in entity.uniquenessConstraints {
      let unique = constraint.compactMap { entity.attribute(named: $0)?.columnName }
      sql += " ON CONFLICT (\(unique.joined(separator: ", "))) DO "
      switch policy.mergeType {
      case .error, .storeTrump, .rollback: sql += "NOTHING"
      case .objectTrump, .overwrite:
        let others = columns.filter { !unique.contains($0) }.map { ", \($0) = excluded.\($0)" }
        sql += "UPDATE SET Z_OPT = Z_OPT + 1\(others.joined())"
      }
    }
    return sql
  }
}
