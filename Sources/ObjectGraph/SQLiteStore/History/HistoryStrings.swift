// The strings in history, each stored once: authors, contexts and processes.
internal import SQLiteDriver

/// The keys of the strings that transactions refer to.
struct HistoryStrings {
  /// The keys of stored strings.
  private var keys: [String: Int64] = [:]
  /// Strings stored by the current transaction, which a rollback removes.
  private var new: [String] = []

  /// Starts a transaction.
  mutating func begin() { new = [] }

  /// Discards the transaction, which was rolled back.
  mutating func abandon() {
    for name in new { keys[name] = nil }
    new = []
  }

  /// The key of a string, which is stored if it is new.
  ///
  /// - Parameters:
  ///   - name: The string, if there is one.
  ///   - last: The last assigned key.
  ///   - writer: The store.
  /// - Returns: `nil` without a string.
  /// - Throws: SQLite's error.
  mutating func key(of name: String?, last: inout Int64, _ writer: StoreWriter) throws(SQLiteError) -> Int64? {
    guard let name else { return nil }
    if let key = keys[name] { return key }
    let lookup = try writer.statement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
    try lookup.bind(text: name, at: 1)
    let found = try lookup.step() ? lookup.int64(0) : nil
    lookup.reset()
    if let found {
      keys[name] = found
      return found
    }
    let key = last + 1
    let insert = try writer.statement("INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, 16003, ?)")
    try insert.bind(key, at: 1)
    try insert.bind(text: name, at: 2)
    try insert.run()
    last = key
    keys[name] = key
    new.append(name)
    return key
  }
}
