// Reading rows and counting them, on a reading connection beside the writer.
internal import SQLiteDriver
internal import Synchronization

extension SQLiteStore {
  func rows(of family: [EntityLayout], limit: Int?) throws(ObjectGraphError) -> [StoredRow] {
    try read { (reader) throws(ObjectGraphError) in
      // Each entity of a hierarchy has columns of its own, so each is read by itself.
      var rows: [StoredRow] = []
      for layout in family {
        try during("fetching \(layout.entity.name)") { () throws(SQLiteError) in
          try append(layout, limit: limit, reader, to: &rows)
        }
      }
      if family.count > 1 { rows.sort { $0.objectID.key < $1.objectID.key } }
      return limit.map { Array(rows.prefix($0)) } ?? rows
    }
  }

  private func append(
    _ layout: EntityLayout, limit: Int?, _ reader: StoreReader, to rows: inout [StoredRow]
  ) throws(SQLiteError) {
    let statement = try reader.statement(layout.selectSQL)
    defer { statement.reset() }
    try statement.bind(Int64(entityNumber(of: layout)), at: 1)
    try statement.bind(Int64(limit ?? -1), at: 2)
    while try statement.step() {
      rows.append(
        StoredRow(
          objectID: ManagedObjectID(store: identity, entityIndex: Int32(layout.index), key: statement.int64(0)),
          snapshot: layout.snapshot(of: statement)))
    }
  }

  func row(key: Int64, of layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot? {
    try read { (reader) throws(ObjectGraphError) in
      try during("reading \(layout.entity.name)") { () throws(SQLiteError) in
        try layout.row(key: key, try reader.statement(layout.selectByKeySQL))
      }
    }
  }

  func count(of family: [EntityLayout]) throws(ObjectGraphError) -> Int {
    guard let first = family.first else { return 0 }
    return try read { (reader) throws(ObjectGraphError) in
      try during("counting \(first.entity.name)") { () throws(SQLiteError) in
        let numbers = family.map { "\(entityNumber(of: $0))" }.joined(separator: ", ")
        let sql = "SELECT COUNT(*) FROM \(first.tableName)"
        return Int(
          try reader.connection.scalar(first.sharesTable ? sql + " WHERE Z_ENT IN (\(numbers))" : sql) ?? 0)
      }
    }
  }
}

extension EntityLayout {
  /// Key, version, then the columns in the table's order.
  private var selectColumns: String {
    "SELECT Z_PK, Z_OPT, " + columnNames.joined(separator: ", ") + " FROM \(tableName)"
  }

  /// The number of the entity is a parameter also where the table has no other, so that both have the same ones.
  fileprivate var selectSQL: String {
    selectColumns + (sharesTable ? " WHERE Z_ENT = ?" : " WHERE ? > 0") + " ORDER BY Z_PK LIMIT ?"
  }

  var selectByKeySQL: String { selectColumns + " WHERE Z_PK = ?" }

  /// The row under a key, by a statement of ``selectByKeySQL``.
  func row(key: Int64, _ statement: Statement) throws(SQLiteError) -> RowSnapshot? {
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step() ? snapshot(of: statement) : nil
  }

  fileprivate func snapshot(of statement: Statement) -> RowSnapshot {
    RowSnapshot(count: slotCount, version: statement.int64(1)) { slots in
      for (column, slot) in columnOrder.enumerated() {
        (slots + slot).initialize(to: statement.value(column + 2, as: attributes[slot].type))
      }
      for slot in transientSlots { (slots + slot).initialize(to: .null) }
    }
  }
}

/// A reading connection and its statements.
// Sendable by proof: the pool hands a reader to one thread at a time, and takes it back before the next one.
final class StoreReader: @unchecked Sendable {
  let connection: Connection
  private var statements: [String: Statement] = [:]

  init(_ connection: Connection) { self.connection = connection }

  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }

  func close() throws(SQLiteError) {
    statements = [:]
    try connection.close()
  }
}

/// Reading connections, opened when they are needed and kept for the next reader.
final class ReaderPool: Sendable {
  private let description: PersistentStoreDescription
  private let idle = Mutex<[StoreReader]>([])

  init(_ description: PersistentStoreDescription) { self.description = description }

  func withReader<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    let pooled = idle.withLock { $0.popLast() }
    let reader = if let pooled { pooled } else { try open() }
    defer { idle.withLock { $0.append(reader) } }
    return try body(reader)
  }

  private func open() throws(ObjectGraphError) -> StoreReader {
    try during("opening a reading connection to \(description.path)") { () throws(SQLiteError) in
      StoreReader(
        try Connection(path: description.path, access: .readOnly, busyTimeout: description.busyTimeout))
    }
  }

  /// Closes the connections that nobody is reading with.
  func close() throws(ObjectGraphError) {
    let readers = idle.withLock { readers in
      defer { readers = [] }
      return readers
    }
    try during("closing reading connections") { () throws(SQLiteError) in
      for reader in readers { try reader.close() }
    }
  }
}
