// Parses arithmetic: operators by precedence, signs, powers.
internal import CoreDataModel

extension PredicateParser {
  /// Operands with operators of at least this precedence: equal precedence from left to right, higher precedence first.
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

  mutating func countArithmetic() throws(FetchPredicateError) {
    arithmeticSigns += 1
    guard arithmeticSigns <= PredicateParser.arithmeticLimit else {
      throw failure(expected: "at most \(PredicateParser.arithmeticLimit) arithmetic signs")
    }
  }

  private mutating func signed() throws(FetchPredicateError) -> Phrase {
    guard try accept(.minus) else { return try power() }
    let column = token.column
    if case .number(let text) = token.kind, let number = constant("-" + text) {
      // The sign belongs to the number, so that the lowest integer can be written, unless the number has a power.
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

  /// Powers are right-associative.
  private mutating func power() throws(FetchPredicateError) -> Phrase {
    let column = token.column
    let phrase = try primary()
    guard try accept(.power) else { return phrase }
    let left = try value(phrase, at: column)
    let start = token.column
    let exponent = try nested { (parser) throws(FetchPredicateError) in try parser.signed() }
    return .value(.arithmetic(left, .power, try value(exponent, at: start)))
  }
}

extension PredicateToken.Sign {
  /// The operator for the sign between two operands; powers bind more tightly, and are parsed with their operands.
  fileprivate var arithmetic: ArithmeticOperator? {
    self == .power ? nil : ArithmeticOperator(rawValue: rawValue)
  }
}

extension ArithmeticOperator {
  /// The precedence of the sign, in the order of C.
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
