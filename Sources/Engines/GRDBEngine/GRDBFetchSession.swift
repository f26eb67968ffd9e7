// Rows read by GRDB: with a cursor of rows, as records that read their own columns, or as Codable records.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import GRDB

/// A session of the `grdb` engine that reads rows.
final class GRDBFetchSession: QueueSession, FetchSession {
  enum Style { case row, record, codable, associations }

  let queue: DatabaseQueue
  let entity: EntityDescription
  private let setup: StoreSetup
  private let table: RecordTable
  private let style: Style
  /// The fetched result, kept alive as by a list on a screen.
  private var held: Any?

  init(_ setup: StoreSetup, _ style: Style) throws {
    let entity = try setup.entity
    queue = try DatabaseQueue.open(setup)
    table = try queue.recordTable(of: StoredEntity(entity))
    self.entity = entity
    self.setup = setup
    self.style = style
  }

  /// Keeps a result alive until the end of the session.
  func hold(_ result: Any) { held = result }

  func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws {
    let records = FetchedRecords(of: entity)
    held = records
    rows = try RecordTable.$current.withValue(table) {
      try FetchedRecords.$current.withValue(records) { [rows] in
        var rows = rows
        try queue.read { try fetch($0, query, records, into: &rows) }
        return rows
      }
    }
  }

  private func fetch(
    _ database: Database, _ query: FetchQuery, _ records: FetchedRecords, into rows: inout FetchedRows
  ) throws {
    switch style {
    case .associations: try follow(database, query, setup.relationships(on: query.path), into: &rows)
    case .row where query.grouping != nil: try group(database, query, into: &rows)
    case .row:
      let cursor = try Row.fetchCursor(database, request(FetchedRecord.self, query, records))
      while let row = try cursor.next() {
        var hash = RowHash()
        for (index, field) in records.fields.enumerated() { hash.add(field.value(row, index + 2)) }
        rows.add(hash)
      }
    case .record:
      _ = try request(FetchedRecord.self, query, records).fetchAll(database)
      if let grouping = query.grouping {
        return records.kept.add(
          to: &rows, groupedBy: grouping, of: entity, names: entity.attributes.map(\.name).sorted())
      }
      for row in 0..<records.kept.count { rows.add(records.kept.hash(row)) }
    case .codable:
      _ = try request(CodableFetchedRecord.self, query, records).fetchAll(database)
      for row in 0..<records.kept.count { rows.add(records.kept.hash(row)) }
    }
  }

  private func request<Record: TableRecord>(
    _ type: Record.Type, _ query: FetchQuery, _ records: FetchedRecords
  ) -> QueryInterfaceRequest<Record> {
    let columns = [ColumnKey.primaryKey, .version] + records.fields.map(\.key)
    let order = query.order.flatMap { entity.attribute(named: $0) }.map { GRDB.Column($0.columnName) }
    var all = Record.select(columns.map { GRDB.Column($0.stringValue) })
    if let order {
      all = query.isAscending ? all.order(order) : all.order(order.desc)
    } else {
      all = all.order(GRDB.Column("Z_PK"))
    }
    // GRDB has no offset without a limit.
    if query.isPart { all = all.limit(query.limit ?? Int.max, offset: query.offset) }
    return filtered(all, query)
  }

  /// The rows that match the query's condition; `table` is the alias of their table in the request, if it has one.
  func filtered<Record>(
    _ all: QueryInterfaceRequest<Record>, _ query: FetchQuery, table: String? = nil
  ) -> QueryInterfaceRequest<Record> {
    guard let condition = query.condition else { return all }
    let filter = ConditionSQL(condition, entity: entity, table: table)
    return all.filter(sql: filter.sql, arguments: StatementArguments(filter.parameters.map(\.databaseValue)))
  }

  /// Reads a row for each group.
  private func group(_ database: Database, _ query: FetchQuery, into rows: inout FetchedRows) throws {
    guard let grouping = query.grouping, let attribute = entity.attribute(named: grouping.attribute) else { return }
    let aggregates = grouping.aggregates.map { aggregate in
      aggregate.sql(aggregate.attribute.flatMap { entity.attribute(named: $0)?.columnName })
    }
    let request = filtered(FetchedRecord.all(), query)
      .select(sql: ([attribute.columnName] + aggregates).joined(separator: ", "))
      .group(GRDB.Column(attribute.columnName))
    let fields = ([attribute.type] + grouping.aggregates.map { $0.type(in: entity) }).map {
      FetchedRecords.Field(key: ColumnKey(attribute.columnName), storage: $0.storageClass)
    }
    let cursor = try Row.fetchCursor(database, request)
    while let row = try cursor.next() {
      var hash = RowHash()
      for (index, field) in fields.enumerated() { hash.add(field.value(row, index)) }
      rows.add(hash)
    }
  }
}

/// The columns that the records of a fetch read, and the values that they keep, instead of an app's record properties.
///
/// `@unchecked Sendable`: a session creates it, and only its fetch uses it, on the single thread that GRDB runs it on.
/// Outside of fetches the value has no fields, and no records are made.
final class FetchedRecords: @unchecked Sendable {
  /// Sorted by attribute name, which is the order of hashing.
  let fields: [Field]
  var kept: KeptRows

  /// The records of the current fetch.
  ///
  /// GRDB creates each record by its type alone.
  @TaskLocal static var current = FetchedRecords(fields: [])

  struct Field {
    let key: ColumnKey
    let storage: StorageClass

    /// The value of a row's column, with the type that a property would have.
    func value(_ row: Row, _ index: Int) -> KeptRows.Value {
      switch storage {
      case .integer: (row[index] as Int64?).map { .integer($0) } ?? .null
      case .real: (row[index] as Double?).map { .real($0) } ?? .null
      case .text: (row[index] as String?).map { .text($0) } ?? .null
      case .blob: (row[index] as Data?).map { .blob(Array($0)) } ?? .null
      }
    }

    /// Decodes an optional property as compiler-generated code does.
    func value(_ container: KeyedDecodingContainer<ColumnKey>) throws -> KeptRows.Value {
      switch storage {
      case .integer: try container.decodeIfPresent(Int64.self, forKey: key).map { .integer($0) } ?? .null
      case .real: try container.decodeIfPresent(Double.self, forKey: key).map { .real($0) } ?? .null
      case .text: try container.decodeIfPresent(String.self, forKey: key).map { .text($0) } ?? .null
      case .blob: try container.decodeIfPresent(Data.self, forKey: key).map { .blob(Array($0)) } ?? .null
      }
    }
  }

  convenience init(of entity: EntityDescription) {
    self.init(
      fields: entity.attributes.sorted { $0.name < $1.name }.map {
        Field(key: ColumnKey($0.columnName), storage: $0.type.storageClass)
      })
  }

  private init(fields: [Field]) {
    self.fields = fields
    kept = KeptRows(width: fields.count)
  }
}

/// A record that reads its own columns by position.
private struct FetchedRecord: FetchableRecord, TableRecord {
  static var databaseTableName: String { RecordTable.current.name }

  init(row: Row) {
    let records = FetchedRecords.current
    records.kept.begin(key: row[0], version: row[1])
    for (index, field) in records.fields.enumerated() { records.kept.append(field.value(row, index + 2)) }
  }
}

/// A record that GRDB decodes.
private struct CodableFetchedRecord: FetchableRecord, TableRecord, Decodable {
  static var databaseTableName: String { RecordTable.current.name }

  init(from decoder: any Decoder) throws {
    let records = FetchedRecords.current
    let container = try decoder.container(keyedBy: ColumnKey.self)
    records.kept.begin(
      key: try container.decode(Int64.self, forKey: .primaryKey),
      version: try container.decode(Int64.self, forKey: .version))
    for field in records.fields { records.kept.append(try field.value(container)) }
  }
}
