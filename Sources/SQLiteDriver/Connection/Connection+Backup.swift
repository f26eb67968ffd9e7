// Copying a database that is in use: https://www.sqlite.org/c3ref/backup_finish.html.
internal import CSQLite

extension Connection {
  /// Copies the main database, as it is now, into a file.
  ///
  /// Other connections may read and write during the copy, which contains what was committed when it began. The copy
  /// has no write-ahead log.
  ///
  /// ```swift
  /// try connection.backUp(to: "backup.sqlite")
  /// let sound = try Connection(path: "backup.sqlite", access: .readOnly).integrityCheck().isEmpty
  /// ```
  ///
  /// - Parameter path: The file to write. An existing database is overwritten.
  /// - Throws: ``SQLiteError`` if a file cannot be read or written. Do not use the copy in that case.
  public func backUp(to path: String) throws(SQLiteError) {
    let source = try openHandle()
    let copy = try Connection(path: path)
    let destination = try copy.openHandle()
    guard let backup = sqlite3_backup_init(destination, "main", source, "main") else {
      throw copy.failure(sqlite3_extended_errcode(destination))
    }
    // All pages in one step: a writer between two steps would make the copy start over.
    var code = sqlite3_backup_step(backup, -1)
    var waits = 0
    while code == SQLITE_BUSY || code == SQLITE_LOCKED, waits < 500 {
      sqlite3_sleep(10)
      waits += 1
      code = sqlite3_backup_step(backup, -1)
    }
    let finished = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      throw copy.failure(finished == SQLITE_OK ? code : finished)
    }
    _ = try copy.setPragma("journal_mode", to: "delete")
    try copy.close()
  }
}
