// The names in history, each stored once: authors, contexts and processes.
internal import SQLiteDriver

/// The keys of the names that transactions refer to.
struct HistoryStrings {
  /// The keys of names that are stored.
  private var keys: [String: Int64] = [:]
  /// Names that are deleted with the transaction.
  private var new: [String] = []

  /// A transaction has begun.
  mutating func begin() { new = [] }

  /// The transaction was rolled back.
  mutating func abandon() {
    for name in new { keys[name] = nil }
    new = []
  }

  /// The key of a name, stored when it is new.
  ///
  /// - Parameters:
  ///   - name: The name, if there is one.
  ///   - last: The last key that was handed out.
  ///   - writer: The store.
  /// - Returns: Nil without a name.
  /// - Throws: What SQLite says.
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
