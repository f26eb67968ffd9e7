// Generates SQL from predicates.
//
// SQL's logic has three values and a predicate's has two. The difference shows only with NOT: AND and OR are true for
// the same operands whether an unknown one counts as unknown or as false. So a comparison may be NULL for false, and
// negations use `IS NOT TRUE`. This keeps plain comparisons plain, so that they can use indexes.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Generates the SQL of one statement.
final class SQLGenerator {
  let schema: any PredicateSchema
  /// The names that expressions of a dictionary fetch can use; `nil` outside expressions.
  var rows: SQLRowNames?
  /// The value of `now()` in the whole statement.
  private(set) lazy var now = Date()
  private var aliases = 0
  /// Compiles regular expressions before SQLite gets them.
  private let patterns = PatternCache()

  init(schema: any PredicateSchema) { self.schema = schema }

  func newAlias() -> String {
    aliases += 1
    return "t\(aliases)"
  }

  /// A condition that is true if the predicate holds, and false or NULL if it does not.
  func condition(_ predicate: FetchPredicate, _ scope: SQLScope) throws(FetchPredicateError) -> SQLFragment {
    switch predicate.content {
    case .constant(let value): return value ? "1" : "0"
    case .comparison(let comparison): return try condition(comparison, scope)
    case .compound(let compound):
      if compound.levels > SQLGenerator.nestingLimit { return try cascade(predicate, scope) }
      let terms = try conditions(compound.flattenedTerms, scope)
      switch compound.connective {
      case .and: return SQLFragment.conjunction(terms)
      case .or: return SQLFragment.joined(terms[...], by: " OR ", none: "0")
      case .not: return "(\(terms[0]) IS NOT TRUE)"
      }
    }
  }

  private func conditions(
    _ predicates: [FetchPredicate], _ scope: SQLScope
  ) throws(FetchPredicateError) -> [SQLFragment] {
    var conditions: [SQLFragment] = []
    for predicate in predicates { conditions.append(try condition(predicate, scope)) }
    return conditions
  }

  private func condition(
    _ comparison: FetchPredicate.Comparison, _ scope: SQLScope
  ) throws(FetchPredicateError) -> SQLFragment {
    if let expected = comparison.comparisonOperator.misfit(comparison.right) {
      throw .typeMismatch(in: "\(comparison)", found: "\(comparison.right)", expected: expected)
    }
    if comparison.modifier == .direct {
      if comparison.comparisonOperator == .contains, isCollection(comparison.left, scope) {
        return try condition(comparison.membership, scope)
      }
      return try condition(try operand(comparison.left, scope), comparison, scope)
    }
    guard case .path(let path) = comparison.left else { throw comparison.misplacedModifier }
    let elements = try elements(of: path, scope)
    let test = try condition(elements.value, comparison, elements.scope)
    return switch comparison.modifier {
    case .direct, .any: "(EXISTS (\(try elements.select("1", where: test))))"
    case .all: "(NOT EXISTS (\(try elements.select("1", where: "(\(test) IS NOT TRUE)"))))"
    case .none: "(NOT EXISTS (\(try elements.select("1", where: test))))"
    }
  }

  private func isCollection(_ expression: FetchExpression, _ scope: SQLScope) -> Bool {
    switch expression {
    case .list: return true
    case .path(let path):
      // An undefined variable is reported when the path is generated.
      guard let start = try? scope.start(of: path).source else { return false }
      return schema.isThroughToMany(path, from: start.entity)
    default: return false
    }
  }

  /// Compares one value with the right side.
  private func condition(
    _ left: SQLOperand, _ comparison: FetchPredicate.Comparison, _ scope: SQLScope
  ) throws(FetchPredicateError) -> SQLFragment {
    let options = comparison.foldingOptions
    switch (comparison.comparisonOperator, comparison.right) {
    case (.isIn, .path(let path)):
      let elements = try elements(of: path, scope)
      let (left, right) = try sides(left, elements.value, comparison)
      let test: SQLFragment = "\(left.folded(options).sql) IS \(right.folded(options).sql)"
      return "(EXISTS (\(try elements.select("1", where: test))))"
    case (_, .list(let expressions)):
      var operands: [SQLOperand] = []
      for expression in expressions { operands.append(try operand(expression, scope)) }
      if let (left, rights) = try entityNumbers(left, operands, comparison) { return membership(of: left, in: rights) }
      if let given = left.objectID { return try membership(of: left, given, in: operands, comparison) }
      var rights: [SQLOperand] = []
      for operand in operands { rights.append(try sides(left, operand, comparison).right.folded(options)) }
      let left = try sides(left, rights.first { $0.kind != nil } ?? .constant(.null), comparison).left
        .folded(options)
      guard comparison.comparisonOperator == .between else { return membership(of: left, in: rights) }
      return "(\(left.sql) BETWEEN \(rights[0].sql) AND \(rights[1].sql))"
    default:
      let right = try operand(comparison.right, scope)
      if let (left, rights) = try entityNumbers(left, [right], comparison) {
        return try condition(left, rights[0], comparison)
      }
      if let leftID = left.objectID, let rightID = right.objectID {
        try comparison.check(.object, .object)
        return (leftID == rightID) == (comparison.comparisonOperator == .equal) ? "1" : "0"
      }
      let checked = try sides(left, right, comparison)
      return try condition(checked.left.folded(options), checked.right.folded(options), comparison)
    }
  }

  /// Whether a given object is one of several others, which may be in different tables.
  private func membership(
    of left: SQLOperand, _ given: ManagedObjectID, in rights: [SQLOperand], _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> SQLFragment {
    var terms: [SQLFragment] = []
    for right in rights {
      let (left, right) = try sides(left, right, comparison)
      if right.objectID == nil { terms.append(membership(of: left, in: [right])) }
    }
    if rights.contains(where: { $0.objectID == given }) { return "1" }
    return SQLFragment.joined(terms[...], by: " OR ", none: "0")
  }

  /// Both sides, checked, with the keys of given objects looked up in the table of the other side.
  private func sides(
    _ left: SQLOperand, _ right: SQLOperand, _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> (left: SQLOperand, right: SQLOperand) {
    try comparison.check(left.kind, right.kind)
    guard left.kind == .object, right.kind == .object else { return (left, right) }
    if let left = left.entity, let right = right.entity, schema.tableName(of: left) != schema.tableName(of: right) {
      throw .typeMismatch(in: "\(comparison)", found: "an object of \(right)", expected: "one of \(left)")
    }
    guard let entity = left.entity ?? right.entity else { return (left, right) }
    return (key(left, in: entity), key(right, in: entity))
  }

  /// Replaces a given object by its key, or by 0, which no row has.
  private func key(_ operand: SQLOperand, in entity: String) -> SQLOperand {
    guard let objectID = operand.objectID else { return operand }
    var operand = operand
    let key = schema.primaryKey(of: objectID, in: entity) ?? 0
    operand.sql = "\(bind: .integer(key))"
    operand.constant = .integer(key)
    return operand
  }

  private func condition(
    _ left: SQLOperand, _ right: SQLOperand, _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> SQLFragment {
    switch comparison.comparisonOperator {
    case .equal:
      // With a value, null never compares as true, and `=` can use an index in every release of SQLite.
      let isPlain = (left.constant.map { !$0.isNull } ?? false) || (right.constant.map { !$0.isNull } ?? false)
      return "(\(left.sql) \(raw: isPlain ? "=" : "IS") \(right.sql))"
    case .notEqual: return "(\(left.sql) IS NOT \(right.sql))"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return "(\(left.sql) \(raw: comparison.comparisonOperator.rawValue) \(right.sql))"
    case .beginsWith: return beginning(left, right)
    case .endsWith: return call(PredicateFunctions.endsWith, left.sql, right.sql)
    case .contains: return "(instr(\(left.sql), \(right.sql)) > 0)"
    case .like: return call(PredicateFunctions.like, left.sql, right.sql)
    case .matches: return try expressionMatch(left, right, comparison)
    // Both require a list, so they never reach this.
    case .isIn, .between: return membership(of: left, in: [right])
    }
  }

  private func call(_ function: String, _ first: SQLFragment, _ second: SQLFragment) -> SQLFragment {
    "\(raw: function)(\(first), \(second))"
  }

  /// For a constant, a range that can use an index.
  private func beginning(_ left: SQLOperand, _ right: SQLOperand) -> SQLFragment {
    guard case .string(let prefix) = right.constant else {
      return call(PredicateFunctions.beginsWith, left.sql, right.sql)
    }
    guard let end = prefix.nextBeyondPrefix else { return "(\(left.sql) >= \(bind: .string(prefix)))" }
    return "(\(left.sql) >= \(bind: .string(prefix)) AND \(left.sql) < \(bind: .string(end)))"
  }

  private func expressionMatch(
    _ left: SQLOperand, _ right: SQLOperand, _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> SQLFragment {
    if case .string(let pattern) = right.constant { try patterns.expression(pattern, comparison.options) }
    let options = "\(comparison.options.rawValue)"
    return "\(raw: PredicateFunctions.matches)(\(left.sql), \(right.sql), \(raw: options))"
  }

  /// Whether the left side is one of the values.
  ///
  /// Null matches if the list contains it.
  private func membership(of left: SQLOperand, in rights: [SQLOperand]) -> SQLFragment {
    var terms: [SQLFragment] = []
    let constants = rights.compactMap { $0.isNull ? nil : $0.constant }
    if constants.count > PackedList.threshold {
      let list: SQLFragment = "json_each(\(bind: PackedList.pack(constants)))"
      terms.append("(\(left.sql) IN (SELECT \(raw: PredicateFunctions.unpack)(value) FROM \(list)))")
    } else if !constants.isEmpty {
      let values = SQLFragment.sequence(constants.map { "\(bind: $0)" }, separator: ", ")
      terms.append("(\(left.sql) IN (\(values)))")
    }
    for right in rights where right.constant == nil || right.isNull {
      terms.append("(\(left.sql) IS \(right.sql))")
    }
    return SQLFragment.joined(terms[...], by: " OR ", none: "0")
  }
}

extension String {
  /// The lowest text above all texts with this prefix; `nil` if there is none.
  fileprivate var nextBeyondPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Skip the surrogates, which are not code points of text.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
