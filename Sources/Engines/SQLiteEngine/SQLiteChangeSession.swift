// One store of the reference whose rows are updated or deleted: a SELECT for their keys, then a statement stepped a row; or
// one statement for all rows.
internal import CoreDataModel
internal import SQLiteDriver
internal import BatchmarkEngine

/// A session of the `sqlite` engine that changes rows.
final class SQLiteChangeSession: ConnectionSession, ChangeSession {
  /// What is done to each row.
  enum Change {
    case update([Assignment])
    case delete
  }

  let connection: Connection
  private let setup: StoreSetup
  private let entity: EntityDescription
  private let change: Change
  /// Nil for one statement that changes all rows.
  private let rowsPerTransaction: RowCount?

  /// What the rows below those that are deleted are found by; nil where the rules ask for nothing.
  private let trees: TreeDeletion?

  /// A row to change, and the version it was found with.
  private struct Target {
    let key: Int64
    let version: Int64
  }

  init(_ setup: StoreSetup, _ change: Change, rowsPerTransaction: RowCount? = nil) throws {
    self.setup = setup
    connection = try setup.connect()
    entity = try setup.entity
    self.change = change
    self.rowsPerTransaction = rowsPerTransaction
    trees = if case .delete = change { TreeDeletion(setup) } else { nil }
  }

  func change(where condition: RowCondition?) throws {
    guard let rowsPerTransaction else { return try changeAll(condition) }
    let targets = try targets(condition)
    let step = rowsPerTransaction.limited(to: targets.count)
    let isDelete = if case .delete = change { true } else { false }
    let statement = try connection.prepare(verb + " WHERE Z_PK = ?" + (isDelete ? " AND Z_OPT = ?" : ""))
    // The values are the same for every row, and stay bound.
    let position = try bindValues(to: statement)
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
  private func changeAll(_ condition: RowCondition?) throws {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    let rows = filter.map { " WHERE " + $0.sql } ?? ""
    let statement = try connection.prepare(verb + (trees?.closure(of: rows).map { " WHERE Z_PK IN (\($0))" } ?? rows))
    let position = try bindValues(to: statement)
    for (index, value) in (filter?.parameters ?? []).enumerated() { try statement.bind(value, at: position + index) }
    let nullification = try trees?.nullification(of: rows, filter, over: connection)
    try connection.transaction {
      // As long as the rows are there that it asks for.
      try nullification?.run()
      try statement.run()
    }
  }

  /// The statement up to its WHERE.
  private var verb: String {
    switch change {
    case .delete: return "DELETE FROM \(entity.tableName)"
    case .update(let assignments):
      let columns = assignments.compactMap { entity.attribute(named: $0.attribute)?.columnName }
      return "UPDATE \(entity.tableName) SET \(columns.map { "\($0) = ?, " }.joined())Z_OPT = Z_OPT + 1"
    }
  }

  /// Binds the values from the first parameter on, and answers the next one.
  private func bindValues(to statement: Statement) throws -> Int {
    guard case .update(let assignments) = change else { return 1 }
    var position = 1
    for assignment in assignments {
      guard let attribute = entity.attribute(named: assignment.attribute) else { continue }
      try statement.bind(StoredValue(assignment.value, type: attribute.type), at: position)
      position += 1
    }
    return position
  }

  /// The rows that match the condition, in the order of their keys.
  private func targets(_ condition: RowCondition?) throws -> [Target] {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    let rows = filter.map { " WHERE " + $0.sql } ?? ""
    // Rows below others come later, and are deleted before them: no transaction leaves a row without its parent.
    let (all, order) = trees?.closure(of: rows).map { (" WHERE Z_PK IN (\($0))", " DESC") } ?? (rows, "")
    let select = try connection.prepare("SELECT Z_PK, Z_OPT FROM \(entity.tableName)\(all) ORDER BY Z_PK\(order)")
    for (index, value) in (filter?.parameters ?? []).enumerated() { try select.bind(value, at: index + 1) }
    var targets: [Target] = []
    while try select.step() { targets.append(Target(key: select.int64(0), version: select.int64(1))) }
    return targets
  }
}
