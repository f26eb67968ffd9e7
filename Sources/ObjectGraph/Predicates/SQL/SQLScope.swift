// A SELECT that is being built: its table, its joins, and their aliases.

/// One level of SELECT, outer or correlated.
///
/// A reference type, because a deeply nested term may add a join to the level where its path starts.
final class SQLScope {
  /// A table of this SELECT, with its alias.
  struct Source {
    let alias: String
    let entity: String
  }

  let outer: SQLScope?
  /// Where key paths without a variable start; in a correlated SELECT, the outermost level's root.
  let root: Source
  /// The tables joined, in order and without parameters.
  private var joins: [String] = []
  /// The table of each subquery variable.
  private var variables: [String: Source] = [:]
  private var joinedSources: [String: Source] = [:]

  init(root: Source, outer: SQLScope? = nil) {
    self.root = root
    self.outer = outer
  }

  func introduce(_ variable: String, as source: Source) { variables[variable] = source }

  /// Where a path starts, and the SELECT that its joins belong to.
  func start(of path: FetchPath) throws(FetchPredicateError) -> (source: Source, scope: SQLScope) {
    guard let variable = path.variable else {
      var scope = self
      while let outer = scope.outer { scope = outer }
      return (scope.root, scope)
    }
    var scope = self
    while true {
      if let source = scope.variables[variable] { return (source, scope) }
      guard let outer = scope.outer else { throw .unknownVariable(variable) }
      scope = outer
    }
  }

  func join(_ sql: String) { joins.append(sql) }

  /// The most tables that SQLite joins in one SELECT.
  private static let tableLimit = 64

  /// The joins that follow the first table.
  ///
  /// - Throws: ``FetchPredicateError/tooManyTables(found:limit:)``.
  func joinedTables() throws(FetchPredicateError) -> String {
    let count = joins.count + 1
    if count > SQLScope.tableLimit { throw .tooManyTables(found: count, limit: SQLScope.tableLimit) }
    return joins.map { " " + $0 }.joined()
  }

  /// The destination of a to-one relationship, joined only once however often it is used.
  func toOne(from source: Source, column: String, make: () -> (sql: String, source: Source)) -> Source {
    let name = "\(source.alias).\(column)"
    if let known = joinedSources[name] { return known }
    let (sql, destination) = make()
    joins.append(sql)
    joinedSources[name] = destination
    return destination
  }
}
