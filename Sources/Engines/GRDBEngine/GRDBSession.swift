// One store of the engine into which rows are inserted, in one transaction.
internal import GRDB
internal import ObjectGraph
internal import Scenarios
internal import Workloads

/// A session of the `grdb` engine that inserts.
final class GRDBSession: QueueSession {
  let queue: DatabaseQueue
  private let strategy: GRDBEngine.StrategyName
  private let table: RecordTable
  private let takenValues: TakenValues
  private let insertSQL: String

  init(_ setup: StoreSetup, entity: EntityDescription, strategy: GRDBEngine.StrategyName) throws {
    self.strategy = strategy
    queue = try DatabaseQueue.open(setup)
    // The store was closed once, which removed its WAL; a write that changes nothing makes it again before ingest.
    try queue.write { try $0.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX") }
    let table = try queue.recordTable(of: entity)
    let sql = InsertSQL(into: entity, entityNumber: table.entityNumber, policy: setup.mergePolicy).text(rows: 1)
    if strategy == .statement { try queue.inDatabase { _ = try $0.cachedStatement(sql: sql) } }
    self.table = table
    insertSQL = sql
    takenValues = TakenValues(entity, setup.mergePolicy)
  }

  func ingest(_ rows: ColumnarRows) throws {
    let source = RecordSource(rows, of: table)
    try RecordTable.$current.withValue(table) {
      try queue.write { database in
        let last = try Int64.fetchOne(
          database, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", arguments: [table.entityNumber])
        let end = try insert(source, after: last ?? 0, database)
        try database.execute(
          sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", arguments: [end, table.entityNumber])
      }
    }
  }

  /// Inserts every row and answers the last key.
  private func insert(_ source: RecordSource, after last: Int64, _ database: Database) throws -> Int64 {
    var key = last
    switch strategy {
    case .statement:
      let statement = try database.cachedStatement(sql: insertSQL)
      for row in 0..<source.count {
        key += 1
        statement.setUncheckedArguments(source.arguments(row, key: key))
        try statement.execute()
      }
    case .record:
      for row in 0..<source.count {
        key += 1
        try store(RowRecord(source: source, row: row, key: key), database)
      }
    case .codable:
      for row in 0..<source.count {
        key += 1
        try store(CodableRowRecord(source: source, row: row, key: key), database)
      }
    case .update, .delete, .updateMany, .deleteMany: throw SampleError.unsupportedOperation(.insert)
    }
    return key
  }

  private func store(_ record: some PersistableRecord, _ database: Database) throws {
    switch takenValues {
    case .none: try record.insert(database)
    case .keptStored: try record.insert(database, onConflict: .ignore)
    case .overwritten(let columns):
      _ = try record.upsertAndFetch(database, as: UpsertedRow.self, onConflict: columns) { _ in
        [.versionRaised, .entityKept]
      }
    }
  }
}

/// What becomes of a record whose unique values a stored row has, in GRDB's words.
private enum TakenValues {
  /// No value must be unique.
  case none
  case keptStored
  /// An upsert on the columns that are unique together; on any where there are several constraints, since an upsert of
  /// GRDB has one target.
  case overwritten([String])

  init(_ entity: EntityDescription, _ policy: MergePolicy) {
    let constraints = entity.uniquenessConstraints
    if constraints.isEmpty {
      self = .none
      return
    }
    switch policy.mergeType {
    case .error, .storeTrump, .rollback: self = .keptStored
    case .objectTrump, .overwrite:
      self = .overwritten(
        constraints.count > 1 ? [] : constraints[0].compactMap { entity.attribute(named: $0)?.columnName })
    }
  }
}
