// Reading rows and counting them, on a reading connection beside the writer.
internal import SQLiteDriver
internal import Synchronization

extension SQLiteStore {
  func rows(of layout: EntityLayout, limit: Int?) throws(ObjectGraphError) -> [StoredRow] {
    try read { (reader) throws(ObjectGraphError) in
      try during("fetching \(layout.entity.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(layout.selectSQL)
        defer { statement.reset() }
        try statement.bind(Int64(limit ?? -1), at: 1)
        var rows: [StoredRow] = []
        while try statement.step() {
          rows.append(
            StoredRow(
              objectID: ManagedObjectID(
                store: identity, entityIndex: Int32(layout.index), key: statement.int64(0)),
              snapshot: layout.snapshot(of: statement)))
        }
        return rows
      }
    }
  }

  func count(of layout: EntityLayout) throws(ObjectGraphError) -> Int {
    try read { (reader) throws(ObjectGraphError) in
      try during("counting \(layout.entity.name)") { () throws(SQLiteError) in
        Int(try reader.connection.scalar("SELECT COUNT(*) FROM \(layout.tableName)") ?? 0)
      }
    }
  }
}

extension EntityLayout {
  /// Key, version, then the columns in the table's order.
  fileprivate var selectSQL: String {
    "SELECT Z_PK, Z_OPT, " + columnNames.joined(separator: ", ") + " FROM \(tableName) ORDER BY Z_PK"
      + " LIMIT ?"
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
