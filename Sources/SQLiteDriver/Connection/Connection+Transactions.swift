// Transactions. Their statements are prepared once, because a save may write only one row.
internal import CSQLite

/// When a transaction takes its locks.
///
/// ```swift
/// try connection.transaction(.deferred) {
///   let quakes = try connection.scalar("SELECT count(*) FROM quake")
///   let places = try connection.scalar("SELECT count(DISTINCT place) FROM quake")
/// }
/// ```
public enum TransactionKind: Sendable, Hashable {
  /// At the first read or write.
  case deferred
  /// Takes the write lock at once; readers are not blocked.
  case immediate
  /// Takes all locks at once; outside WAL mode, no other connection can read.
  case exclusive
}

/// The statements that open and end transactions.
enum TransactionVerb: String {
  case beginDeferred = "BEGIN DEFERRED"
  case beginImmediate = "BEGIN IMMEDIATE"
  case beginExclusive = "BEGIN EXCLUSIVE"
  case commit = "COMMIT"
  case rollback = "ROLLBACK"
}

extension Connection {
  /// Whether a transaction is open.
  ///
  /// SQLite itself ends one after some failures.
  ///
  /// ```swift
  /// try connection.begin()
  /// try connection.execute("DELETE FROM quake WHERE place IS NULL")
  /// if connection.isInTransaction { try connection.commit() }
  /// ```
  public var isInTransaction: Bool { hasOpenTransaction && savepoints.map { $0 > 0 } ?? true }

  /// Whether SQLite has a transaction open, for any reason.
  private var hasOpenTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Whether transactions are savepoints of an open transaction, and are stored when that is committed.
  ///
  /// SQLite rolls the whole transaction back after some failures. Then no transaction can begin until this is `false`
  /// again.
  package var nestsTransactions: Bool {
    get { savepoints != nil }
    set { savepoints = newValue ? 0 : nil }
  }

  private var lostTransaction: SQLiteError {
    SQLiteError(
      extendedCode: .abort, message: "SQLite has rolled back the transaction that this one is a part of", path: path)
  }

  /// Opens a transaction; first rolls back an earlier one if its rollback failed.
  ///
  /// ```swift
  /// try connection.begin()
  /// try connection.execute("DELETE FROM quake WHERE place IS NULL")
  /// try connection.commit()
  /// ```
  ///
  /// - Throws: ``ResultCode/busy`` when another connection holds the lock beyond the busy timeout;
  ///   ``ResultCode/error`` when a transaction is open already; the error of rolling back an earlier one.
  public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
    if owesRollback { try finishRollback() }
    if let depth = savepoints {
      // Without an open transaction, the savepoint would begin one.
      if !hasOpenTransaction { throw lostTransaction }
      try execute("SAVEPOINT nested_\(depth + 1)")
      savepoints = depth + 1
      return
    }
    switch kind {
    case .deferred: try perform(.beginDeferred)
    case .immediate: try perform(.beginImmediate)
    case .exclusive: try perform(.beginExclusive)
    }
  }

  /// Commits the open transaction.
  ///
  /// ```swift
  /// try connection.begin(.immediate)
  /// do {
  ///   try connection.execute("DELETE FROM quake WHERE magnitude IS NULL")
  ///   try connection.commit()
  /// } catch { connection.rollback() }
  /// ```
  ///
  /// - Throws: The reason why it cannot be committed; the transaction may still be open.
  public func commit() throws(SQLiteError) {
    if let depth = savepoints {
      if !hasOpenTransaction { throw lostTransaction }
      try execute("RELEASE nested_\(depth)")
      savepoints = depth - 1
      return
    }
    do {
      try perform(.commit)
    } catch {
      // SQLite releases the locks after it finishes the journal, so everything is stored by then.
      if error.extendedCode == .ioErrorUnlock, !isInTransaction { return }
      throw error
    }
  }

  /// Rolls back the open transaction, if there is one.
  ///
  /// ROLLBACK itself can run out of memory, because SQLite prepares it again after a schema change. The transaction
  /// then stays open until the next ``begin(_:)`` or ``finishRollback()`` rolls it back.
  ///
  /// ```swift
  /// try connection.begin()
  /// try connection.execute("DELETE FROM quake")
  /// connection.rollback()
  /// connection.isInTransaction  // false
  /// ```
  public func rollback() {
    guard isInTransaction else { return }
    // Callers report the first error, not an error of the rollback.
    try? rollBackOpen()
    owesRollback = isInTransaction
  }

  /// Rolls back a transaction that an earlier ``rollback()`` could not, if there is one.
  ///
  /// ```swift
  /// connection.rollback()
  /// if connection.isInTransaction { try connection.finishRollback() }
  /// ```
  ///
  /// - Throws: The error if the rollback fails again.
  public func finishRollback() throws(SQLiteError) {
    guard owesRollback else { return }
    if isInTransaction { try rollBackOpen() }
    owesRollback = false
  }

  private func rollBackOpen() throws(SQLiteError) {
    guard let depth = savepoints else { return try perform(.rollback) }
    try execute("ROLLBACK TO nested_\(depth); RELEASE nested_\(depth)")
    savepoints = depth - 1
  }

  /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// ```swift
  /// let deleted = try connection.transaction {
  ///   try connection.execute("DELETE FROM quake WHERE magnitude < 1")
  ///   return connection.changes
  /// }
  /// ```
  ///
  /// - Throws: The error that `body` threw, or a ``SQLiteError`` of the transaction itself.
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try begin(kind)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  private func perform(_ verb: TransactionVerb) throws(SQLiteError) {
    let statement: OpaquePointer
    if let prepared = transactionStatements[verb] {
      statement = prepared
    } else {
      var sql = Substring(verb.rawValue)
      guard let prepared = try prepareFirst(of: &sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT)) else { return }
      statement = prepared.statement
      transactionStatements[verb] = statement
    }
    let code = sqlite3_step(statement)
    let error = code == SQLITE_DONE ? nil : failure(code, sql: verb.rawValue)
    sqlite3_reset(statement)
    if let error { throw error }
  }
}
