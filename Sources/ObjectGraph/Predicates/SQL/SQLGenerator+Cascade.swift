// Predicates that are nested deeper than SQLite can parse: one CASE instead of nested parentheses.

extension SQLGenerator {
  /// How many compounds of alternating kinds may be nested in parentheses.
  ///
  /// SQLite's parser has room for about thirty parentheses with a term before them, and a long compound takes some of
  /// them.
  static let nestingLimit = 6

  /// A condition with at least one compound that is nested too deeply.
  ///
  /// The other terms of a compound decide, or leave the decision to its deepest term, and so on down to a term for
  /// which parentheses suffice: `a AND (b OR (c AND …))` becomes `CASE WHEN a IS NOT TRUE THEN 0 WHEN b THEN 1 …`.
  func cascade(_ predicate: FetchPredicate, _ scope: SQLScope) throws(FetchPredicateError) -> SQLFragment {
    var branches = SQLFragment("")
    var rest = predicate
    var isNegated = false
    while case .compound(let compound) = rest.content, compound.levels > SQLGenerator.nestingLimit {
      let terms = compound.flattenedTerms
      let deepest = terms.indices.max { terms[$0].levels < terms[$1].levels } ?? 0
      rest = terms[deepest]
      if compound.connective == .not {
        isNegated.toggle()
        continue
      }
      let isDisjunction = compound.connective == .or
      for (index, term) in terms.enumerated() where index != deepest {
        let test = try condition(term, scope)
        branches.sql +=
          " WHEN \(test.sql)\(isDisjunction ? "" : " IS NOT TRUE") THEN \(isDisjunction != isNegated ? 1 : 0)"
        branches.parameters += test.parameters
      }
    }
    let last = try condition(rest, scope)
    let otherwise: SQLFragment = isNegated ? "(\(last) IS NOT TRUE)" : last
    return branches.sql.isEmpty ? otherwise : "(CASE\(branches) ELSE \(otherwise) END)"
  }
}
