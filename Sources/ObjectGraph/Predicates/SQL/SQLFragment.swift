// A piece of SQL with the values for its parameters, composed by interpolation so that the two never part.
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

    /// SQL as it is: names and operators, never a value.
    mutating func appendInterpolation(raw sql: String) { fragment.sql += sql }

    /// A parameter.
    mutating func appendInterpolation(bind value: AttributeValue) {
      fragment.sql += "?"
      fragment.parameters.append(value)
    }
  }

  /// The fragments with an operator between them, nested by halves: SQLite limits the depth of a term and not its
  /// length.
  static func joined(_ terms: ArraySlice<SQLFragment>, by separator: String, none: String) -> SQLFragment {
    switch terms.count {
    case 0: return SQLFragment(none)
    case 1: return terms[terms.startIndex]
    default:
      let middle = terms.startIndex + terms.count / 2
      let left = joined(terms[..<middle], by: separator, none: none)
      let right = joined(terms[middle...], by: separator, none: none)
      return "(\(left)\(raw: separator)\(right))"
    }
  }

  /// The fragments one after the other.
  static func sequence(_ terms: [SQLFragment], separator: String) -> SQLFragment {
    var result = SQLFragment("")
    for (index, term) in terms.enumerated() {
      if index > 0 { result.sql += separator }
      result.sql += term.sql
      result.parameters += term.parameters
    }
    return result
  }
}
