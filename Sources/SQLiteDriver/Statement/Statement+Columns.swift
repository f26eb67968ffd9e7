// Reading the columns of the current row.
internal import CSQLite

// Columns that are out of range, or read without a current row, are NULL.
extension Statement {
  /// The number of columns in the result; 0 for a statement that returns no rows.
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The name of a column; empty if there is no such column.
  ///
  /// ```swift
  /// let query = try connection.prepare("SELECT code, magnitude AS strength FROM quake")
  /// let names = (0..<query.columnCount).map(query.columnName)  // ["code", "strength"]
  /// ```
  public func columnName(_ column: Int) -> String {
    guard let handle, column >= 0, column < columnCount else { return "" }
    return sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  /// The type of the row's value; ask before reading it as another type, which converts it.
  ///
  /// ```swift
  /// while try query.step() {
  ///   if query.columnType(1) == .null { print("\(query.string(0) ?? "") has no magnitude") }
  /// }
  /// ```
  public func columnType(_ column: Int) -> ValueType {
    ValueType(code: sqlite3_column_type(handle, Int32(clamping: column)))
  }

  /// The value as an integer, converted by SQLite's rules; 0 for NULL.
  public func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(clamping: column)) }

  /// The value as a floating-point number, converted by SQLite's rules; 0 for NULL.
  public func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(clamping: column)) }

  /// The value as text; `nil` for NULL.
  ///
  /// Bytes that are not UTF-8 become replacement characters.
  ///
  /// ```swift
  /// var codes: [String] = []
  /// while try query.step() { codes.append(query.string(0) ?? "") }
  /// ```
  public func string(_ column: Int) -> String? {
    // Ask for the text before its length: converting to text may change the length.
    guard let text = sqlite3_column_text(handle, Int32(clamping: column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(clamping: column)))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The bytes of text or blob without a copy, valid until the next step or reset; `nil` for NULL.
  ///
  /// ```swift
  /// if try query.step(), let bytes = query.bytes(0) {
  ///   let copy = Array(bytes)  // what is kept beyond the next step
  /// }
  /// ```
  public func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let blob = sqlite3_column_blob(handle, Int32(clamping: column))
    let count = Int(sqlite3_column_bytes(handle, Int32(clamping: column)))
    if let blob { return UnsafeRawBufferPointer(start: blob, count: count) }
    // SQLite also returns no address for a blob of length zero.
    return isNull(column) ? nil : UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Whether the value is NULL.
  public func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL
  }
}
