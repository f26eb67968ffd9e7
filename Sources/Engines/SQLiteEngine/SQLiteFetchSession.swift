// One store of the reference whose rows are read: one SELECT, stepped a row.
internal import ObjectGraph
internal import SQLiteDriver
internal import Scenarios
internal import Workloads

/// A session of the `sqlite` engine that reads rows.
final class SQLiteFetchSession: EngineSession {
  private let connection: Connection
  private let entity: EntityDescription
  private var rows = 0
  /// Made of every value, so that none is left unread.
  private var checksum = 0.0

  init(_ connection: Connection, entity: EntityDescription) {
    self.connection = connection
    self.entity = entity
  }

  func ingest(_ rows: ColumnarRows) throws { throw SampleError.unsupportedOperation(.insert) }

  func fetch(_ condition: RowCondition?) throws {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    let columns = (["Z_PK", "Z_OPT"] + entity.attributes.map(\.columnName)).joined(separator: ", ")
    let select = try connection.prepare(
      "SELECT \(columns) FROM \(entity.tableName)\(filter.map { " WHERE " + $0.sql } ?? "") ORDER BY Z_PK")
    for (index, value) in (filter?.parameters ?? []).enumerated() { try select.bind(value, at: index + 1) }
    let classes = entity.attributes.map(\.type.storageClass)
    while try select.step() {
      checksum += Double(select.int64(0) & select.int64(1))
      for (index, storage) in classes.enumerated() {
        let column = index + 2
        switch storage {
        case .integer: checksum += Double(select.int64(column))
        case .real: checksum += select.double(column)
        case .text: checksum += Double(select.string(column)?.utf8.count ?? 0)
        case .blob: checksum += Double(select.bytes(column)?.count ?? 0)
        }
      }
      rows += 1
    }
  }

  /// The values are not kept; a checksum that is no number would mean that none was read.
  func fetched() throws -> FetchedRows { FetchedRows(rows: checksum.isNaN ? 0 : rows) }

  func checkpoint() throws { try connection.truncateWAL() }

  func pragma(_ name: String) throws -> String? { try connection.pragma(name) }

  func close() throws { try connection.close() }
}
