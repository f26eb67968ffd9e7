// The statements of a connection, and the functions of predicates once one of them calls them.
internal import SQLiteDriver

/// A connection's prepared statements, kept by their SQL.
struct PreparedStatements {
  private let connection: Connection
  private var kept: [String: Statement] = [:]
  /// Whether the connection has the functions of predicates.
  ///
  /// Making them takes 45 allocations, and most connections never call one.
  private var hasFunctions = false

  init(_ connection: Connection) { self.connection = connection }

  /// The prepared form of the SQL, ready to be bound; kept for the next time.
  mutating func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = kept[sql] { return statement }
    try makeFunctions(for: sql)
    let statement = try connection.prepare(sql)
    kept[sql] = statement
    return statement
  }

  /// A statement for once, with its parameters.
  mutating func once(_ fragment: SQLFragment) throws(SQLiteError) -> Statement {
    try makeFunctions(for: fragment.sql)
    let statement = try connection.prepare(fragment.sql, isPersistent: false)
    for (index, value) in fragment.parameters.enumerated() { try statement.bind(value, at: index + 1) }
    return statement
  }

  mutating func removeAll() { kept = [:] }

  private mutating func makeFunctions(for sql: String) throws(SQLiteError) {
    if hasFunctions || !PredicateFunctions.areNamed(in: sql) { return }
    try PredicateFunctions.register(on: connection)
    hasFunctions = true
  }
}
