// The words and signs of formats.

/// A reserved word, in uppercase or lowercase; `#word` is a key with that name.
enum ReservedWord: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case isIn = "IN"
  case between = "BETWEEN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case yes = "YES"
  case no = "NO"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case null = "NULL"
  case `nil` = "NIL"
  case myself = "SELF"
  case subquery = "SUBQUERY"

  init?(_ text: String) { self.init(rawValue: text.uppercased()) }

  var comparisonOperator: ComparisonOperator? { ComparisonOperator(rawValue: rawValue) }

  var modifier: ComparisonModifier? { self == .some ? .any : ComparisonModifier(rawValue: rawValue) }
}

/// A token, and where it starts.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    case word(ReservedWord, text: String)
    /// A name that is not a reserved word, or was written with a `#`; with colons, a function's name.
    case name(String)
    /// `$x`, without the sign.
    case variable(String)
    /// `@count`, without the sign.
    case aggregate(String)
    case number(String)
    case string(String)
    /// `%@`, `%K`, `%d`, …: the letters after the sign.
    case placeholder(String)
    case sign(Sign)
    case end
  }

  enum Sign: String {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case power = "**"
    case bitwiseAnd = "&"
    case bitwiseOr = "|"
    case bitwiseXor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftBracket = "["
    case rightBracket = "]"
    case comma = ","
    case point = "."
  }

  var kind: Kind
  /// Counted from 1.
  var column: Int

  /// The token as shown in messages.
  var description: String {
    switch kind {
    case .word(_, let text), .name(let text), .number(let text): "'\(text)'"
    case .variable(let name): "'$\(name)'"
    case .aggregate(let name): "'@\(name)'"
    case .string(let text): "the text \(text.debugDescription)"
    case .placeholder(let letters): "'%\(letters)'"
    case .sign(let sign): "'\(sign.rawValue)'"
    case .end: "the end"
    }
  }
}
