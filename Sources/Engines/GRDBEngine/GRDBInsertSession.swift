// A store of the engine that rows are inserted into, in one transaction.
internal import GRDB
internal import CoreDataModel
internal import ObjectGraph
internal import BatchmarkEngine

/// A session of the `grdb` engine that inserts.
final class GRDBInsertSession: QueueSession, InsertSession {
  /// How a row is passed to GRDB.
  enum Style {
    case statement, record, codable
  }

  let queue: DatabaseQueue
  private let style: Style
  /// One for each entity with rows.
  private let targets: [InsertTarget]

  var notes: [String] {
    style != .statement && targets.contains { $0.takenValues.isOverwriting }
      ? [
        "GRDB raises the version of a row that is written over by upsertAndFetch, which prepares its statement for each row"
      ]
      : []
  }

  init(_ setup: StoreSetup, _ style: Style) throws {
    self.style = style
    try setup.createStore()
    queue = try DatabaseQueue.open(setup)
    try queue.inDatabase { try $0.execute(sql: StoreSetup.firstWrite) }
    targets = try setup.storedEntities.map { [queue] entity in
      let table = try queue.recordTable(of: entity)
      let sql = InsertSQL(
        into: entity, entityNumber: table.entityNumber, rootNumber: table.rootNumber, policy: setup.mergePolicy
      ).text(rows: 1)
      if style == .statement { try queue.inDatabase { _ = try $0.cachedStatement(sql: sql) } }
      return InsertTarget(table: table, takenValues: TakenValues(entity, setup.mergePolicy), sql: sql)
    }
  }

  func insert(_ source: SourceRows) throws {
    try queue.write { database in
      for (target, rows) in zip(targets, source.tables) {
        try RecordTable.$current.withValue(target.table) { try insert(rows, into: target, database) }
      }
    }
  }

  private func insert(_ rows: ColumnarRows, into target: InsertTarget, _ database: Database) throws {
    let root = target.table.rootNumber
    let last = try Int64.fetchOne(
      database, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", arguments: [root])
    let end = try insert(RecordSource(rows, of: target.table), into: target, after: last ?? 0, database)
    try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", arguments: [end, root])
  }

  /// Inserts every row and returns the last key.
  private func insert(
    _ source: RecordSource, into target: InsertTarget, after last: Int64, _ database: Database
  ) throws -> Int64 {
    var key = last
    switch style {
    case .statement:
      let statement = try database.cachedStatement(sql: target.sql)
      for row in 0..<source.count {
        key += 1
        statement.setUncheckedArguments(source.arguments(row, key: key))
        try statement.execute()
      }
    case .record:
      for row in 0..<source.count {
        key += 1
        try target.takenValues.store(RowRecord(source: source, row: row, key: key), database)
      }
    case .codable:
      for row in 0..<source.count {
        key += 1
        try target.takenValues.store(CodableRowRecord(source: source, row: row, key: key), database)
      }
    }
    return key
  }
}

/// An entity that rows are inserted into.
private struct InsertTarget {
  let table: RecordTable
  let takenValues: TakenValues
  let sql: String
}

/// How GRDB resolves a conflict of a record's unique values with a stored row.
private enum TakenValues {
  /// No value must be unique.
  case none
  case keptStored
  /// An upsert on the columns of the uniqueness constraint; on any columns if there are several constraints, because
  /// GRDB's upsert has only one target.
  case overwritten([String])

  var isOverwriting: Bool { if case .overwritten = self { true } else { false } }

  init(_ entity: StoredEntity, _ policy: MergePolicy) {
    let constraints = entity.uniquenessConstraints
    if constraints.isEmpty {
      self = .none
      return
    }
    switch policy.mergeType {
    case .error, .storeTrump, .rollback: self = .keptStored
    case .objectTrump, .overwrite:
      self = .overwritten(
        constraints.count > 1 ? [] : constraints[0].compactMap { entity.columnName(of: $0) })
    }
  }

  func store(_ record: some PersistableRecord, _ database: Database) throws {
    switch self {
    case .none: try record.insert(database)
    case .keptStored: try record.insert(database, onConflict: .ignore)
    case .overwritten(let columns):
      _ = try record.upsertAndFetch(database, as: UpsertedRow.self, onConflict: columns) { _ in
        [.versionRaised, .entityKept]
      }
    }
  }
}
