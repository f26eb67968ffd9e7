// The statements of a connection, and the functions of predicates once one of them calls them.
internal import SQLiteDriver

/// A connection's prepared statements, kept by their SQL: those that were asked for last.
///
/// Nothing else limits them: predicates with lists have another text for each length.
struct PreparedStatements {
  /// How many statements, and bytes of their texts, are a generation; two are kept.
  private static let mostStatements = 128
  private static let mostBytes = 256 << 10

  private let connection: Connection
  private var kept: [String: Statement] = [:]
  private var keptBytes = 0
  /// The generation before, whose statements that are asked for again are kept on.
  private var former: [String: Statement] = [:]
  /// Whether the connection has the functions of predicates.
  ///
  /// Making them takes 45 allocations, and most connections never call one.
  private var hasFunctions = false

  init(_ connection: Connection) { self.connection = connection }

  /// The prepared form of the SQL, ready to be bound; kept for the next time.
  mutating func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = kept[sql] { return statement }
    let statement: Statement
    if let known = former.removeValue(forKey: sql) {
      statement = known
    } else {
      try makeFunctions(for: sql)
      statement = try connection.prepare(sql)
    }
    keep(statement, sql)
    return statement
  }

  /// Caches the statement and drops the oldest ones.
  ///
  /// A dropped statement that is still running lives until it ends.
  private mutating func keep(_ statement: Statement, _ sql: String) {
    let size = sql.utf8.count
    if kept.count >= PreparedStatements.mostStatements || keptBytes + size > PreparedStatements.mostBytes {
      former = kept
      kept = [:]
      keptBytes = 0
    }
    kept[sql] = statement
    keptBytes += size
  }

  /// A statement for once, with its parameters.
  mutating func once(_ fragment: SQLFragment) throws(SQLiteError) -> Statement {
    try makeFunctions(for: fragment.sql)
    let statement = try connection.prepare(fragment.sql, isPersistent: false)
    for (index, value) in fragment.parameters.enumerated() { try statement.bind(value, at: index + 1) }
    return statement
  }

  mutating func removeAll() { (kept, former, keptBytes) = ([:], [:], 0) }

  private mutating func makeFunctions(for sql: String) throws(SQLiteError) {
    if hasFunctions || !PredicateFunctions.areNamed(in: sql) { return }
    try PredicateFunctions.register(on: connection)
    hasFunctions = true
  }
}
