// Expressions and single-valued key paths as SQL.
internal import CoreDataModel

extension SQLOperand {
  static func object(_ objectID: ManagedObjectID) -> SQLOperand {
    SQLOperand(sql: "0", kind: .object, objectID: objectID)
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

  /// The value of a path that only follows to-one relationships.
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

  /// The row at the end of a path of to-one relationships: its key and its entity number.
  func object(
    at path: FetchPath, _ scope: SQLScope
  ) throws(FetchPredicateError) -> (key: SQLFragment, entityNumber: SQLFragment) {
    let (start, _) = try scope.start(of: path)
    let source = try source(at: schema.withoutObjectID(path, from: start.entity), scope)
    return ("\(raw: source.alias).Z_PK", "\(raw: source.alias).Z_ENT")
  }

  /// The table with that row.
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

  func property(_ name: String, of entity: String) throws(FetchPredicateError) -> SchemaProperty {
    if let property = schema.property(name, of: entity) { return property }
    if schema.isTransient(name, of: entity) {
      throw .unsupported(in: name, reason: "'\(name)' is transient and not in the store; expected a stored attribute")
    }
    let names = schema.propertyNames(of: entity)
    throw .unknownKey(
      entity: entity, key: name, expected: names, suggestion: nearestWord(to: name, among: names))
  }

  func column(_ property: SchemaProperty, of source: SQLScope.Source) -> SQLOperand {
    switch property {
    case .attribute(let column, let type):
      SQLOperand(sql: "\(raw: source.alias).\(raw: column)", kind: type.valueKind, isDecimal: type == .decimal)
    case .toOne(let column, let destination):
      SQLOperand(sql: "\(raw: source.alias).\(raw: column)", kind: .object, entity: destination)
    case .toMany: key(of: source)
    }
  }

  /// The length of an attribute, if `length` is all that follows in the path.
  func length(
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

  func key(of source: SQLScope.Source) -> SQLOperand {
    SQLOperand(sql: "\(raw: source.alias).Z_PK", kind: .object, entity: source.entity, isRowKey: true)
  }
}

extension ArithmeticOperator {
  /// SQLite has neither a power operator nor an exclusive or.
  fileprivate func sql(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    switch self {
    case .power: "\(raw: PredicateFunctions.power)(\(left), \(right))"
    case .bitwiseXor: "\(raw: PredicateFunctions.exclusiveOr)(\(left), \(right))"
    case .modulus: "(\(left) % \(right))"
    default: "(\(left) \(raw: rawValue) \(right))"
    }
  }
}
