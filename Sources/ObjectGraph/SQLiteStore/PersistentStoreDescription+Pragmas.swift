// Sets the pragmas of a store's connection in their order, and checks them.
internal import SQLiteDriver

extension PersistentStoreDescription {
  /// Statements to run first on a file of unknown origin: they make SQLite check cells before using them, and do not
  /// let the schema call functions.
  package static let caution = ["PRAGMA cell_size_check = ON", "PRAGMA trusted_schema = OFF"]

  /// The pragmas that only work on an empty file, in the required order.
  static let shapingPragmas = ["page_size", "auto_vacuum"]

  /// Sets the connection's pragmas: WAL unless another journal mode is requested, followed by the rest in their order.
  ///
  /// - Throws: ``ObjectGraphError/pragma(_:found:expected:path:)``, ``ObjectGraphError/store(_:during:)``.
  func configure(_ connection: Connection) throws(ObjectGraphError) {
    try during("opening the store \(path)") { () throws(SQLiteError) in
      if isImmutable { for sql in PersistentStoreDescription.caution { try connection.execute(sql) } }
      if !isReadOnly, !pragmas.contains(where: { $0.name == "journal_mode" }) {
        _ = try connection.setPragma("journal_mode", to: "wal")
      }
    }
    if isReadOnly { return }
    for pragma in pragmas where !PersistentStoreDescription.shapingPragmas.contains(pragma.name) {
      try set(pragma, of: connection)
    }
  }

  /// Sets one pragma, and checks that SQLite knows and applies it.
  ///
  /// SQLite itself reports neither.
  func set(_ pragma: Pragma, of connection: Connection) throws(ObjectGraphError) {
    let (answer, isKnown) = try during("setting the pragma \(pragma.name) of the store \(path)") {
      () throws(SQLiteError) -> (String?, Bool) in
      // A pragma that returns a value is known, which saves searching the list.
      if let answer = try connection.setPragma(pragma.name, to: pragma.value) { return (answer, true) }
      return (nil, try connection.knowsPragma(pragma.name))
    }
    if !isKnown {
      throw .pragma(
        pragma.name, found: "a name that is unknown to SQLite \(SQLiteLibrary.version)",
        expected: "one of those in https://www.sqlite.org/pragma.html that this library has", path: path)
    }
    guard let answer else { return }
    if !PragmaValue(answer, of: pragma.name).isAnswer(to: PragmaValue(pragma.value, of: pragma.name)) {
      throw .pragma(
        pragma.name, found: "the value \(pragma.value), after which SQLite answers \(answer)",
        expected: "a value that SQLite takes here", path: path)
    }
  }
}
