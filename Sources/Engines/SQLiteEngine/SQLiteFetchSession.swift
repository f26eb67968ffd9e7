// Rows read by plain SQLite: each one only read, all of them kept, or each one by its key.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// A session of the `sqlite` engine that reads rows.
final class SQLiteFetchSession: ConnectionSession, FetchSession {
  /// How rows are read.
  enum Way {
    /// One statement. No row is kept after its step.
    case looked
    /// One statement. Every row is kept with its strings.
    case kept
    /// The keys first, then one statement per row.
    case byKey
  }

  let connection: Connection
  let entity: EntityDescription
  let setup: StoreSetup
  private let way: Way
  /// A checksum of every row's key and version, so that they are read as they are for objects.
  private var checksum: Int64 = 0
  /// Kept alive as by a list on a screen.
  private var held = KeptRows(width: 0)

  init(_ setup: StoreSetup, _ way: Way) throws {
    connection = try setup.connect()
    entity = try setup.entity
    self.setup = setup
    self.way = way
  }

  func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws {
    if !query.path.isEmpty {
      let path = try setup.relationships(on: query.path)
      return way == .byKey
        ? try followByKey(query, path, into: &rows) : try followByJoin(query, path, into: &rows)
    }
    if let grouping = query.grouping, way == .looked { return try group(query, by: grouping, into: &rows) }
    let attributes = FetchSQL.attributes(of: entity)
    let columns = FetchSQL.columns(of: entity)
    let select = try prepare(way == .byKey ? "Z_PK" : columns, query)
    let classes = attributes.map(\.type.storageClass)
    switch way {
    case .looked: while try select.step() { look(at: select, classes, into: &rows) }
    case .kept:
      held = KeptRows(width: classes.count)
      while try select.step() {
        held.begin(key: select.int64(0), version: select.int64(1))
        for (index, storage) in classes.enumerated() { held.append(KeptRows.Value(select, index + 2, storage)) }
      }
      if let grouping = query.grouping {
        held.add(to: &rows, groupedBy: grouping, of: entity, names: attributes.map(\.name))
      } else {
        for row in 0..<held.count { rows.add(held.hash(row)) }
      }
    case .byKey:
      var keys: [Int64] = []
      while try select.step() { keys.append(select.int64(0)) }
      let one = try connection.prepare("SELECT \(columns) FROM \(entity.tableName) WHERE Z_PK = ?")
      for key in keys {
        try one.bind(key, at: 1)
        if try one.step() { look(at: one, classes, into: &rows) }
        one.reset()
      }
    }
  }

  /// A statement that reads columns of the query's rows, with its values bound.
  func prepare(_ columns: String, _ query: FetchQuery) throws(SQLiteError) -> Statement {
    let sql = FetchSQL(columns, query, of: entity)
    let select = try connection.prepare(sql.text)
    try select.bind(sql.values)
    return select
  }

  /// Binds the values of the query's condition.
  func bind(_ query: FetchQuery, to statement: Statement) throws(SQLiteError) {
    try statement.bind(query.condition.map { ConditionSQL($0, entity: entity).parameters } ?? [])
  }

  private func look(at row: Statement, _ classes: [StorageClass], into rows: inout FetchedRows) {
    checksum &+= row.int64(0) & row.int64(1)
    var hash = RowHash()
    for (index, storage) in classes.enumerated() { hash.add(index + 2, of: row, as: storage) }
    rows.add(hash)
  }
}

extension KeptRows.Value {
  /// A column's value in the statement's current row.
  fileprivate init(_ row: Statement, _ column: Int, _ storage: StorageClass) {
    if row.isNull(column) {
      self = .null
      return
    }
    self =
      switch storage {
      case .integer: .integer(row.int64(column))
      case .real: .real(row.double(column))
      case .text: .text(row.string(column) ?? "")
      case .blob: .blob(row.bytes(column).map { Array($0) } ?? [])
      }
  }
}
