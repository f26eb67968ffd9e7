// Pages that a connection has changed and holds in memory until it writes them.
internal import CSQLite

extension Connection {
  /// Pages this connection has written to the database file, or to the log in WAL mode, since it was opened.
  ///
  /// A page that is changed again after it was written counts again, though it takes the same place in the log as long
  /// as the transaction is the same. The counter starts again at 0 after 2³² pages: take differences with `&-`.
  ///
  /// ```swift
  /// let before = connection.pagesWritten
  /// try connection.execute("UPDATE quake SET magnitude = magnitude + 0.1")
  /// let pages = connection.pagesWritten &- before
  /// ```
  public var pagesWritten: UInt32 {
    guard let handle else { return 0 }
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
    return UInt32(bitPattern: current)
  }

  /// The length of the write-ahead log's file, as it is known to SQLite without asking for its name; nil without a log.
  ///
  /// A log that starts again keeps its file's length.
  ///
  /// ```swift
  /// if let bytes = connection.logFileBytes, bytes > 64 << 20 {
  ///   _ = try connection.checkpoint(.truncate)
  /// }
  /// ```
  public var logFileBytes: Int64? {
    guard let handle else { return nil }
    // Without a WAL the pointer is that of the rollback journal, or of nothing that is open.
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      let file, let size = file.pointee.pMethods?.pointee.xFileSize
    else { return nil }
    var bytes: Int64 = 0
    return size(file, &bytes) == SQLITE_OK ? bytes : nil
  }

  /// Writes the pages that the open transaction has changed so far, without committing them.
  ///
  /// Then ``pagesWritten`` has all of them. Pages that a running statement uses stay in memory, and all do under
  /// `PRAGMA cache_spill = off`.
  ///
  /// ```swift
  /// let before = connection.pagesWritten
  /// try connection.transaction {
  ///   try connection.execute("UPDATE quake SET magnitude = magnitude + 0.1")
  ///   try connection.flushPages()
  ///   print("the transaction wrote \(connection.pagesWritten &- before) pages")
  /// }
  /// ```
  ///
  /// - Throws: ``ResultCode/full`` or ``ResultCode/ioError`` when they cannot be written.
  public func flushPages() throws(SQLiteError) {
    let code = sqlite3_db_cacheflush(try openHandle())
    // A page in use is not a failure.
    guard code == SQLITE_OK || ResultCode.busy ~= ResultCode(rawValue: code) else { throw failure(code) }
  }
}
