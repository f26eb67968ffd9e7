// A store of the engine with rows that are updated or deleted, record by record or all by one request.
internal import Foundation
internal import GRDB
internal import CoreDataModel
internal import BatchmarkEngine

/// A session of the `grdb` engine that changes rows.
final class GRDBChangeSession: QueueSession, ChangeSession {
  /// The change of each row.
  enum Change {
    case update([Assignment])
    case delete
  }

  let queue: DatabaseQueue
  private let setup: StoreSetup
  private let entity: EntityDescription
  private let table: RecordTable
  private let change: Change
  /// `nil` for one request that changes all rows.
  private let rowsPerTransaction: RowCount?

  init(_ setup: StoreSetup, _ change: Change, rowsPerTransaction: RowCount? = nil) throws {
    let entity = try setup.entity
    queue = try DatabaseQueue.open(setup)
    table = try queue.recordTable(of: StoredEntity(entity))
    self.setup = setup
    self.entity = entity
    self.change = change
    self.rowsPerTransaction = rowsPerTransaction
  }

  func change(where condition: RowCondition?) throws {
    try RecordTable.$current.withValue(table) {
      let request = filtered(StoredRecord.all(), by: condition)
      if let rowsPerTransaction {
        try changeEach(request, rowsPerTransaction)
      } else {
        try changeAll(request)
      }
    }
  }

  /// `updateAll` or `deleteAll` for all rows.
  private func changeAll(_ request: QueryInterfaceRequest<StoredRecord>) throws {
    try queue.write { database in
      switch change {
      case .delete: _ = try request.deleteAll(database)
      case .update(let assignments):
        let values = stored(assignments).map { GRDB.Column($0.column).set(to: $0.value) }
        _ = try request.updateAll(database, values + [.versionRaised])
      }
    }
  }

  /// Fetches the records, and updates or deletes each by its key.
  private func changeEach(_ request: QueryInterfaceRequest<StoredRecord>, _ rowsPerTransaction: RowCount) throws {
    let ordered = request.order(GRDB.Column("Z_PK"))
    var records = try queue.read { try ordered.fetchAll($0) }
    let step = rowsPerTransaction.limited(to: records.count)
    let values = if case .update(let assignments) = change { stored(assignments) } else { stored([]) }
    let positions = values.map { (table.columns.firstIndex(of: $0.column), $0.value) }
    let version = table.columns.firstIndex(of: "Z_OPT")
    let columns = values.map(\.column) + ["Z_OPT"]
    for start in stride(from: 0, to: records.count, by: step) {
      try setup.request {
        try queue.write { database in
          for index in start..<min(start + step, records.count) {
            if case .delete = change {
              _ = try records[index].delete(database)
            } else {
              for (position, value) in positions { records[index][position] = value }
              records[index].raise(version)
              try records[index].update(database, columns: columns)
            }
          }
        }
      }
    }
  }

  /// The request for the rows that match the condition, as hand-written SQL.
  private func filtered(
    _ request: QueryInterfaceRequest<StoredRecord>, by condition: RowCondition?
  ) -> QueryInterfaceRequest<StoredRecord> {
    guard let condition else { return request }
    let filter = ConditionSQL(condition, entity: entity)
    return request.filter(sql: filter.sql, arguments: StatementArguments(filter.parameters.map(\.databaseValue)))
  }

  /// The values that an update sets, by column.
  private func stored(_ assignments: [Assignment]) -> [(column: String, value: DatabaseValue)] {
    assignments.compactMap { assignment in
      entity.attribute(named: assignment.attribute).map {
        ($0.columnName, StoredValue(assignment.value, type: $0.type).databaseValue)
      }
    }
  }
}

/// A fetched row: a value for each column of the table.
private struct StoredRecord: FetchableRecord, PersistableRecord {
  static var databaseTableName: String { RecordTable.current.name }

  private var values: [DatabaseValue]

  init(row: Row) { values = (0..<row.count).map { row[$0] } }

  func encode(to container: inout PersistenceContainer) {
    for (column, value) in zip(RecordTable.current.columns, values) { container[column] = value }
  }

  /// The value of a column by its position in the table; null for a missing column.
  subscript(_ position: Int?) -> DatabaseValue {
    get { position.map { values[$0] } ?? .null }
    set { if let position { values[position] = newValue } }
  }

  /// Adds 1 to a whole number.
  mutating func raise(_ position: Int?) {
    if case .int64(let number) = self[position].storage { self[position] = (number + 1).databaseValue }
  }
}

extension StoredValue {
  var databaseValue: DatabaseValue {
    integer?.databaseValue ?? real?.databaseValue ?? text?.databaseValue ?? blob.map { Data($0).databaseValue } ?? .null
  }
}
