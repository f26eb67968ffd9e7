// Replaces variables in a predicate by values, so that it can be parsed once and used with different ones.
internal import CoreDataModel

extension FetchPredicate {
  /// The predicate with values for its variables, such as `$MINIMUM`; variables of subqueries stay.
  ///
  /// A variable may be replaced by anything that a format accepts as an argument: a value, a list, an object.
  ///
  /// ```swift
  /// let template = try FetchPredicate(format: "magnitude BETWEEN $BOUNDS AND region == $REGION")
  /// let predicate = try template.withSubstitutionVariables(["BOUNDS": 4...5, "REGION": region])
  /// ```
  ///
  /// - Parameter variables: Values by the names of variables without `$`; unused names are ignored.
  /// - Returns: The predicate without variables, except those of subqueries.
  /// - Throws: ``FetchPredicateError/unknownVariable(_:)`` for a variable without a value,
  ///   ``FetchPredicateError/unsupported(in:reason:)`` for a path that starts with a replaced variable,
  ///   ``FetchPredicateError/typeMismatch(in:found:expected:)`` for a list in place of a value, or the reverse.
  public func withSubstitutionVariables(
    _ variables: [String: any PredicateArgument]
  ) throws(FetchPredicateError) -> FetchPredicate {
    try Substitution(values: variables.mapValues(\.predicateExpression)).predicate(self)
  }
}

private struct Substitution {
  let values: [String: FetchExpression]
  /// The variables of the enclosing subqueries.
  var introduced: Set<String> = []

  /// Does not recurse over terms, because there may be any number of them.
  func predicate(_ predicate: FetchPredicate) throws(FetchPredicateError) -> FetchPredicate {
    var compounds: [(connective: CompoundPredicate.Connective, terms: [FetchPredicate])] = []
    for step in PredicateWalk(predicate) {
      let term: FetchPredicate
      switch step {
      case .begin(let connective):
        compounds.append((connective, []))
        continue
      case .constant(let value): term = .constant(value)
      case .comparison(let comparison): term = .comparison(try self.comparison(comparison))
      case .end:
        let compound = compounds.removeLast()
        term =
          switch compound.connective {
          case .and: .and(compound.terms)
          case .or: .or(compound.terms)
          case .not: .not(compound.terms[0])
          }
      }
      if compounds.isEmpty { return term }
      compounds[compounds.count - 1].terms.append(term)
    }
    return predicate
  }

  private func comparison(
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> FetchPredicate.Comparison {
    var result = comparison
    result.left = try expression(comparison.left)
    result.right = try expression(comparison.right)
    if let expected = result.comparisonOperator.misfit(result.right) {
      throw .typeMismatch(in: "\(comparison)", found: "\(result.right)", expected: expected)
    }
    return result
  }

  private func expression(_ expression: FetchExpression) throws(FetchPredicateError) -> FetchExpression {
    switch expression {
    case .constant, .object, .now: return expression
    case .list(let elements):
      var results: [FetchExpression] = []
      for element in elements { results.append(try self.expression(element)) }
      return .list(results)
    case .path(let path):
      guard let name = path.variable, !introduced.contains(name) else { return expression }
      guard let value = values[name] else { throw .unknownVariable(name) }
      if path.isVariable { return value }
      throw .unsupported(in: "\(path)", reason: "$\(name) stands for a value, which has no properties")
    case .arithmetic(let left, let operation, let right):
      return .arithmetic(try self.expression(left), operation, try self.expression(right))
    case .negation(let operand): return .negation(try self.expression(operand))
    case .function(let function, let operand): return .function(function, try self.expression(operand))
    case .aggregate(_, let path):
      try check(path)
      return expression
    case .subqueryCount(let collection, let variable, let predicate):
      try check(collection)
      var inner = self
      inner.introduced.insert(variable)
      return .subqueryCount(
        collection: collection, variable: variable, predicate: try inner.predicate(predicate))
    }
  }

  /// Refuses a path to objects that starts with a variable for a value.
  private func check(_ path: FetchPath) throws(FetchPredicateError) {
    guard let name = path.variable, !introduced.contains(name) else { return }
    if values[name] == nil { throw .unknownVariable(name) }
    throw .unsupported(in: "\(path)", reason: "$\(name) stands for a value, which has no properties")
  }
}
