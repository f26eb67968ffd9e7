// A hand-written INSERT, with the clause for the merge policy if values must be unique.
public import CoreDataModel
public import ObjectGraph
public import SQLiteDriver

/// Plain SQL that inserts into an entity's table.
///
/// A row's parameters are its key, then its attributes in the entity's order, and the keys of its linked objects.
///
/// ```swift
/// let sql = try InsertSQL(into: quake, policy: .error, of: connection)
/// let insert = try connection.prepare(sql.text(rows: 1))
/// ```
public struct InsertSQL {
  private let entity: StoredEntity
  /// The value of `Z_ENT` for rows of the entity.
  public let entityNumber: Int64
  /// The number of the row in `Z_PRIMARYKEY` that counts the table's keys.
  package let rootNumber: Int64
  private let policy: MergePolicy
  /// Columns of to-one relationships with keys for the rows.
  public var keyColumns: [String] = []

  /// The statement for an existing store.
  ///
  /// - Throws: SQLite's error when it looks up the entity's number.
  public init(into entity: EntityDescription, policy: MergePolicy, of connection: Connection) throws(SQLiteError) {
    try self.init(into: StoredEntity(entity), policy: policy, of: connection)
  }

  package init(into entity: StoredEntity, policy: MergePolicy, of connection: Connection) throws(SQLiteError) {
    func number(of name: String) throws(SQLiteError) -> Int64 {
      try connection.scalar("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'") ?? 0
    }
    self.init(
      into: entity, entityNumber: try number(of: entity.name), rootNumber: try number(of: entity.rootName),
      policy: policy)
  }

  package init(into entity: StoredEntity, entityNumber: Int64, rootNumber: Int64, policy: MergePolicy) {
    self.entity = entity
    self.entityNumber = entityNumber
    self.rootNumber = rootNumber
    self.policy = policy
  }

  /// The number of parameters of one row.
  public var parametersARow: Int { entity.attributes.count + keyColumns.count + 1 }

  /// The statement for this many rows.
  ///
  /// If one of several rows fails, the whole transaction is rolled back, as the caller would do anyway. To undo only the
  /// statement, SQLite would first have to copy every page that it touches.
  ///
  /// ```swift
  /// let sql = try InsertSQL(into: quake, policy: .error, of: connection)
  /// let rowsAStatement = connection.parameterLimit / sql.parametersARow
  /// let insert = try connection.prepare(sql.text(rows: min(rowsAStatement, 100)))
  /// ```
  public func text(rows: Int) -> String {
    let columns = entity.columnNames + keyColumns
    let row = "(\((["?", "\(entityNumber)", "1"] + columns.map { _ in "?" }).joined(separator: ", ")))"
    return "INSERT \(rows > 1 ? "OR ROLLBACK " : "")INTO \(entity.tableName) "
      + "(\((["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", "))) VALUES "
      + Array(repeating: row, count: rows).joined(separator: ", ") + conflictClauses(columns)
  }

  private func conflictClauses(_ columns: [String]) -> String {
    entity.uniquenessConstraints.map { (constraint: [String]) -> String in
      let unique = constraint.compactMap { entity.columnName(of: $0) }
      let target = " ON CONFLICT (\(unique.joined(separator: ", "))) DO "
      switch policy.mergeType {
      case .error, .storeTrump, .rollback: return target + "NOTHING"
      case .objectTrump, .overwrite:
        let others = columns.filter { !unique.contains($0) }.map { ", \($0) = excluded.\($0)" }
        return target + "UPDATE SET Z_OPT = Z_OPT + 1\(others.joined())"
      }
    }.joined()
  }
}
