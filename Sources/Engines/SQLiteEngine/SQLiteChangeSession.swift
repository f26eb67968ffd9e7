// A store of the reference with rows that are updated or deleted: a SELECT for their keys and then a statement per row,
// or one statement for all rows.
internal import CoreDataModel
internal import SQLiteDriver
internal import BatchmarkEngine

/// A session of the `sqlite` engine that changes rows.
final class SQLiteChangeSession: ConnectionSession, ChangeSession {
  let connection: Connection
  private let setup: StoreSetup
  private let entity: EntityDescription
  private let change: ChangeSQL.Change
  /// `nil` for one statement that changes all rows.
  private let rowsPerTransaction: RowCount?

  /// How to find the children of deleted rows; `nil` if no delete rule applies.
  private let trees: TreeDeletion?

  /// A row to change, with its version when it was found.
  private struct Target {
    let key: Int64
    let version: Int64
  }

  init(_ setup: StoreSetup, _ change: ChangeSQL.Change, rowsPerTransaction: RowCount? = nil) throws {
    self.setup = setup
    connection = try setup.connect()
    entity = try setup.entity
    self.change = change
    self.rowsPerTransaction = rowsPerTransaction
    trees = if case .delete = change { TreeDeletion(setup) } else { nil }
  }

  func change(where condition: RowCondition?) throws {
    let sql = ChangeSQL(change, where: condition, of: entity)
    guard let rowsPerTransaction else { return try changeAll(sql, condition) }
    let targets = try targets(sql)
    let step = rowsPerTransaction.limited(to: targets.count)
    let isDelete = if case .delete = change { true } else { false }
    let statement = try connection.prepare(sql.byKey)
    // The values are the same for every row, so bind them only once.
    try statement.bind(sql.assigned)
    let position = sql.assigned.count + 1
    let nullification = try trees?.nullificationByKey(except: condition, over: connection)
    for start in stride(from: 0, to: targets.count, by: step) {
      try setup.request {
        try connection.transaction {
          for target in targets[start..<min(start + step, targets.count)] {
            try statement.bind(target.key, at: position)
            if isDelete { try statement.bind(target.version, at: position + 1) }
            try statement.run()
            try nullification?.bind(target.key, at: 1)
            try nullification?.run()
          }
        }
      }
    }
  }

  /// One statement for all rows.
  private func changeAll(_ sql: ChangeSQL, _ condition: RowCondition?) throws {
    let below = trees?.closure(of: sql.rows).map { " WHERE Z_PK IN (\($0))" }
    let statement = try connection.prepare(below.map { sql.verb + $0 } ?? sql.all)
    try statement.bind(sql.assigned + sql.values)
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    let nullification = try trees?.nullification(of: sql.rows, filter, over: connection)
    try connection.transaction {
      // Run it while the rows that it selects still exist.
      try nullification?.run()
      try statement.run()
    }
  }

  /// The rows that match the condition, in key order.
  private func targets(_ sql: ChangeSQL) throws -> [Target] {
    // Children come later and are deleted before their parents, so that no transaction leaves a row without its parent.
    let below = trees?.closure(of: sql.rows).map { " WHERE Z_PK IN (\($0))" }
    let select = try connection.prepare(below.map { ChangeSQL.find(entity, $0, descending: true) } ?? sql.find)
    try select.bind(sql.values)
    var targets: [Target] = []
    while try select.step() { targets.append(Target(key: select.int64(0), version: select.int64(1))) }
    return targets
  }
}
