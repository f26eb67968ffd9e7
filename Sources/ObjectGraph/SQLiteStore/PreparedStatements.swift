// The prepared statements of a connection, and the functions of predicates once a statement calls them.
internal import SQLiteDriver

/// Caches a connection's most recently used prepared statements by their SQL.
///
/// Predicates with lists have a different text for each length, so the number of statements must be limited.
struct PreparedStatements {
  /// The most statements, and bytes of their texts, in a generation; two generations are kept.
  private static let mostStatements = 128
  private static let mostBytes = 256 << 10

  private let connection: Connection
  private var kept: [String: Statement] = [:]
  private var keptBytes = 0
  /// The previous generation; its statements move to the present one when they are used again.
  private var former: [String: Statement] = [:]
  /// Whether the connection has the functions of predicates.
  ///
  /// Creating them takes 45 allocations, and most connections never call one.
  private var hasFunctions = false

  init(_ connection: Connection) { self.connection = connection }

  /// The prepared statement, ready to be bound; cached.
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

  /// A statement for one use, with its parameters bound.
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
