// A SELECT that is being built: its table, its joins, and their names.

/// One level of SELECT, outer or correlated.
///
/// A reference type, because a term deep inside may need one more join of the level its path starts at.
final class SQLScope {
  /// A table of this SELECT, under the alias it has here.
  struct Source {
    let alias: String
    let entity: String
  }

  let outer: SQLScope?
  /// What bare key paths start at; in a correlated SELECT, the outermost one's.
  let root: Source
  /// The tables joined, in order and without parameters.
  private var joins: [String] = []
  /// The element that a subquery's variable stands for.
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

  /// How many tables SQLite joins in one SELECT.
  private static let tableLimit = 64

  /// What is joined, as it follows the first table.
  ///
  /// - Throws: ``FetchPredicateError/tooManyTables(found:limit:)``.
  func joinedTables() throws(FetchPredicateError) -> String {
    let count = joins.count + 1
    if count > SQLScope.tableLimit { throw .tooManyTables(found: count, limit: SQLScope.tableLimit) }
    return joins.map { " " + $0 }.joined()
  }

  /// The destination of a to-one relationship, joined once however often it is named.
  func toOne(from source: Source, column: String, make: () -> (sql: String, source: Source)) -> Source {
    let name = "\(source.alias).\(column)"
    if let known = joinedSources[name] { return known }
    let (sql, destination) = make()
    joins.append(sql)
    joinedSources[name] = destination
    return destination
  }
}
