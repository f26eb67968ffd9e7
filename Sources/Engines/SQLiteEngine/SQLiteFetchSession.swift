// One store of the reference whose rows are read: one SELECT, stepped a row.
internal import CoreDataModel
internal import SQLiteDriver
internal import BatchmarkEngine

/// A session of the `sqlite` engine that reads rows.
final class SQLiteFetchSession: ConnectionSession, FetchSession {
  let connection: Connection
  private let entity: EntityDescription
  /// Made of every row's key and version, so that they are read as an object's are.
  private var checksum: Int64 = 0

  init(_ setup: StoreSetup) throws {
    connection = try setup.connect()
    entity = try setup.entity
  }

  func fetch(where condition: RowCondition?, into rows: inout FetchedRows) throws {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let columns = (["Z_PK", "Z_OPT"] + attributes.map(\.columnName)).joined(separator: ", ")
    let select = try connection.prepare(
      "SELECT \(columns) FROM \(entity.tableName)\(filter.map { " WHERE " + $0.sql } ?? "") ORDER BY Z_PK")
    for (index, value) in (filter?.parameters ?? []).enumerated() { try select.bind(value, at: index + 1) }
    let classes = attributes.map(\.type.storageClass)
    while try select.step() {
      checksum &+= select.int64(0) & select.int64(1)
      var row = RowHash()
      for (index, storage) in classes.enumerated() { row.add(index + 2, of: select, as: storage) }
      rows.add(row)
    }
  }
}
