// Delete rules as hand-written SQL, for rows related to rows of their own table.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// What a deletion must do with the children of deleted rows.
struct TreeDeletion {
  private let entity: EntityDescription
  private let column: TreeColumn

  /// `nil` for rows that are not trees, or if children must not change.
  init?(_ setup: StoreSetup) {
    guard let column = setup.treeColumn, column.rule != .noAction, let entity = setup.model[setup.entityName] else {
      return nil
    }
    self.column = column
    self.entity = entity
  }

  /// A SELECT of the keys of all rows to delete, if a cascade deletes others too; `nil` for another rule.
  ///
  /// `rows` is the WHERE clause of the selected rows, or empty for all.
  func closure(of rows: String) -> String? {
    guard column.rule == .cascade else { return nil }
    let table = entity.tableName
    return "WITH RECURSIVE gone (Z_PK) AS (SELECT Z_PK FROM \(table)\(rows) "
      + "UNION SELECT d.Z_PK FROM gone JOIN \(table) d ON d.\(column.key) = gone.Z_PK) SELECT Z_PK FROM gone"
  }

  /// An UPDATE of the children of deleted rows, if they stay without a parent; `nil` for another rule, and if all rows
  /// are deleted.
  ///
  /// `rows` is the WHERE clause of the rows to delete, and `filter` is the same with its parameters.
  func nullification(
    of rows: String, _ filter: ConditionSQL?, over connection: Connection
  ) throws(SQLiteError) -> Statement? {
    let parameters = filter?.parameters ?? []
    return try nullification(
      below: "IN (SELECT Z_PK FROM \(entity.tableName)\(rows))", filter, parameters + parameters, from: 1, connection)
  }

  /// The same for the children of one row; its key is the first parameter.
  func nullificationByKey(
    except condition: RowCondition?, over connection: Connection
  ) throws(SQLiteError) -> Statement? {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    return try nullification(below: "= ?", filter, filter?.parameters ?? [], from: 2, connection)
  }

  /// Rows that are deleted themselves do not change.
  private func nullification(
    below keys: String, _ filter: ConditionSQL?, _ parameters: [StoredValue], from first: Int, _ connection: Connection
  ) throws(SQLiteError) -> Statement? {
    guard column.rule == .nullify, let filter else { return nil }
    let statement = try connection.prepare(
      "UPDATE \(entity.tableName) SET \(column.key) = NULL, Z_OPT = Z_OPT + 1 "
        + "WHERE \(column.key) \(keys) AND (\(filter.sql)) IS NOT TRUE")
    for (index, value) in parameters.enumerated() { try statement.bind(value, at: first + index) }
    return statement
  }
}
