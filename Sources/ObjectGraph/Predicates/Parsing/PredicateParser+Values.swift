// Reading values: arithmetic, constants, key paths, aggregates, subqueries.
internal import CoreDataModel

extension PredicateParser {
  /// Operands with arithmetic signs of at least a rank between them: those of one rank from the left, those of a higher
  /// one first.
  mutating func operation(rank: Int = 0) throws(FetchPredicateError) -> Phrase {
    let column = token.column
    var phrase = try signed()
    while case .sign(let sign) = token.kind, let operation = sign.arithmetic, operation.rank >= rank {
      try countArithmetic()
      try advance()
      let left = try value(phrase, at: column)
      let start = token.column
      let right = try self.operation(rank: operation.rank + 1)
      phrase = .value(.arithmetic(left, operation, try value(right, at: start)))
    }
    return phrase
  }

  private mutating func countArithmetic() throws(FetchPredicateError) {
    arithmeticSigns += 1
    guard arithmeticSigns <= PredicateParser.arithmeticLimit else {
      throw failure(expected: "at most \(PredicateParser.arithmeticLimit) arithmetic signs")
    }
  }

  private mutating func signed() throws(FetchPredicateError) -> Phrase {
    guard try accept(.minus) else { return try power() }
    let column = token.column
    if case .number(let text) = token.kind, let number = constant("-" + text) {
      // A sign belongs to the number, so that the least integer can be written, unless the number has a power.
      var ahead = self
      try ahead.advance()
      if ahead.token.kind != .sign(.power) {
        self = ahead
        return .value(number)
      }
    }
    let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.signed() }
    return .value(.negation(try value(phrase, at: column)))
  }

  /// Powers bind to the right.
  private mutating func power() throws(FetchPredicateError) -> Phrase {
    let column = token.column
    let phrase = try primary()
    guard try accept(.power) else { return phrase }
    let left = try value(phrase, at: column)
    let start = token.column
    let exponent = try nested { (parser) throws(FetchPredicateError) in try parser.signed() }
    return .value(.arithmetic(left, .power, try value(exponent, at: start)))
  }

  private static let expectation = "a key, a value or a condition"

  private mutating func primary() throws(FetchPredicateError) -> Phrase {
    let start = token
    switch start.kind {
    case .number(let text):
      guard let number = constant(text) else {
        throw failure(expected: "an integer of 64 bits or a floating-point number")
      }
      try advance()
      return .value(number)
    case .string(let text):
      try advance()
      return .value(.constant(.string(text)))
    case .placeholder(let letters): return .value(try placeholder(letters))
    case .variable(let name):
      try advance()
      return .value(try path(variable: name, keys: []))
    case .name(let name):
      try advance()
      if name.contains(":") { return .value(try namedFunction(name, at: start.column)) }
      if token.kind == .sign(.leftParenthesis) { return .value(try function(name, at: start.column)) }
      return .value(try path(keys: [name]))
    case .word(let word, _): return try reserved(word)
    case .sign(.leftBrace): return .value(try list())
    case .sign(.leftParenthesis):
      try advance()
      let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.disjunction() }
      try expect(.rightParenthesis)
      return phrase
    default: throw failure(expected: PredicateParser.expectation)
    }
  }

  private mutating func reserved(_ word: ReservedWord) throws(FetchPredicateError) -> Phrase {
    switch word {
    case .truePredicate, .falsePredicate:
      try advance()
      return .condition(.constant(word == .truePredicate))
    case .yes, .true, .no, .false:
      try advance()
      return .value(.constant(.boolean(word == .yes || word == .true)))
    case .null, .nil:
      try advance()
      return .value(.constant(.null))
    case .myself:
      try advance()
      return .value(try path(keys: []))
    case .subquery: return .value(try subquery())
    default: throw failure(expected: "\(PredicateParser.expectation); write #\(word.rawValue) for a key of that name")
    }
  }

  private func constant(_ number: String) -> FetchExpression? {
    if let integer = Int64(number) { return .constant(.integer(integer)) }
    guard number.contains(where: { $0 == "." || $0 == "e" }), let real = Double(number), real.isFinite else {
      return nil
    }
    return .constant(.real(real))
  }

  private mutating func placeholder(_ letters: String) throws(FetchPredicateError) -> FetchExpression {
    let column = token.column
    let argument = try argument(letters)
    try advance()
    switch (letters, argument) {
    case ("@", _): return argument
    case ("K", .constant(.string(let dotted))):
      // The empty parts of a..b are no keys.
      let keys = dotted.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard !keys.contains("") else {
        throw failure(at: column, found: dotted.debugDescription, expected: "a key path such as network.name")
      }
      if let place = keys.firstIndex(where: { $0.hasPrefix("@") }) {
        return try aggregate(keys, place, at: column)
      }
      return try path(keys: keys)
    case ("K", _): throw failure(at: column, found: "\(argument)", expected: "a key path as text for %K")
    case (_, .constant(.integer)): return argument
    case (_, .constant(.real)) where letters.contains(where: "fFeEgGaA".contains): return argument
    case ("d", .constant(.boolean(let flag))), ("i", .constant(.boolean(let flag))):
      return .constant(.integer(flag ? 1 : 0))
    default: throw failure(at: column, found: "\(argument)", expected: "a number for %\(letters)")
    }
  }

  private mutating func list() throws(FetchPredicateError) -> FetchExpression {
    try expect(.leftBrace)
    var elements: [FetchExpression] = []
    while token.kind != .sign(.rightBrace) {
      if !elements.isEmpty { try expect(.comma) }
      let column = token.column
      let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.operation() }
      let element = try value(phrase, at: column)
      if case .list = element { throw failure(at: column, found: "a list", expected: "one value") }
      elements.append(element)
    }
    try advance()
    return .list(elements)
  }

  /// The rest of a path: `.name.@sum.other`.
  private mutating func path(variable: String? = nil, keys: [String]) throws(FetchPredicateError) -> FetchExpression {
    var path = FetchPath(variable: variable, keys: keys)
    while try accept(.point) {
      switch token.kind {
      case .name(let name), .word(_, text: let name):
        path.keys.append(name)
        try advance()
      case .aggregate(let name):
        return try aggregate(name, of: path)
      case .placeholder("K"):
        switch try placeholder("K") {
        case .path(let rest): path.keys += rest.keys
        case .aggregate(let function, let rest):
          return .aggregate(function, FetchPath(variable: variable, keys: path.keys + rest.keys))
        default: return .path(path)
        }
      default: throw failure(expected: "a key or \(AggregateFunction.words)")
      }
      guard path.keys.count <= PredicateParser.depthLimit else { throw failure(expected: "a shorter key path") }
    }
    return .path(path)
  }

  /// `@count`, or `@sum.magnitude`, or a path that ends in `@sum`.
  private mutating func aggregate(_ name: String, of path: FetchPath) throws(FetchPredicateError) -> FetchExpression {
    guard let function = AggregateFunction(rawValue: name) else {
      throw failure(
        at: token.column, found: "'@\(name)'", expected: AggregateFunction.words,
        suggestion: nearestWord(to: name, among: AggregateFunction.allCases.map(\.rawValue)).map { "@" + $0 })
    }
    try advance()
    guard function != .count, token.kind == .sign(.point) else { return .aggregate(function, path) }
    let column = token.column
    guard case .path(let whole) = try self.path(variable: path.variable, keys: path.keys) else {
      throw failure(at: column, found: "an aggregate of an aggregate", expected: "a key")
    }
    return .aggregate(function, whole)
  }

  /// An aggregate in the key path of a `%K`, as in `shocks.@count` and `shocks.@max.magnitude`.
  private func aggregate(
    _ keys: [String], _ place: Int, at column: Int
  ) throws(FetchPredicateError) -> FetchExpression {
    let rest = keys[(place + 1)...]
    guard let function = AggregateFunction(rawValue: String(keys[place].dropFirst())),
      !rest.contains(where: { $0.hasPrefix("@") }), function != .count || rest.isEmpty
    else {
      throw failure(
        at: column, found: keys.joined(separator: ".").debugDescription,
        expected: "a key path with at most one aggregate: \(AggregateFunction.words)")
    }
    return .aggregate(function, FetchPath(keys: Array(keys[..<place] + rest)))
  }

  private static let functions: [String: AggregateFunction] = [
    "count": .count, "sum": .sum, "avg": .average, "average": .average, "min": .minimum, "max": .maximum,
  ]

  /// `count(shocks)`, `sum(shocks.magnitude)`, `abs(magnitude)`, `now()`.
  private mutating func function(_ name: String, at column: Int) throws(FetchPredicateError) -> FetchExpression {
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

  /// What is between the parentheses of a function of one value.
  private mutating func call(_ function: ExpressionFunction) throws(FetchPredicateError) -> FetchExpression {
    try expect(.leftParenthesis)
    let argument = try operand()
    try expect(.rightParenthesis)
    return .function(function, argument)
  }

  /// `lowercase:(place)` and `modulus:by:(felt, 2)`, by the names that `NSExpression` has.
  private mutating func namedFunction(
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
  private mutating func subquery() throws(FetchPredicateError) -> FetchExpression {
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

extension PredicateToken.Sign {
  /// The operator that the sign is between two operands; powers bind more tightly, and are read with their operands.
  fileprivate var arithmetic: ArithmeticOperator? {
    self == .power ? nil : ArithmeticOperator(rawValue: rawValue)
  }
}

extension ArithmeticOperator {
  /// How tightly the sign binds, in the order of C.
  fileprivate var rank: Int {
    switch self {
    case .bitwiseOr: 0
    case .bitwiseXor: 1
    case .bitwiseAnd: 2
    case .shiftLeft, .shiftRight: 3
    case .add, .subtract: 4
    case .multiply, .divide, .modulus: 5
    case .power: 6
    }
  }
}
