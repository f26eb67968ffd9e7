// Reading connections besides the writer: opened when needed, and kept for the next reader.
internal import SQLiteDriver
internal import Support
internal import Synchronization

/// A reading connection and its statements.
// Sendable by proof: the pool passes a reader to one thread at a time, and takes it back before the next one.
final class StoreReader: @unchecked Sendable {
  let connection: Connection
  /// Whether the connection belongs only to the reader.
  private let ownsConnection: Bool
  private var statements: PreparedStatements

  init(_ connection: Connection, ownsConnection: Bool = true) {
    self.connection = connection
    self.ownsConnection = ownsConnection
    statements = PreparedStatements(connection)
  }

  /// The prepared statement, ready to be bound; cached.
  func statement(_ sql: String) throws(SQLiteError) -> Statement { try statements.statement(sql) }

  /// A statement for one use, with its parameters bound.
  func prepare(_ fragment: SQLFragment) throws(SQLiteError) -> Statement { try statements.once(fragment) }

  /// Refuses more parameters than SQLite accepts, with a clearer error than SQLite's.
  func check(parameters count: Int) throws(ObjectGraphError) {
    // By default, every release of SQLite accepts at least this many.
    if count < 999 { return }
    // The limit and offset of a fetch take two.
    let limit = connection.parameterLimit - 2
    if count > limit { throw .predicate(.tooManyValues(found: count, limit: limit)) }
  }

  func close() throws(SQLiteError) {
    statements.removeAll()
    if ownsConnection { try connection.close() }
  }
}

/// Reading connections, opened when needed and kept for the next reader.
final class ReaderPool: Sendable {
  private let description: PersistentStoreDescription
  /// The file that must still be at its path; `nil` if it was already gone when the store was opened.
  private let file: FileIdentity?
  /// The statements that every connection runs first.
  private let preparation: [String]
  /// The model version that the store must still have.
  private let version: StoreVersion
  /// The connection that readers share with the writer; `nil` if each has its own.
  private let shared: SharedConnection?
  /// The idle readers; `nil` once the store is closed.
  private let idle = Lock<[StoreReader]?>([])

  init(
    _ description: PersistentStoreDescription, file: FileIdentity?, preparation: [String], version: StoreVersion,
    shared: SharedConnection? = nil
  ) {
    self.description = description
    self.file = file
    self.shared = shared
    self.version = version
    self.preparation = preparation
  }

  func withReader<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    guard let shared else { return try readWithOne(body) }
    return try shared.use { () throws(ObjectGraphError) in try readWithOne(body) }
  }

  private func readWithOne<T>(
    _ body: (StoreReader) throws(ObjectGraphError) -> T
  ) throws(ObjectGraphError) -> T {
    let (pooled, isClosed) = idle.withLock { readers in (readers?.popLast(), readers == nil) }
    if isClosed { throw .noStore }
    let reader = if let pooled { pooled } else { try open() }
    defer { keep(reader) }
    do throws(ObjectGraphError) {
      let result = try body(reader)
      try version.check(reader.connection)
      return result
    } catch {
      try version.check(reader.connection, after: error)
      throw error
    }
  }

  /// Keeps a reader for the next caller, unless it has a transaction that cannot be rolled back, in which it would
  /// still see old content.
  private func keep(_ reader: StoreReader) {
    if shared == nil, reader.connection.isInTransaction {
      reader.connection.rollback()
      // Closing ends the transaction without a statement. Ignore its error, because the reader is discarded.
      if reader.connection.isInTransaction { return _ = try? reader.close() }
    }
    let isKept = idle.withLock { readers in
      readers?.append(reader)
      return readers != nil
    }
    // The store was closed during the read. Ignore the error, as above.
    if !isKept { _ = try? reader.close() }
  }

  /// A separate reader, which sees what others store in the meantime.
  func open() throws(ObjectGraphError) -> StoreReader {
    if let shared { return StoreReader(shared.connection, ownsConnection: false) }
    let reader = try during("opening a reading connection to \(description.path)") { () throws(SQLiteError) in
      let connection = try Connection(
        path: description.path, access: description.readingAccess, busyTimeout: description.busyTimeout)
      try file?.requireFile(at: description.path)
      for sql in preparation { try connection.execute(sql) }
      return StoreReader(connection)
    }
    // Check the version: a connection opened after a migration would not notice the schema change.
    try version.compare(reader.connection)
    description.sqlTrace?.follow(reader.connection)
    return reader
  }

  /// Closes the idle connections now, and the others when their readers are done.
  func close() throws(ObjectGraphError) {
    let readers = idle.withLock { readers in
      defer { readers = nil }
      return readers ?? []
    }
    try during("closing reading connections") { () throws(SQLiteError) in
      for reader in readers { try reader.close() }
    }
  }
}
