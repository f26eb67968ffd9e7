// Reads and sets pragmas. Names and values are checked, because pragmas cannot have parameters.
internal import CSQLite

extension Connection {
  /// The value of a pragma as text: the first column of its first row.
  ///
  /// ```swift
  /// try connection.pragma("page_size")      // "4096" in a new file
  /// try connection.pragma("no_such_thing")  // nil
  /// ```
  ///
  /// - Parameter name: `journal_mode`, or `main.journal_mode` with a schema.
  /// - Returns: `nil` if the pragma returns no row, which is also what SQLite does for an unknown name.
  /// - Throws: ``ResultCode/misuse`` if the name is not a valid pragma name.
  public func pragma(_ name: String) throws(SQLiteError) -> String? {
    guard isPragmaName(name) else { throw refusal(of: name, expected: "a pragma's name such as journal_mode") }
    return try firstText(of: "PRAGMA \(name)")
  }

  /// Sets a pragma and reads it back: SQLite ignores unknown or impossible settings, so compare the result.
  ///
  /// ```swift
  /// let mode = try connection.setPragma("journal_mode", to: "wal")
  /// if mode != "wal" { print("the journal mode stays \(mode ?? "unknown")") }  // as for a database in memory
  /// ```
  ///
  /// - Parameters:
  ///   - name: `journal_mode`, or `main.journal_mode` with a schema.
  ///   - value: A word, a number, or text in quotes.
  /// - Returns: The value after setting; `nil` if the pragma returns none.
  /// - Throws: ``ResultCode/misuse`` if the name or value is not valid for a pragma.
  @discardableResult
  public func setPragma(_ name: String, to value: String) throws(SQLiteError) -> String? {
    guard isPragmaName(name) else { throw refusal(of: name, expected: "a pragma's name such as journal_mode") }
    guard isWord(value) || isNumber(value) || isQuoted(value) else {
      throw refusal(of: value, expected: "a word, a number or text in quotes as the value of pragma \(name)")
    }
    try executeWaiting("PRAGMA \(name) = \(value)")
    return try firstText(of: "PRAGMA \(name)")
  }

  /// Retries a statement while another connection holds a lock, up to the busy timeout.
  ///
  /// SQLite does not call its busy handler when changing the journal mode needs exclusive access. So if two processes
  /// open a new store at the same time, one of them gets a busy error immediately.
  private func executeWaiting(_ sql: String) throws(SQLiteError) {
    var waited: Int32 = 0
    while true {
      do throws(SQLiteError) {
        return try execute(sql)
      } catch {
        guard error.code == .busy, waited < busyTimeout else { throw error }
        waited += max(sqlite3_sleep(Connection.busyStep), 1)
      }
    }
  }

  /// Milliseconds between two tries.
  private static let busyStep: Int32 = 2

  private func firstText(of sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql, isPersistent: false)
    defer { statement.reset() }
    return try statement.step() ? statement.string(0) : nil
  }

  private func refusal(of text: String, expected: String) -> SQLiteError {
    SQLiteError(extendedCode: .misuse, message: "expected \(expected), found \(text.debugDescription)", path: path)
  }

  private func isPragmaName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { isWord($0) }
  }

  private func isWord(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, !isDigit(first) else { return false }
    return text.utf8.allSatisfy { byte in
      isDigit(byte) || byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
  }

  /// A sign, digits and at most one point with digits on both sides.
  private func isNumber(_ text: String) -> Bool {
    let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
  }

  /// Text in single or double quotes, with every such quote inside it doubled.
  private func isQuoted(_ text: String) -> Bool {
    guard text.utf8.count >= 2, let quote = text.utf8.first, text.utf8.last == quote else { return false }
    guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return false }
    var isHalf = false
    for byte in text.utf8.dropFirst().dropLast() {
      if byte == quote { isHalf.toggle() } else if isHalf || byte == 0 { return false }
    }
    return !isHalf
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
