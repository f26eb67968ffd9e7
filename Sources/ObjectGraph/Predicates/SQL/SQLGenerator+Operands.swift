// Expressions and key paths as SQL.
internal import CoreDataModel

extension SQLOperand {
  static func object(_ objectID: ManagedObjectID) -> SQLOperand {
    SQLOperand(sql: "0", kind: .object, objectID: objectID)
  }
}

/// The values of a path through a to-many relationship: a correlated SELECT without its columns and test.
struct SQLElements {
  let scope: SQLScope
  /// The table it starts at, under its alias.
  let from: String
  /// What ties it to the outer SELECT.
  let correlation: String
  /// The table that the path reached last.
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
  func operand(_ expression: FetchExpression, _ scope: SQLScope) throws(FetchPredicateError) -> SQLOperand {
    switch expression {
    case .constant(let value): return .constant(value)
    case .object(let objectID): return .object(objectID)
    case .list: throw expression.misplacedList
    case .path(let path):
      if let named = try namedOperand(path, scope) { return named }
      try rows?.checkGrouped(path)
      return try operand(path, scope)
    case .arithmetic(let left, let operation, let right):
      let left = try number(left, in: expression, scope)
      let right = try number(right, in: expression, scope)
      return SQLOperand(sql: operation.sql(left, right), kind: .number)
    case .negation(let operand):
      return SQLOperand(sql: "(0 - \(try number(operand, in: expression, scope)))", kind: .number)
    case .function(let function, let argument):
      let operand = try operand(argument, scope)
      try expression.check(operand.kind, for: function)
      let value = function.isAboutText ? operand.sql : operand.number
      return SQLOperand(sql: "\(raw: function.sqlName)(\(value))", kind: function.kind)
    case .now: return .constant(.date(now))
    case .aggregate(let function, let path):
      return rows?.groups == nil ? try aggregate(function, path, scope) : try rowAggregate(function, path, scope)
    case .subqueryCount(let collection, let variable, let predicate):
      let elements = try objects(at: collection, scope)
      elements.scope.introduce(variable, as: elements.last)
      let test = try condition(predicate, elements.scope)
      return SQLOperand(sql: "(\(try elements.select("count(*)", where: test)))", kind: .number)
    }
  }

  private func number(
    _ expression: FetchExpression, in whole: FetchExpression, _ scope: SQLScope
  ) throws(FetchPredicateError) -> SQLFragment {
    let operand = try operand(expression, scope)
    guard operand.kind == nil || operand.kind == .number else { throw whole.notNumbers }
    return operand.number
  }

  /// The value of a path through to-one relationships alone.
  func operand(_ path: FetchPath, _ scope: SQLScope) throws(FetchPredicateError) -> SQLOperand {
    let (start, owner) = try scope.start(of: path)
    if let object = schema.withoutEntity(path, from: start.entity) { return entity(of: try source(at: object, scope)) }
    let path = schema.withoutObjectID(path, from: start.entity)
    var source = start
    for (index, key) in path.keys.enumerated() {
      let isLast = index == path.keys.count - 1
      let property = try property(key, of: source.entity)
      switch property {
      case .attribute, .toOne:
        if isLast { return column(property, of: source) }
        guard case .toOne(let column, let destination) = property else {
          return try length(of: property, of: source, path, index)
        }
        source = self.destination(destination, of: column, in: source, owner)
      case .toMany: throw path.needsModifier
      }
    }
    return key(of: source)
  }

  /// The row at the end of a path of to-one relationships: its key, and the number of its entity.
  func object(
    at path: FetchPath, _ scope: SQLScope
  ) throws(FetchPredicateError) -> (key: SQLFragment, entityNumber: SQLFragment) {
    let (start, _) = try scope.start(of: path)
    let source = try source(at: schema.withoutObjectID(path, from: start.entity), scope)
    return ("\(raw: source.alias).Z_PK", "\(raw: source.alias).Z_ENT")
  }

  /// The table of that row.
  private func source(at path: FetchPath, _ scope: SQLScope) throws(FetchPredicateError) -> SQLScope.Source {
    let (start, owner) = try scope.start(of: path)
    var source = start
    for key in path.keys {
      guard case .toOne(let column, let destination) = try property(key, of: source.entity) else {
        throw path.needsModifier
      }
      source = self.destination(destination, of: column, in: source, owner)
    }
    return source
  }

  /// The destination of a to-one relationship, joined to a SELECT.
  private func destination(
    _ entity: String, of column: String, in source: SQLScope.Source, _ owner: SQLScope
  ) -> SQLScope.Source {
    owner.toOne(from: source, column: column) {
      let alias = newAlias()
      let join = "LEFT JOIN \(schema.tableName(of: entity)) \(alias) ON \(alias).Z_PK = \(source.alias).\(column)"
      return (join, SQLScope.Source(alias: alias, entity: entity))
    }
  }

  /// The values of a path through at least one to-many relationship.
  ///
  /// To-one relationships before the first to-many belong to the outer SELECT; those behind it that are null end
  /// their branch, as an inner join does.
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
  private func objects(at path: FetchPath, _ scope: SQLScope) throws(FetchPredicateError) -> SQLElements {
    let elements = try elements(of: path, scope)
    guard elements.value.isRowKey else { throw path.needsToMany }
    return elements
  }

  private func aggregate(
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

  private func property(_ name: String, of entity: String) throws(FetchPredicateError) -> SchemaProperty {
    if let property = schema.property(name, of: entity) { return property }
    if schema.isTransient(name, of: entity) {
      throw .unsupported(in: name, reason: "'\(name)' is transient and not in the store; expected a stored attribute")
    }
    let names = schema.propertyNames(of: entity)
    throw .unknownKey(
      entity: entity, key: name, expected: names, suggestion: nearestWord(to: name, among: names))
  }

  private func column(_ property: SchemaProperty, of source: SQLScope.Source) -> SQLOperand {
    switch property {
    case .attribute(let column, let type):
      SQLOperand(sql: "\(raw: source.alias).\(raw: column)", kind: type.valueKind, isDecimal: type == .decimal)
    case .toOne(let column, let destination):
      SQLOperand(sql: "\(raw: source.alias).\(raw: column)", kind: .object, entity: destination)
    case .toMany: key(of: source)
    }
  }

  /// The length of an attribute, where that is all that the path has behind it.
  private func length(
    of attribute: SchemaProperty, of source: SQLScope.Source, _ path: FetchPath, _ index: Int
  ) throws(FetchPredicateError) -> SQLOperand {
    let value = column(attribute, of: source)
    switch value.kind {
    case .text where path.asksLength(behind: index):
      return SQLOperand(sql: "\(raw: PredicateFunctions.length)(\(value.sql))", kind: .number)
    case .binary where path.asksLength(behind: index):
      return SQLOperand(sql: "length(\(value.sql))", kind: .number)
    default: throw path.stepBehindAttribute(path.keys[index])
    }
  }

  private func key(of source: SQLScope.Source) -> SQLOperand {
    SQLOperand(sql: "\(raw: source.alias).Z_PK", kind: .object, entity: source.entity, isRowKey: true)
  }
}

extension ArithmeticOperator {
  /// SQLite has no power and no exclusive or of its own.
  fileprivate func sql(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    switch self {
    case .power: "\(raw: PredicateFunctions.power)(\(left), \(right))"
    case .bitwiseXor: "\(raw: PredicateFunctions.exclusiveOr)(\(left), \(right))"
    case .modulus: "(\(left) % \(right))"
    default: "(\(left) \(raw: rawValue) \(right))"
    }
  }
}

/// One step along a to-many relationship: the first table of a correlated SELECT, or joined to one.
private struct ToManyStep {
  /// The destination.
  let source: SQLScope.Source
  /// The table that names the source's key, under its alias, and how it names it.
  let table: String
  let correlation: String
  /// The destination's table, where that is another one.
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
