// Turns result codes into errors, out of line so that the paths without errors stay small.
internal import CSQLite

extension Connection {
  /// The error for a result code that SQLite just returned.
  @inline(never)
  func failure(_ code: Int32, sql: String? = nil, boundValues: [String]? = nil) -> SQLiteError {
    guard let handle else {
      return SQLiteError(extendedCode: .misuse, message: "the connection is closed", sql: sql, path: path)
    }
    // The connection's message is about its last call, which may not be the one that returned this code.
    let isLast = sqlite3_extended_errcode(handle) == code
    let message = isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code)
    return SQLiteError(
      extendedCode: ResultCode(rawValue: code), message: message.map { String(cString: $0) } ?? "unknown error",
      sql: sql, path: path, boundValues: boundValues)
  }

  /// The error for a database that cannot be opened, with the operating system's reason.
  @inline(never)
  func openFailure() -> SQLiteError {
    guard let handle else {
      return SQLiteError(extendedCode: .noMemory, message: "no memory for a connection", path: path)
    }
    var message = String(cString: sqlite3_errmsg(handle))
    if let reason = sqlite3_shim_system_message(handle) { message += ": " + String(cString: reason) }
    let extendedCode = ResultCode(rawValue: sqlite3_extended_errcode(handle))
    return SQLiteError(extendedCode: extendedCode, message: message, path: path)
  }
}
