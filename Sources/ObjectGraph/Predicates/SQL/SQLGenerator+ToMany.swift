// Key paths through to-many relationships as correlated SELECTs, and the aggregates of their values.
internal import CoreDataModel

/// The values of a path through a to-many relationship: a correlated SELECT without its columns and condition.
struct SQLElements {
  let scope: SQLScope
  /// The first table, with its alias.
  let from: String
  /// The condition that correlates it with the outer SELECT.
  let correlation: String
  /// The last table that the path reached.
  let last: SQLScope.Source
  /// The value at the end of the path.
  let value: SQLOperand

  func select(
    _ columns: SQLFragment, where test: SQLFragment? = nil
  ) throws(FetchPredicateError) -> SQLFragment {
    let joins = try scope.joinedTables()
    let start: SQLFragment = "SELECT \(columns) FROM \(raw: from + joins) WHERE \(raw: correlation)"
    return if let test { "\(start) AND \(test)" } else { start }
  }
}

extension SQLGenerator {
  /// The values of a path through at least one to-many relationship.
  ///
  /// To-one relationships before the first to-many belong to the outer SELECT; null ones after it end their branch,
  /// like an inner join.
  func elements(of path: FetchPath, _ scope: SQLScope) throws(FetchPredicateError) -> SQLElements {
    try rows?.checkUngrouped(path)
    let (start, owner) = try scope.start(of: path)
    let objectPath = schema.withoutEntity(path, from: start.entity)
    let path = objectPath ?? schema.withoutObjectID(path, from: start.entity)
    var source = start
    var inner: (scope: SQLScope, from: String, correlation: String)?
    var value = key(of: source)
    steps: for (index, name) in path.keys.enumerated() {
      let isLast = index == path.keys.count - 1
      let property = try property(name, of: source.entity)
      switch property {
      case .attribute:
        value = isLast ? column(property, of: source) : try length(of: property, of: source, path, index)
        break steps
      case .toOne(let column, let destination):
        if isLast, objectPath == nil {
          value = self.column(property, of: source)
          continue
        }
        let origin = source
        let make = { [self] in
          let alias = newAlias()
          let join = "JOIN \(schema.tableName(of: destination)) \(alias) ON \(alias).Z_PK = \(origin.alias).\(column)"
          return (sql: join, source: SQLScope.Source(alias: alias, entity: destination))
        }
        if let inner {
          source = inner.scope.toOne(from: origin, column: column, make: make)
        } else {
          source = owner.toOne(from: origin, column: column) {
            let (sql, source) = make()
            return ("LEFT " + sql, source)
          }
        }
      case .toMany(let destination, let storage):
        let step = ToManyStep(from: source, to: destination, storage, schema: schema, alias: newAlias)
        source = step.source
        value = key(of: source)
        let opened = inner ?? (SQLScope(root: source, outer: scope), step.table, step.correlation)
        if inner != nil { opened.scope.join("JOIN \(step.table) ON \(step.correlation)") }
        if let join = step.join { opened.scope.join(join) }
        inner = opened
      }
    }
    guard let inner else { throw path.needsToMany }
    if objectPath != nil { value = entity(of: source) }
    return SQLElements(
      scope: inner.scope, from: inner.from, correlation: inner.correlation, last: source, value: value)
  }

  /// The objects at the end of a path that ends in a to-many relationship.
  func objects(at path: FetchPath, _ scope: SQLScope) throws(FetchPredicateError) -> SQLElements {
    let elements = try elements(of: path, scope)
    guard elements.value.isRowKey else { throw path.needsToMany }
    return elements
  }

  func aggregate(
    _ function: AggregateFunction, _ path: FetchPath, _ scope: SQLScope
  ) throws(FetchPredicateError) -> SQLOperand {
    if function == .count {
      return SQLOperand(sql: "(\(try objects(at: path, scope).select("count(*)")))", kind: .number)
    }
    let elements = try elements(of: path, scope)
    let value = elements.value
    if let kind = value.kind { try function.check(kind, of: path) }
    let isSummed = function == .sum || function == .average
    let call: SQLFragment = "\(raw: function.rawValue)(\(isSummed ? value.number : value.sql))"
    let select = try elements.select(function == .sum ? "coalesce(\(call), 0)" : call)
    return SQLOperand(
      sql: "(\(select))", kind: isSummed ? .number : value.kind, isDecimal: !isSummed && value.isDecimal)
  }
}

/// One step along a to-many relationship: the first table of a correlated SELECT, or a join.
private struct ToManyStep {
  /// The destination.
  let source: SQLScope.Source
  /// The table that contains the source's key, with its alias, and the condition for the key.
  let table: String
  let correlation: String
  /// The destination's table, if that is a different one.
  let join: String?

  init(
    from origin: SQLScope.Source, to destination: String, _ storage: ToManyStorage, schema: any PredicateSchema,
    alias: () -> String
  ) {
    let target = alias()
    source = SQLScope.Source(alias: target, entity: destination)
    switch storage {
    case .inverseColumn(let column):
      table = "\(schema.tableName(of: destination)) \(target)"
      correlation = "\(target).\(column) = \(origin.alias).Z_PK"
      join = nil
    case .joinTable(let name, let sourceColumn, let destinationColumn):
      let between = alias()
      table = "\(name) \(between)"
      correlation = "\(between).\(sourceColumn) = \(origin.alias).Z_PK"
      join = "JOIN \(schema.tableName(of: destination)) \(target) ON \(target).Z_PK = \(between).\(destinationColumn)"
    }
  }
}
