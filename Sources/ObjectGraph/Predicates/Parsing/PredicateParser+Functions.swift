// Parses functions, with SQL's names and NSExpression's, and subqueries.
internal import CoreDataModel

extension PredicateParser {
  private static let functions: [String: AggregateFunction] = [
    "count": .count, "sum": .sum, "avg": .average, "average": .average, "min": .minimum, "max": .maximum,
  ]

  /// `count(shocks)`, `sum(shocks.magnitude)`, `abs(magnitude)`, `now()`.
  mutating func function(_ name: String, at column: Int) throws(FetchPredicateError) -> FetchExpression {
    let lowercaseName = name.lowercased()
    if lowercaseName == "now" {
      try expect(.leftParenthesis)
      try expect(.rightParenthesis)
      return .now
    }
    if let function = ExpressionFunction(name: lowercaseName) { return try call(function) }
    guard let function = PredicateParser.functions[lowercaseName] else {
      let names =
        PredicateParser.functions.keys + ExpressionFunction.allCases.map { String($0.rawValue.dropLast()) } + ["now"]
      throw failure(
        at: column, found: "the function '\(name)'", expected: names.sorted().joined(separator: ", "),
        suggestion: nearestWord(to: name, among: names.sorted()))
    }
    try expect(.leftParenthesis)
    let start = token.column
    let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.operation() }
    guard case .path(let path) = try value(phrase, at: start) else {
      throw failure(at: start, found: "what is no key path", expected: "a key path through a to-many relationship")
    }
    try expect(.rightParenthesis)
    return .aggregate(function, path)
  }

  private static let arithmeticFunctions: [String: ArithmeticOperator] = [
    "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
    "raise:toPower:": .power, "modulus:by:": .modulus, "bitwiseAnd:with:": .bitwiseAnd,
    "bitwiseOr:with:": .bitwiseOr, "bitwiseXor:with:": .bitwiseXor, "leftshift:by:": .shiftLeft,
    "rightshift:by:": .shiftRight,
  ]

  /// The argument between the parentheses of a function of one value.
  private mutating func call(_ function: ExpressionFunction) throws(FetchPredicateError) -> FetchExpression {
    try expect(.leftParenthesis)
    let argument = try operand()
    try expect(.rightParenthesis)
    return .function(function, argument)
  }

  /// `lowercase:(place)` and `modulus:by:(felt, 2)`, with the names from `NSExpression`.
  mutating func namedFunction(
    _ name: String, at column: Int
  ) throws(FetchPredicateError) -> FetchExpression {
    if let function = ExpressionFunction(rawValue: name) { return try call(function) }
    guard let operation = PredicateParser.arithmeticFunctions[name] else {
      let names = (PredicateParser.arithmeticFunctions.keys + ExpressionFunction.allCases.map(\.rawValue)).sorted()
      throw failure(
        at: column, found: "the function '\(name)'", expected: names.joined(separator: ", "),
        suggestion: nearestWord(to: name, among: names))
    }
    try countArithmetic()
    try expect(.leftParenthesis)
    let left = try operand()
    try expect(.comma)
    let right = try operand()
    try expect(.rightParenthesis)
    return .arithmetic(left, operation, right)
  }

  private mutating func operand() throws(FetchPredicateError) -> FetchExpression {
    let column = token.column
    let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.operation() }
    return try value(phrase, at: column)
  }

  /// `SUBQUERY(collection, $variable, predicate).@count`.
  mutating func subquery() throws(FetchPredicateError) -> FetchExpression {
    try advance()
    try expect(.leftParenthesis)
    let column = token.column
    let source = try nested { (parser) throws(FetchPredicateError) in try parser.operation() }
    guard case .path(let collection) = try value(source, at: column) else {
      throw failure(at: column, found: "what is no key path", expected: "a to-many relationship")
    }
    try expect(.comma)
    guard case .variable(let variable) = token.kind else { throw failure(expected: "a variable such as $x") }
    try advance()
    try expect(.comma)
    let start = token.column
    let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.disjunction() }
    let predicate = try condition(phrase, at: start)
    try expect(.rightParenthesis)
    try expect(.point)
    guard token.kind == .aggregate("count") else { throw failure(expected: "@count after SUBQUERY(…)") }
    try advance()
    return .subqueryCount(collection: collection, variable: variable, predicate: predicate)
  }
}
