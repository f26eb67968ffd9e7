// Delete rules as a person writes them in SQL, for rows related to rows of their own table.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// What a deletion has to do to the rows below those that it is meant for.
struct TreeDeletion {
  private let entity: EntityDescription
  private let column: TreeColumn

  /// Nil for rows that are not trees, or if the rows below must not change.
  init?(_ setup: StoreSetup) {
    guard let column = setup.treeColumn, column.rule != .noAction, let entity = setup.model[setup.entityName] else {
      return nil
    }
    self.column = column
    self.entity = entity
  }

  /// A SELECT of the keys of all rows to delete, where a cascade deletes others too; nil for another rule.
  ///
  /// `rows` is the WHERE of the rows that the deletion is meant for, or nothing for all.
  func closure(of rows: String) -> String? {
    guard column.rule == .cascade else { return nil }
    let table = entity.tableName
    return "WITH RECURSIVE gone (Z_PK) AS (SELECT Z_PK FROM \(table)\(rows) "
      + "UNION SELECT d.Z_PK FROM gone JOIN \(table) d ON d.\(column.key) = gone.Z_PK) SELECT Z_PK FROM gone"
  }

  /// An UPDATE of the rows below the deleted ones, where they stay without a parent; nil for another rule, and where all
  /// rows are deleted.
  ///
  /// `rows` is the WHERE of the rows to delete, and `filter` the same with its parameters.
  func nullification(
    of rows: String, _ filter: ConditionSQL?, over connection: Connection
  ) throws(SQLiteError) -> Statement? {
    let parameters = filter?.parameters ?? []
    return try nullification(
      below: "IN (SELECT Z_PK FROM \(entity.tableName)\(rows))", filter, parameters + parameters, from: 1, connection)
  }

  /// The same of the rows below one, whose key is the first parameter.
  func nullificationByKey(
    except condition: RowCondition?, over connection: Connection
  ) throws(SQLiteError) -> Statement? {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    return try nullification(below: "= ?", filter, filter?.parameters ?? [], from: 2, connection)
  }

  /// Rows that are deleted themselves stay unchanged.
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
