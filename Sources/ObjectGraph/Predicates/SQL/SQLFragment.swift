// A piece of SQL with the values of its parameters, composed by interpolation so that they stay together.
internal import CoreDataModel

struct SQLFragment: Sendable, Hashable, ExpressibleByStringInterpolation {
  var sql: String
  /// One for each `?`, in order.
  var parameters: [AttributeValue] = []

  init(_ sql: String) { self.sql = sql }

  init(stringLiteral value: String) { sql = value }

  init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var fragment = SQLFragment("")

    init(literalCapacity: Int, interpolationCount: Int) { fragment.sql.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { fragment.sql += literal }

    /// SQL and its parameters.
    mutating func appendInterpolation(_ other: SQLFragment) {
      fragment.sql += other.sql
      fragment.parameters += other.parameters
    }

    /// SQL text: names and operators, never a value.
    mutating func appendInterpolation(raw sql: String) { fragment.sql += sql }

    /// A parameter.
    mutating func appendInterpolation(bind value: AttributeValue) {
      fragment.sql += "?"
      fragment.parameters.append(value)
    }
  }

  /// How many terms are next to each other in one pair of parentheses.
  ///
  /// SQLite limits how deep terms are nested, with each term of `a OR b OR c` inside the next one, and its parser
  /// limits how many parentheses are open. A tree with many branches stays within both limits.
  private static let branches = 16

  /// The fragments with an operator between them, in parentheses.
  static func joined(_ terms: ArraySlice<SQLFragment>, by separator: String, none: String) -> SQLFragment {
    switch terms.count {
    case 0: return SQLFragment(none)
    case 1: return terms[terms.startIndex]
    case ...branches: return "(\(.sequence(terms, separator: separator)))"
    default:
      var size = branches
      while size * branches < terms.count { size *= branches }
      let parts = stride(from: terms.startIndex, to: terms.endIndex, by: size).map { start in
        joined(terms[start..<min(start + size, terms.endIndex)], by: separator, none: none)
      }
      return "(\(.sequence(parts[...], separator: separator)))"
    }
  }

  /// The most terms of a conjunction that SQLite's planner sees separately.
  ///
  /// Each term lowers the planner's cost estimate; with tens of thousands of them its figures overflow, and it finds no
  /// plan.
  private static let plannedTerms = 1_000

  /// A conjunction of all terms.
  static func conjunction(_ terms: [SQLFragment]) -> SQLFragment {
    let conjunction = joined(terms[...], by: " AND ", none: "1")
    // A leading sign makes it a single term for the planner.
    return terms.count > plannedTerms ? "+\(conjunction)" : conjunction
  }

  /// The fragments one after another.
  static func sequence(_ terms: some Sequence<SQLFragment>, separator: String) -> SQLFragment {
    var result = SQLFragment("")
    for (index, term) in terms.enumerated() {
      if index > 0 { result.sql += separator }
      result.sql += term.sql
      result.parameters += term.parameters
    }
    return result
  }

  /// The most parameters for constants that SQLite evaluates once for all rows.
  ///
  /// It compares each of them with all previous ones, so that the time to prepare a statement is quadratic in their
  /// number.
  private static let constantParameters = 1_000

  /// The fragment, with many parameters written as SELECTs, which SQLite does not compare.
  var withSelectedParameters: SQLFragment {
    if parameters.count <= SQLFragment.constantParameters { return self }
    var fragment = self
    fragment.sql = ""
    // Generated SQL contains no other question marks: names have none, and text is always a parameter.
    let pieces = sql.split(separator: "?", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      fragment.sql += piece
      if index == pieces.count - 1 { break }
      // A SELECT in a list would be evaluated again for every row; SQLite does not compare lists or arguments of
      // functions.
      let isListed = piece.hasSuffix("IN (") || piece.hasSuffix(", ")
      fragment.sql += isListed ? "?" : "(SELECT ?)"
    }
    return fragment
  }
}
