// The only error type that this module throws.
internal import CSQLite

/// An error of SQLite: what it refused and why, with the statement and the file.
///
/// ```swift
/// do {
///   try connection.execute("SELECT * FROM quakes")
/// } catch {
///   print(error.message, error.sql ?? "")  // no such table: quakes, and the statement
/// }
/// ```
public struct SQLiteError: Error, Sendable, Hashable {
  /// The code with its extension: `.constraintUnique` rather than `.constraint`.
  public let extendedCode: ResultCode
  /// SQLite's message, followed by the operating system's if there is one.
  public let message: String
  /// The statement that failed, without its bound values.
  public let sql: String?
  /// The database file.
  public let path: String?
  /// The values bound to the statement, as SQL literals, shortened if they are long.
  ///
  /// They may be private data, so only ``expandedDescription`` shows them.
  public let boundValues: [String]?

  /// Creates an error as SQLite would report it, for code that replaces a connection.
  ///
  /// ```swift
  /// let full = SQLiteError(extendedCode: .full, message: "database or disk is full", path: "quakes.sqlite")
  /// full.description  // "database or disk is full (SQLITE_FULL, 13) on quakes.sqlite"
  /// ```
  public init(
    extendedCode: ResultCode, message: String, sql: String? = nil, path: String? = nil, boundValues: [String]? = nil
  ) {
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.path = path
    self.boundValues = boundValues
  }

  /// The primary code.
  ///
  /// ```swift
  /// if error.code == .constraint {
  ///   print("the row breaks a constraint: \(error.extendedCode.name)")
  /// }
  /// ```
  public var code: ResultCode { extendedCode.primary }
}

extension SQLiteError: CustomStringConvertible {
  /// Code, message, statement and file, without the bound values.
  public var description: String {
    var text = "\(message) (\(extendedCode.name), \(extendedCode.rawValue))"
    if let sql { text += " in `\(sql.cut(to: 400))`" }
    if let path { text += " on \(path.isEmpty ? "a temporary database" : path)" }
    return text
  }

  /// The description including the bound values, which may be private.
  ///
  /// ```swift
  /// #if DEBUG
  ///   print(error.expandedDescription)  // with values, which may be private
  /// #else
  ///   print(error)
  /// #endif
  /// ```
  public var expandedDescription: String {
    guard let boundValues, !boundValues.isEmpty else { return description }
    return "\(description) with \(boundValues.joined(separator: ", "))"
  }
}

extension String {
  /// The text, or its first `count` characters and an ellipsis.
  func cut(to count: Int) -> String {
    utf8.count > count ? String(prefix(count)) + "…" : self
  }
}
