// The SQL of dictionary fetches that predicates do not have: names, groups, aggregates over rows.

/// The names that expressions of a dictionary fetch can use.
struct SQLRowNames {
  /// The request's own expressions, by name.
  var expressions: [String: FetchExpression] = [:]
  /// The paths to group by; `nil` if rows are not grouped.
  var groups: [FetchPath]?

  /// Refuses a path that does not have a single value for a group.
  func checkGrouped(_ path: FetchPath) throws(FetchPredicateError) {
    guard let groups, !groups.contains(path) else { return }
    throw .unsupported(
      in: "\(path)",
      reason: groups.isEmpty
        ? "found a property beside an aggregate; expected aggregates alone, or the property in propertiesToGroupBy"
        : "found a property that does not group; expected an aggregate of it, or one of "
          + groups.map(\.description).joined(separator: ", "))
  }

  /// Refuses a path to the many objects of one row if rows are grouped.
  func checkUngrouped(_ path: FetchPath) throws(FetchPredicateError) {
    if groups == nil { return }
    throw .unsupported(
      in: "\(path)",
      reason: "found a path of single rows beside groups; expected groups, and aggregates of their rows' properties")
  }
}

extension SQLGenerator {
  /// The expression with the path's name, as `$total` or `total`; `nil` if there is none.
  func namedOperand(_ path: FetchPath, _ scope: SQLScope) throws(FetchPredicateError) -> SQLOperand? {
    guard let names = rows, let name = path.keys.isEmpty ? path.variable : path.variable == nil ? path.keys[0] : nil,
      path.keys.count < 2, let expression = names.expressions[name]
    else { return nil }
    // Inside, only names of properties are valid, so that no expression refers to itself.
    rows?.expressions = [:]
    defer { rows = names }
    return try operand(expression, scope)
  }

  /// An aggregate over the rows of a group.
  func rowAggregate(
    _ function: AggregateFunction, _ path: FetchPath, _ scope: SQLScope
  ) throws(FetchPredicateError) -> SQLOperand {
    if function == .count, path.keys.isEmpty, path.variable == nil { return SQLOperand(sql: "count(*)", kind: .number) }
    if schema.isThroughToMany(path, from: scope.root.entity) { try rows?.checkUngrouped(path) }
    let value = try operand(path, scope)
    if let kind = value.kind { try function.check(kind, of: path) }
    let isSummed = function == .sum || function == .average
    let call: SQLFragment = "\(raw: function.rawValue)(\(isSummed ? value.number : value.sql))"
    let isNumber = isSummed || function == .count
    return SQLOperand(
      sql: function == .sum ? "coalesce(\(call), 0)" : call, kind: isNumber ? .number : value.kind,
      isDecimal: !isNumber && value.isDecimal)
  }
}

extension FetchExpression {
  /// Whether the expression contains an aggregate over rows, which is one without a to-many relationship in its path.
  func aggregatesRows(of entity: String, _ schema: any PredicateSchema) -> Bool {
    switch self {
    case .aggregate(_, let path): return path.variable == nil && !schema.isThroughToMany(path, from: entity)
    case .arithmetic(let left, _, let right):
      return left.aggregatesRows(of: entity, schema) || right.aggregatesRows(of: entity, schema)
    case .negation(let operand), .function(_, let operand): return operand.aggregatesRows(of: entity, schema)
    case .constant, .now, .object, .list, .path, .subqueryCount: return false
    }
  }
}
