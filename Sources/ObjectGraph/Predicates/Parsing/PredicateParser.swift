// Parses a format, from the loosest binding, OR, to the tightest.
//
// A parenthesis may open a condition or a value, and only its end shows which. So everything is parsed as a phrase that
// is one or the other, and no part of the format is parsed twice.
internal import CoreDataModel

struct PredicateParser {
  /// A part of a format.
  enum Phrase {
    case condition(FetchPredicate)
    case value(FetchExpression)
  }

  /// How deep parentheses, NOT and signs may be nested.
  static let depthLimit = 100

  /// How many arithmetic operators a format may have: each may make a tree one level deeper.
  static let arithmeticLimit = 500

  private var scanner: PredicateScanner
  private let arguments: [any PredicateArgument]
  private var usedArguments = 0
  private var depth = 0
  var arithmeticSigns = 0
  private(set) var token: PredicateToken

  /// The whole format as a predicate.
  static func predicate(
    _ format: String, _ arguments: [any PredicateArgument]
  ) throws(FetchPredicateError) -> FetchPredicate {
    var parser = try PredicateParser(format, arguments)
    let column = parser.token.column
    let phrase = try parser.disjunction()
    let predicate = try parser.condition(phrase, at: column)
    guard parser.token.kind == .end else { throw parser.failure(expected: "AND, OR or the end") }
    let unused = arguments.count - parser.usedArguments
    guard unused == 0 else { throw .unusedArguments(format: format, count: unused) }
    return predicate
  }

  private init(_ format: String, _ arguments: [any PredicateArgument]) throws(FetchPredicateError) {
    self.arguments = arguments
    scanner = PredicateScanner(format)
    token = try scanner.next()
  }

  mutating func advance() throws(FetchPredicateError) { token = try scanner.next() }

  /// Skips the sign if it is the next token.
  mutating func accept(_ sign: PredicateToken.Sign) throws(FetchPredicateError) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    try advance()
    return true
  }

  /// Skips a connective, which is a sign or a word.
  mutating func accept(_ sign: PredicateToken.Sign, _ word: ReservedWord) throws(FetchPredicateError) -> Bool {
    guard case .word(word, _) = token.kind else { return try accept(sign) }
    try advance()
    return true
  }

  mutating func expect(_ sign: PredicateToken.Sign) throws(FetchPredicateError) {
    guard try accept(sign) else { throw failure(expected: "'\(sign.rawValue)'") }
  }

  func failure(expected: String) -> FetchPredicateError {
    var suggestion: String?
    if case .name(let name) = token.kind {
      suggestion = nearestWord(to: name, among: ReservedWord.allCases.map(\.rawValue))
    }
    return scanner.error(at: token.column, found: token.description, expected: expected, suggestion: suggestion)
  }

  func failure(at column: Int, found: String, expected: String, suggestion: String? = nil) -> FetchPredicateError {
    scanner.error(at: column, found: found, expected: expected, suggestion: suggestion)
  }

  /// Returns the argument for a placeholder.
  mutating func argument(_ letters: String) throws(FetchPredicateError) -> FetchExpression {
    guard usedArguments < arguments.count else {
      throw failure(
        at: token.column, found: "'%\(letters)'", expected: "an argument for it: there are \(arguments.count)")
    }
    let value = arguments[usedArguments].predicateExpression
    usedArguments += 1
    return value
  }

  /// Parses something that may contain itself.
  mutating func nested<T>(
    _ body: (inout PredicateParser) throws(FetchPredicateError) -> T
  ) throws(FetchPredicateError) -> T {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PredicateParser.depthLimit else {
      throw failure(
        at: token.column, found: "more than \(PredicateParser.depthLimit) levels of nesting", expected: "fewer")
    }
    return try body(&self)
  }

  mutating func disjunction() throws(FetchPredicateError) -> Phrase {
    let column = token.column
    let phrase = try conjunction()
    guard try accept(.or, .or) else { return phrase }
    var terms = [try condition(phrase, at: column)]
    repeat {
      let start = token.column
      let term = try conjunction()
      terms.append(try condition(term, at: start))
    } while try accept(.or, .or)
    return .condition(.or(terms))
  }

  private mutating func conjunction() throws(FetchPredicateError) -> Phrase {
    let column = token.column
    let phrase = try negation()
    guard try accept(.and, .and) else { return phrase }
    var terms = [try condition(phrase, at: column)]
    repeat {
      let start = token.column
      let term = try negation()
      terms.append(try condition(term, at: start))
    } while try accept(.and, .and)
    return .condition(.and(terms))
  }

  private mutating func negation() throws(FetchPredicateError) -> Phrase {
    guard try accept(.not, .not) else { return try comparison() }
    let column = token.column
    let phrase = try nested { (parser) throws(FetchPredicateError) in try parser.negation() }
    return .condition(.not(try condition(phrase, at: column)))
  }

  func condition(_ phrase: Phrase, at column: Int) throws(FetchPredicateError) -> FetchPredicate {
    switch phrase {
    case .condition(let predicate): return predicate
    case .value(let value):
      var suggestion: String?
      if case .name(let name) = token.kind {
        suggestion = nearestWord(to: name, among: ComparisonOperator.allCases.map(\.rawValue))
      }
      let next = token.kind == .end ? "" : " and then \(token.description)"
      throw failure(
        at: token.kind == .end ? column : token.column, found: "the value \(value)\(next)",
        expected: "a comparison, such as =, <, IN or CONTAINS", suggestion: suggestion)
    }
  }

  /// The phrase as a value.
  func value(_ phrase: Phrase, at column: Int) throws(FetchPredicateError) -> FetchExpression {
    switch phrase {
    case .value(let value): return value
    case .condition(let predicate):
      throw failure(at: column, found: "the condition \(predicate)", expected: "a value")
    }
  }

  private mutating func comparison() throws(FetchPredicateError) -> Phrase {
    var modifier = ComparisonModifier.direct
    if case .word(let word, _) = token.kind, let found = word.modifier {
      modifier = found
      try advance()
    }
    let column = token.column
    let phrase = try operation()
    guard let comparisonOperator = try comparisonOperator() else {
      guard modifier == .direct else { throw failure(expected: "a comparison after \(modifier.rawValue)") }
      return phrase
    }
    let left = try value(phrase, at: column)
    let options = try options()
    let rightColumn = token.column
    let rightPhrase = try operation()
    let right = try value(rightPhrase, at: rightColumn)
    try check(right, of: comparisonOperator, at: rightColumn)
    return .condition(
      .comparison(.init(left, comparisonOperator, right, options: options, modifier: modifier)))
  }

  private mutating func comparisonOperator() throws(FetchPredicateError) -> ComparisonOperator? {
    let found: ComparisonOperator? =
      switch token.kind {
      case .sign(let sign): ComparisonOperator(rawValue: sign.rawValue)
      case .word(let word, _): word.comparisonOperator
      default: nil
      }
    if found != nil { try advance() }
    return found
  }

  private func check(
    _ right: FetchExpression, of comparisonOperator: ComparisonOperator, at column: Int
  ) throws(FetchPredicateError) {
    if comparisonOperator == .between, case .path(let path) = right, path.isVariable { return }
    if let expected = comparisonOperator.misfit(right) {
      throw failure(at: column, found: "\(right)", expected: expected)
    }
  }

  /// `[c]`, `[d]`, `[cd]`, or `[n]` for texts that are already folded, which replaces the others; or nothing.
  private mutating func options() throws(FetchPredicateError) -> ComparisonOptions {
    guard try accept(.leftBracket) else { return [] }
    guard case .name(let letters) = token.kind else { throw failure(expected: "c, d, cd or n") }
    var options = ComparisonOptions()
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": continue
      default: throw failure(expected: "c, d, cd or n")
      }
    }
    try advance()
    try expect(.rightBracket)
    return letters.lowercased().contains("n") ? [] : options
  }
}

extension ComparisonOperator {
  /// What the right side must be instead; `nil` if the expression is allowed there.
  func misfit(_ right: FetchExpression) -> String? {
    switch (self, right) {
    case (.isIn, .list), (.isIn, .path): nil
    case (.isIn, _): "a list such as {1, 2}, or a path through a to-many relationship"
    case (.between, .list(let bounds)) where bounds.count == 2: nil
    case (.between, _): "a list of two values, such as {1, 2}"
    case (_, .list): "one value and not a list"
    default: nil
    }
  }
}

extension FetchPredicate {
  /// Parses a predicate in the syntax of `NSPredicate` formats.
  ///
  /// ```swift
  /// let alaska = try FetchPredicate(format: "magnitude >= %@ AND place CONTAINS[cd] %@", 2.5, "alaska")
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: alaska))
  /// ```
  ///
  /// `%@` accepts a value, a list, an object or an object's ID; `%K` a key path; `%d`, `%ld`, `%x` and similar ones an
  /// integer; `%f`, `%e`, `%g` and similar ones a number.
  /// - Throws: ``FetchPredicateError/syntax(format:column:found:expected:suggestion:)`` or
  ///   ``FetchPredicateError/unusedArguments(format:count:)``.
  public init(format: String, _ arguments: any PredicateArgument...) throws(FetchPredicateError) {
    try self.init(format: format, arguments: arguments)
  }

  /// Parses a predicate with its arguments in an array.
  ///
  /// ```swift
  /// let bounds: [any PredicateArgument] = [4, 5]
  /// let moderate = try FetchPredicate(format: "magnitude BETWEEN {%@, %@}", arguments: bounds)
  /// ```
  ///
  /// - Throws: The same errors as ``init(format:_:)``.
  public init(format: String, arguments: [any PredicateArgument]) throws(FetchPredicateError) {
    self = try PredicateParser.predicate(format, arguments)
  }
}
