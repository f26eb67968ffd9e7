// Small questions to a connection.
internal import CSQLite

extension Connection {
  /// The row ID of the last row this connection inserted; 0 before the first.
  ///
  /// An upsert that updates a row does not change it. To tell an insert from an update, set it to an impossible row ID
  /// first.
  ///
  /// ```swift
  /// try connection.execute("INSERT INTO quake (code) VALUES ('us1000ep5z')")
  /// let key = connection.lastInsertRowID
  /// ```
  public var lastInsertRowID: Int64 {
    get {
      guard let handle else { return 0 }
      return sqlite3_last_insert_rowid(handle)
    }
    set {
      guard let handle else { return }
      sqlite3_set_last_insert_rowid(handle, newValue)
    }
  }

  /// Rows changed by the last INSERT, UPDATE or DELETE, excluding those that triggers changed.
  ///
  /// ```swift
  /// try connection.execute("DELETE FROM quake WHERE magnitude < 1")
  /// print("\(connection.changes) weak quakes deleted")
  /// ```
  public var changes: Int {
    guard let handle else { return 0 }
    return Int(sqlite3_changes(handle))
  }

  /// Rows changed since the connection was opened, including those that triggers changed.
  ///
  /// ```swift
  /// let before = connection.totalChanges
  /// try connection.execute("UPDATE quake SET magnitude = 0 WHERE magnitude < 0; DELETE FROM quake WHERE code IS NULL")
  /// let changed = connection.totalChanges - before
  /// ```
  public var totalChanges: Int {
    guard let handle else { return 0 }
    return Int(sqlite3_total_changes(handle))
  }

  /// The most parameters that a statement may have.
  ///
  /// ```swift
  /// let columns = 3
  /// let rowsAStatement = connection.parameterLimit / columns
  /// ```
  public var parameterLimit: Int {
    guard let handle else { return 0 }
    return Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
  }

  /// The first column of the first row as an integer; `nil` for NULL or no row.
  ///
  /// ```swift
  /// let quakes = try connection.scalar("SELECT count(*) FROM quake") ?? 0
  /// let strongest = try connection.scalar("SELECT max(magnitude) FROM quake")  // cut off to an integer
  /// ```
  public func scalar(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql, isPersistent: false)
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(0) ? statement.int64(0) : nil
  }

  /// The problems that `PRAGMA integrity_check` finds; empty if the database is intact.
  ///
  /// It reads the whole file.
  ///
  /// ```swift
  /// let complaints = try connection.integrityCheck()
  /// if let first = complaints.first { print("\(complaints.count) complaints: \(first)") }
  /// ```
  public func integrityCheck() throws(SQLiteError) -> [String] {
    let statement = try prepare("PRAGMA integrity_check", isPersistent: false)
    defer { statement.reset() }
    var findings: [String] = []
    while try statement.step() { findings.append(statement.string(0) ?? "") }
    return findings == ["ok"] ? [] : findings
  }
}
