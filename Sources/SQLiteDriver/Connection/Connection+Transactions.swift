// Transactions: their statements are prepared once, since a save may be one row long.
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
  /// With the first read or write.
  case deferred
  /// At once for writing; readers go on.
  case immediate
  /// At once for everything; outside WAL mode nobody else reads.
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
  public var isInTransaction: Bool {
    guard let handle else { return false }
    return sqlite3_get_autocommit(handle) == 0
  }

  /// Opens a transaction, after the end of one that could not be rolled back before.
  ///
  /// ```swift
  /// try connection.begin()
  /// try connection.execute("DELETE FROM quake WHERE place IS NULL")
  /// try connection.commit()
  /// ```
  ///
  /// - Throws: ``ResultCode/busy`` when another connection holds the lock beyond the busy timeout;
  ///   ``ResultCode/error`` when a transaction is open already; what still keeps an earlier one from being rolled back.
  public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
    if owesRollback { try finishRollback() }
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
  /// - Throws: What keeps it from being committed; the transaction may then still be open.
  public func commit() throws(SQLiteError) {
    do {
      try perform(.commit)
    } catch {
      // Locks are given up after the journal is, so that everything is stored by then.
      if error.extendedCode == .ioErrorUnlock, !isInTransaction { return }
      throw error
    }
  }

  /// Rolls back the open transaction; without one it does nothing.
  ///
  /// ROLLBACK itself can fail, for lack of memory: SQLite prepares it anew after a change of the schema. Then the
  /// transaction stays open until the next ``begin(_:)`` or ``finishRollback()`` has made up for it.
  ///
  /// ```swift
  /// try connection.begin()
  /// try connection.execute("DELETE FROM quake")
  /// connection.rollback()
  /// connection.isInTransaction  // false
  /// ```
  public func rollback() {
    guard isInTransaction else { return }
    // The error that led here is the one to report.
    try? perform(.rollback)
    owesRollback = isInTransaction
  }

  /// Rolls back what an earlier ``rollback()`` could not; without such a transaction it does nothing.
  ///
  /// ```swift
  /// connection.rollback()
  /// if connection.isInTransaction { try connection.finishRollback() }
  /// ```
  ///
  /// - Throws: What keeps it from being rolled back still.
  public func finishRollback() throws(SQLiteError) {
    guard owesRollback else { return }
    if isInTransaction { try perform(.rollback) }
    owesRollback = false
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
  /// - Throws: The error of `body` as it was thrown, or a ``SQLiteError`` of the transaction itself.
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
