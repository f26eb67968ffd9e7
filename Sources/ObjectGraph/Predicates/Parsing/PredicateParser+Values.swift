// Parses values: constants, key paths, placeholders, lists, aggregates at the end of a key path.
internal import CoreDataModel

extension PredicateParser {
  private static let expectation = "a key, a value or a condition"

  mutating func primary() throws(FetchPredicateError) -> Phrase {
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

  func constant(_ number: String) -> FetchExpression? {
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
      // Empty parts, as in a..b, are not keys.
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
  mutating func path(variable: String? = nil, keys: [String]) throws(FetchPredicateError) -> FetchExpression {
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

  /// An aggregate in the key path for a `%K`, as in `shocks.@count` and `shocks.@max.magnitude`.
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
}
