// Takes statements off the front of SQL text.
internal import CSQLite

extension Connection {
  /// Prepares the first statement of `sql` and leaves the rest in `sql`; `nil` if only white space and comments are
  /// left.
  func prepareFirst(
    of sql: inout Substring, flags: UInt32
  ) throws(SQLiteError) -> (statement: OpaquePointer, text: String)? {
    let handle = try openHandle()
    guard !sql.utf8.contains(0) else {
      // SQLite takes a zero byte as the end and would silently ignore the rest.
      throw SQLiteError(
        extendedCode: .misuse, message: "the SQL has a zero byte in it; bind such text as a value",
        sql: String(sql), path: path)
    }
    while !sql.isEmpty {
      var statement: OpaquePointer?
      var consumed = 0
      let code = sql.withCString { start in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(handle, start, -1, flags, &statement, &tail)
        consumed = tail.map { start.distance(to: $0) } ?? 0
        return code
      }
      guard code == SQLITE_OK else { throw failure(code, sql: String(sql)) }
      let end = sql.utf8.index(sql.startIndex, offsetBy: consumed)
      let text = sql[..<end]
      sql = consumed == 0 ? "" : sql[end...]
      if let statement { return (statement, String(text)) }
    }
    return nil
  }

  /// Whether no statement is left in `sql`: only white space, comments and semicolons.
  func isBlank(_ sql: Substring) -> Bool {
    var rest = sql
    do throws(SQLiteError) {
      guard let (statement, _) = try prepareFirst(of: &rest, flags: 0) else { return true }
      sqlite3_finalize(statement)
      return false
    } catch {
      return false
    }
  }
}
