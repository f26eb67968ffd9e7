// A connection to a database file: opening, closing, and two ways of running SQL.
internal import CSQLite
internal import CStoreMeter

/// A connection to an SQLite database.
///
/// It belongs to one thread or queue at a time: it is opened without SQLite's own mutex, and is not `Sendable`. A
/// connection closes when you call ``close()`` or when nothing references it and its statements. After ``close()``
/// every operation of the connection and of its statements throws ``ResultCode/misuse``.
///
/// ```swift
/// let connection = try Connection(path: "quakes.sqlite")
/// try connection.execute("CREATE TABLE IF NOT EXISTS quake (code TEXT UNIQUE, place TEXT, magnitude REAL)")
/// let insert = try connection.prepare("INSERT OR IGNORE INTO quake (code, magnitude) VALUES (?, ?)")
/// try insert.bind(text: "us1000ep7p", at: 1)
/// try insert.bind(4.6, at: 2)
/// try insert.run()
/// ```
public final class Connection {
  /// What a connection may do to its file.
  ///
  /// ```swift
  /// let store = try Connection(path: "quakes.sqlite", access: .readWriteCreate)
  /// let feed = try Connection(path: "feed.sqlite", access: .readOnly)
  /// ```
  public enum Access: Sendable, Hashable {
    /// Reads and writes; creates the file if it does not exist.
    case readWriteCreate
    /// Reads and writes an existing file.
    case readWrite
    /// Reads an existing file.
    ///
    /// A database in WAL mode still needs its folder to be writable.
    case readOnly
    /// Reads a file that does not change: takes no locks, uses no WAL and no shared memory, and writes nothing beside
    /// the file.
    case immutable
    /// Reads the committed data of a file that this process has open but is not writing to.
    ///
    /// It bypasses all locks, keeps its own index of the WAL, and is not counted by ``SQLiteMeter``.
    ///
    /// Other connections do not notice it: an ordinary reader leaves a mark in shared memory, which changes how much a
    /// later checkpoint has to do. Close it after the file's other connections: when a process closes one descriptor of
    /// a file, the operating system releases all of the process's locks on it.
    case unnoticed
  }

  /// The database file, as it was named.
  public let path: String

  /// `nil` once closed.
  var handle: OpaquePointer?
  /// Statements that are not finalized.
  ///
  /// They keep the connection alive and remove themselves at their end, so these references are unretained.
  var statements: [ObjectIdentifier: Unmanaged<Statement>] = [:]
  /// Observes the statements that run; SQLite has an unretained pointer to it.
  var tracer: StatementTracer?
  /// Decides whether statements may continue; SQLite has an unretained pointer to it.
  var interruption: Interruption?
  /// BEGIN, COMMIT and ROLLBACK, prepared on first use.
  var transactionStatements: [TransactionVerb: OpaquePointer] = [:]
  /// Whether a rollback failed, so that its transaction is still open.
  var owesRollback = false
  /// How many nested transactions, which are savepoints, are open; `nil` if transactions do not nest.
  var savepoints: Int?

  /// How often a statement was prepared again because the schema had changed, here or by another connection.
  ///
  /// A change by another connection counts when the first statement after it runs. Whoever reads the count resets it to
  /// 0.
  package var schemaReloads = 0

  /// How long to wait for another connection's lock, in milliseconds.
  let busyTimeout: Int32

  /// Opens a database file.
  ///
  /// SQLite reads the file on first use, so a file that is not a database fails then.
  ///
  /// ```swift
  /// let connection = try Connection(path: "quakes.sqlite", access: .readWrite, busyTimeout: 30_000)
  /// let scratch = try Connection(path: ":memory:")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The file; `:memory:` for a database in memory. It is never read as a URI.
  ///   - access: What the connection may do.
  ///   - milliseconds: How long to wait for another connection's lock before ``ResultCode/busy``.
  /// - Throws: ``ResultCode/cantOpen`` with the operating system's reason.
  public init(
    path: String, access: Access = .readWriteCreate, busyTimeout milliseconds: Int32 = 5_000
  ) throws(SQLiteError) {
    self.path = path
    busyTimeout = milliseconds
    guard !path.utf8.contains(0) else {
      throw SQLiteError(extendedCode: .cantOpen, message: "the path has a zero byte in it", path: path)
    }
    let code = sqlite3_open_v2(
      access.fileName(for: path), &handle, access.flags | SQLITE_OPEN_NOMUTEX, access.vfsName)
    guard code == SQLITE_OK else {
      let error = openFailure()
      sqlite3_close(handle)
      handle = nil
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, milliseconds)
    if access == .unnoticed {
      store_meter_disregard(handle)
      // Only in this mode can the WAL index be in the connection's own memory.
      try setPragma("locking_mode", to: "exclusive")
    }
  }

  deinit {
    try? close()
  }

  /// Finalizes the connection's statements and closes it; an open transaction is rolled back.
  ///
  /// Closing again does nothing.
  ///
  /// ```swift
  /// let connection = try Connection(path: "quakes.sqlite")
  /// try connection.execute("DELETE FROM quake WHERE magnitude < 1")
  /// try connection.close()
  /// ```
  public func close() throws(SQLiteError) {
    guard let handle else { return }
    for statement in statements.values { statement.takeUnretainedValue().finalize() }
    statements = [:]
    for statement in transactionStatements.values { sqlite3_finalize(statement) }
    transactionStatements = [:]
    let code = sqlite3_close(handle)
    guard code == SQLITE_OK else { throw failure(code) }
    self.handle = nil
  }

  /// Runs one or several statements, discarding their rows.
  ///
  /// ```swift
  /// try connection.execute(
  ///   """
  ///   DROP INDEX IF EXISTS quake_place;
  ///   CREATE INDEX quake_place ON quake (place);
  ///   """)
  /// ```
  ///
  /// - Throws: The first failure, with the text of the failed statement. Earlier statements are not undone.
  public func execute(_ sql: String) throws(SQLiteError) {
    var rest = Substring(sql)
    while let (statement, text) = try prepareFirst(of: &rest, flags: 0) {
      var code = sqlite3_step(statement)
      while code == SQLITE_ROW { code = sqlite3_step(statement) }
      let error = code == SQLITE_DONE ? nil : failure(code, sql: text)
      if sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0) > 0 { schemaReloads += 1 }
      sqlite3_finalize(statement)
      if let error { throw error }
    }
  }

  /// Prepares a statement.
  ///
  /// ```swift
  /// let strong = try connection.prepare("SELECT code FROM quake WHERE magnitude > ?")
  /// let once = try connection.prepare("SELECT count(*) FROM quake", isPersistent: false)
  /// ```
  ///
  /// - Parameters:
  ///   - sql: Exactly one statement.
  ///   - isPersistent: Whether it will be kept and run many times.
  /// - Returns: The statement, ready to be bound and stepped.
  /// - Throws: SQLite's error for the statement; ``ResultCode/misuse`` if the text has no statement or several.
  public func prepare(_ sql: String, isPersistent: Bool = true) throws(SQLiteError) -> Statement {
    var rest = Substring(sql)
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    guard let (first, _) = try prepareFirst(of: &rest, flags: flags) else {
      throw SQLiteError(
        extendedCode: .misuse, message: "expected one SQL statement, found none", sql: sql, path: path)
    }
    guard isBlank(rest) else {
      sqlite3_finalize(first)
      throw SQLiteError(
        extendedCode: .misuse, message: "expected one SQL statement, found more; use execute(_:) for several",
        sql: sql, path: path)
    }
    let statement = Statement(first, sql: sql, connection: self)
    statements[ObjectIdentifier(statement)] = .passUnretained(statement)
    return statement
  }

  /// Stops the running statements of the connection, which then throw ``ResultCode/interrupt``.
  ///
  /// ```swift
  /// while try query.step() {
  ///   if Task.isCancelled { connection.interrupt() }  // the next step throws
  /// }
  /// ```
  public func interrupt() {
    if let handle { sqlite3_interrupt(handle) }
  }

  /// The connection's handle; throws after ``close()``.
  func openHandle() throws(SQLiteError) -> OpaquePointer {
    guard let handle else {
      throw SQLiteError(extendedCode: .misuse, message: "the connection is closed", path: path)
    }
    return handle
  }
}

/// A connection belongs to one thread at a time.
@available(*, unavailable)
extension Connection: Sendable {}
