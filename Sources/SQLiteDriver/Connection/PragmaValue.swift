// Compares what SQLite returns for a pragma with what was set.

/// A value of a pragma, as you set it or as SQLite returns it (https://www.sqlite.org/pragma.html).
///
/// ```swift
/// let wanted = PragmaValue("NORMAL", of: "synchronous")
/// PragmaValue("1", of: "synchronous").isAnswer(to: wanted)  // true
/// ```
public struct PragmaValue: Sendable, Hashable {
  private let name: String
  private let text: String

  /// A value as you write it or as SQLite returns it.
  ///
  /// ```swift
  /// PragmaValue("'utf-8'", of: "encoding")
  /// PragmaValue("-16000", of: "main.cache_size")
  /// ```
  ///
  /// - Parameters:
  ///   - text: A word, a number, or text in quotes.
  ///   - name: The pragma, with or without a schema.
  public init(_ text: String, of name: String) {
    self.name = String(name.split(separator: ".").last ?? "").lowercased()
    var bare = text.lowercased()
    if let quote = bare.first, "'\"".contains(quote), bare.count >= 2, bare.last == quote {
      bare = String(bare.dropFirst().dropLast())
    }
    self.text = bare
  }

  /// Whether SQLite returns this value after it accepted `wanted` for the pragma.
  ///
  /// Always true for pragmas that are not settings, such as `optimize`, because they return no value to compare.
  ///
  /// ```swift
  /// let answer = try connection.setPragma("journal_mode", to: "wal") ?? ""
  /// if !PragmaValue(answer, of: "journal_mode").isAnswer(to: PragmaValue("WAL", of: "journal_mode")) {
  ///   print("the journal mode stays \(answer)")
  /// }
  /// ```
  public func isAnswer(to wanted: PragmaValue) -> Bool {
    if PragmaValue.commands.contains(name) { return true }
    if let wantedNumber = wanted.number, let number {
      switch name {
      // SQLite returns the size at which the cache spills.
      case "cache_spill": return (number == 0) == (wantedNumber == 0)
      case _ where wantedNumber < 0 && PragmaValue.offBelowZero.contains(name): return number <= 0
      default: return number == wantedNumber
      }
    }
    if name == "encoding" {
      let (answer, wanted) = (text.filter { $0 != "-" }, wanted.text.filter { $0 != "-" })
      // SQLite appends the byte order.
      return answer == wanted || wanted == "utf16" && answer.hasPrefix(wanted)
    }
    return text == wanted.text
  }

  /// The value as a number, including words that mean a number.
  private var number: Double? {
    if let number = PragmaValue.words[name]?[text] ?? PragmaValue.booleans[text] { return number }
    return Double(text)
  }

  private static let booleans: [String: Double] = ["on": 1, "yes": 1, "true": 1, "off": 0, "no": 0, "false": 0]
  private static let words: [String: [String: Double]] = [
    "synchronous": ["normal": 1, "full": 2, "extra": 3],
    "temp_store": ["default": 0, "file": 1, "memory": 2],
    "auto_vacuum": ["none": 0, "full": 1, "incremental": 2],
    "secure_delete": ["fast": 2],
    "writable_schema": ["reset": 0],
  ]
  /// A negative value turns these off, or resets them to a default that may be 0.
  private static let offBelowZero: Set<String> = [
    "analysis_limit", "busy_timeout", "journal_size_limit", "mmap_size", "wal_autocheckpoint",
  ]
  /// Pragmas that run a command or report something, and have no value.
  private static let commands: Set<String> = [
    "case_sensitive_like", "foreign_key_check", "incremental_vacuum", "integrity_check", "optimize", "quick_check",
    "shrink_memory", "wal_checkpoint",
  ]
}

extension Connection {
  /// Whether the library knows a pragma of this name, with or without a schema.
  ///
  /// SQLite ignores an unknown pragma without an error.
  ///
  /// ```swift
  /// try connection.knowsPragma("main.cache_size")  // true
  /// try connection.knowsPragma("cash_size")        // false
  /// ```
  public func knowsPragma(_ name: String) throws(SQLiteError) -> Bool {
    let statement = try prepare("SELECT 1 FROM pragma_pragma_list WHERE name = lower(?)", isPersistent: false)
    try statement.bind(text: String(name.split(separator: ".").last ?? ""), at: 1)
    defer { statement.reset() }
    return try statement.step()
  }
}
