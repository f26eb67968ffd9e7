// Reading connections beside the writer: opened when they are needed, kept for the next reader.
internal import SQLiteDriver
internal import Support
internal import Synchronization

/// A reading connection and its statements.
// Sendable by proof: the pool hands a reader to one thread at a time, and takes it back before the next one.
final class StoreReader: @unchecked Sendable {
  let connection: Connection
  /// Whether the connection is the reader's alone.
  private let ownsConnection: Bool
  private var statements: PreparedStatements

  init(_ connection: Connection, ownsConnection: Bool = true) {
    self.connection = connection
    self.ownsConnection = ownsConnection
    statements = PreparedStatements(connection)
  }

  /// The prepared form of the SQL, ready to be bound.
  func statement(_ sql: String) throws(SQLiteError) -> Statement { try statements.statement(sql) }

  /// A statement for once, with its parameters.
  func prepare(_ fragment: SQLFragment) throws(SQLiteError) -> Statement { try statements.once(fragment) }

  /// Refuses more parameters than SQLite accepts, with a clearer error than SQLite's.
  func check(parameters count: Int) throws(ObjectGraphError) {
    // No release of SQLite takes fewer, as it is built by default.
    if count < 999 { return }
    // A fetch's window takes two.
    let limit = connection.parameterLimit - 2
    if count > limit { throw .predicate(.tooManyValues(found: count, limit: limit)) }
  }

  func close() throws(SQLiteError) {
    statements.removeAll()
    if ownsConnection { try connection.close() }
  }
}

/// Reading connections, opened when they are needed and kept for the next reader.
final class ReaderPool: Sendable {
  private let description: PersistentStoreDescription
  /// What must still be at its path; nil where nothing was there any more when the store was opened.
  private let file: FileIdentity?
  /// What every connection runs first.
  private let preparation: [String]
  /// The version of the model that the store must still have.
  private let version: StoreVersion
  /// The connection that readers share with the writer; nil if each has its own.
  private let shared: SharedConnection?
  /// The idle readers; nil once the store is closed.
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

  /// Keeps a reader for the next caller, unless it has a transaction that cannot be rolled back, so that it would still see old
  /// content.
  private func keep(_ reader: StoreReader) {
    if shared == nil, reader.connection.isInTransaction {
      reader.connection.rollback()
      // Closing ends the transaction without a statement. Its error adds nothing: the reader is discarded.
      if reader.connection.isInTransaction { return _ = try? reader.close() }
    }
    let isKept = idle.withLock { readers in
      readers?.append(reader)
      return readers != nil
    }
    // The store was closed while this one was read with. Its error adds nothing, as above.
    if !isKept { _ = try? reader.close() }
  }

  /// A separate reader, which sees what others store meanwhile.
  func open() throws(ObjectGraphError) -> StoreReader {
    if let shared { return StoreReader(shared.connection, ownsConnection: false) }
    let reader = try during("opening a reading connection to \(description.path)") { () throws(SQLiteError) in
      let connection = try Connection(
        path: description.path, access: description.readingAccess, busyTimeout: description.busyTimeout)
      try file?.requireFile(at: description.path)
      for sql in preparation { try connection.execute(sql) }
      return StoreReader(connection)
    }
    // A connection that is opened after a migration finds no change of the schema.
    try version.compare(reader.connection)
    description.sqlTrace?.follow(reader.connection)
    return reader
  }

  /// Closes the idle connections, and each other one when its reader is done.
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
