// Pages that a connection has changed and holds in memory until it writes them.
internal import CSQLite

extension Connection {
  /// Pages this connection has written to the database file, or to the log in WAL mode, since it was opened.
  ///
  /// A page that changes after it was written counts again, although the same transaction overwrites it in the log. The
  /// counter wraps around after 2³² pages: take differences with `&-`.
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

  /// The length of the write-ahead log's file, taken from SQLite's open file; `nil` without a log.
  ///
  /// A log that restarts keeps its file's length.
  ///
  /// ```swift
  /// if let bytes = connection.logFileBytes, bytes > 64 << 20 {
  ///   _ = try connection.checkpoint(.truncate)
  /// }
  /// ```
  public var logFileBytes: Int64? {
    guard let handle else { return nil }
    // Without a WAL, the pointer refers to the rollback journal or to no open file.
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      let file, let size = file.pointee.pMethods?.pointee.xFileSize
    else { return nil }
    var bytes: Int64 = 0
    return size(file, &bytes) == SQLITE_OK ? bytes : nil
  }

  /// Writes the pages that the open transaction has changed so far, without committing them.
  ///
  /// Afterwards ``pagesWritten`` includes them. Pages in use by a running statement stay in memory. With `PRAGMA
  /// cache_spill = off`, all pages do.
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
    // Pages in use are not a failure.
    guard code == SQLITE_OK || ResultCode.busy ~= ResultCode(rawValue: code) else { throw failure(code) }
  }
}
