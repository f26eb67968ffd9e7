// The last keys of a store's tables, as counted in its file. Another program may have written any value there.
internal import SQLiteDriver

/// A counter of `Z_PRIMARYKEY`.
enum LastKey {
  /// The range of last keys that a request accepts.
  ///
  /// It leaves room for more rows than one request can insert.
  static let usable = 0...Int64.max - 1 << 48

  /// Reads a counter.
  ///
  /// - Parameters:
  ///   - statement: A statement with a current row.
  ///   - column: The counter's column, `Z_MAX`.
  ///   - name: The table that it counts for.
  ///   - path: The store.
  /// - Returns: The last key; 0 if there is none.
  /// - Throws: ``ObjectGraphError/keysExhausted(of:found:path:)``.
  static func read(
    _ statement: Statement, _ column: Int, of name: String, path: String
  ) throws(ObjectGraphError) -> Int64 {
    let key = statement.int64(column)
    switch statement.columnType(column) {
    case .null: return 0
    case .integer where usable.contains(key): return key
    case .text: throw .keysExhausted(of: name, found: "a text", path: path)
    case .blob: throw .keysExhausted(of: name, found: "a blob", path: path)
    default: throw .keysExhausted(of: name, found: statement.string(column) ?? "\(key)", path: path)
    }
  }
}
