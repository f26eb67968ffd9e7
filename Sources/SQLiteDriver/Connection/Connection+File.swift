// Reads the database file through the descriptor that SQLite has open.
internal import CSQLite

extension Connection {
  /// The length of the database file, in bytes; `nil` if there is no file, as for a database in memory.
  ///
  /// It does not count pages that are only in the write-ahead log.
  ///
  /// ```swift
  /// if let bytes = connection.fileBytes {
  ///   print("the file has \(bytes / 1_000_000) MB, without its log")
  /// }
  /// ```
  public var fileBytes: Int64? {
    guard let handle, let file = mainFile(of: handle), let size = file.pointee.pMethods?.pointee.xFileSize
    else { return nil }
    var bytes: Int64 = 0
    return size(file, &bytes) == SQLITE_OK ? bytes : nil
  }

  /// The first bytes of the file, even if it is not a database; empty if the file is shorter or cannot be read.
  ///
  /// It reads through SQLite's own descriptor, because closing another descriptor of an open file would release its
  /// locks.
  ///
  /// ```swift
  /// let start = connection.fileStart(count: 16)
  /// let isDatabase = start == Array("SQLite format 3\0".utf8)
  /// ```
  public func fileStart(count: Int) -> [UInt8] {
    guard count > 0, let handle, let file = mainFile(of: handle), let read = file.pointee.pMethods?.pointee.xRead
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32(clamping: count), 0) }
    return code == SQLITE_OK ? bytes : []
  }

  private func mainFile(of handle: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK ? file : nil
  }
}
