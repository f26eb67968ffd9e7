// Splits a format into tokens.

struct PredicateScanner {
  private let format: String
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ format: String) {
    self.format = format
    scalars = Array(format.unicodeScalars)
  }

  /// The next token; after the last one, always the end.
  mutating func next() throws(FetchPredicateError) -> PredicateToken {
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    let start = position
    guard let scalar = peek() else { return PredicateToken(kind: .end, column: start + 1) }
    let kind: PredicateToken.Kind =
      switch scalar {
      case "\"", "'": .string(try string(quote: scalar))
      case "$": .variable(try marked("a variable's name after $"))
      case "@": .aggregate(try marked("an aggregate after @: \(AggregateFunction.words)"))
      case "#": .name(try marked("a key after #"))
      case "%": try placeholder()
      case "0"..."9": .number(number())
      case _ where scalar.isNameStart: word()
      default: try sign()
      }
    return PredicateToken(kind: kind, column: start + 1)
  }

  func error(at column: Int, found: String, expected: String, suggestion: String? = nil) -> FetchPredicateError {
    .syntax(format: format, column: column, found: found, expected: expected, suggestion: suggestion)
  }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = peek(), isPart(scalar) {
      text.append(scalar)
      position += 1
    }
    return String(text)
  }

  private mutating func word() -> PredicateToken.Kind {
    let text = take(while: \.isNamePart)
    // Function names include labels for arguments: modulus:by:.
    if peek() == ":" { return .name(text + take { $0.isNamePart || $0 == ":" }) }
    return if let word = ReservedWord(text) { .word(word, text: text) } else { .name(text) }
  }

  private mutating func marked(_ expected: String) throws(FetchPredicateError) -> String {
    position += 1
    guard let first = peek(), first.isNameStart else {
      throw error(at: position + 1, found: peek().map { "'\($0)'" } ?? "the end", expected: expected)
    }
    return take(while: \.isNamePart)
  }

  private static let radices: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2]

  /// Digits, a decimal point with digits, an exponent; or `0x1F`, `0o17` and `0b101`, which are returned in decimal.
  private mutating func number() -> String {
    var text = take(while: \.isDigit)
    if text == "0", let letter = peek(), let radix = PredicateScanner.radices[letter],
      peek(1)?.properties.isASCIIHexDigit == true
    {
      position += 1
      let digits = take { $0.properties.isASCIIHexDigit }
      return Int64(digits, radix: radix).map { "\($0)" } ?? "0\(letter)\(digits.uppercased())"
    }
    if peek() == ".", peek(1)?.isDigit == true {
      position += 1
      text += "." + take(while: \.isDigit)
    }
    if peek() == "e" || peek() == "E" {
      let signed = peek(1) == "+" || peek(1) == "-"
      if peek(signed ? 2 : 1)?.isDigit == true {
        text += "e" + (peek(1) == "-" ? "-" : "")
        position += signed ? 2 : 1
        text += take(while: \.isDigit)
      }
    }
    return text
  }

  private mutating func string(quote: Unicode.Scalar) throws(FetchPredicateError) -> String {
    let start = position + 1
    var text = String.UnicodeScalarView()
    position += 1
    while let scalar = peek(), scalar != quote {
      position += 1
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    guard peek() == quote else {
      throw error(at: start, found: "text without an end", expected: "a closing \(quote)")
    }
    position += 1
    return String(text)
  }

  /// The character after a backslash: n, r, t, u with four hexadecimal digits, or a literal sign.
  private mutating func escaped() throws(FetchPredicateError) -> Unicode.Scalar {
    guard let scalar = peek() else {
      throw error(at: position + 1, found: "the end", expected: "a character after the backslash")
    }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let column = position - 1
      let digits = scalars[position..<min(position + 4, scalars.count)].prefix { $0.properties.isASCIIHexDigit }
      guard digits.count == 4, let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let scalar = Unicode.Scalar(code)
      else {
        throw error(
          at: column, found: "\\u\(String(String.UnicodeScalarView(digits)))",
          expected: "four hexadecimal digits of a code point")
      }
      position += 4
      return scalar
    default: return scalar
    }
  }

  /// Placeholders as in `printf`, including its length modifiers.
  private static let placeholders: Set<String> = {
    let integers = ["", "h", "hh", "l", "ll", "q", "z", "t", "j"].flatMap { length in
      "dDiuUxXoO".map { "\(length)\($0)" }
    }
    let numbers = ["", "l", "L"].flatMap { length in "fFeEgGaA".map { "\(length)\($0)" } }
    return Set(["@", "K"] + integers + numbers)
  }()

  private mutating func placeholder() throws(FetchPredicateError) -> PredicateToken.Kind {
    let column = position + 1
    position += 1
    let letters: String
    if peek() == "@" {
      position += 1
      letters = "@"
    } else {
      // A dot may follow directly, as in %K.name; only letters belong to the placeholder.
      letters = take { $0.isASCII && $0.properties.isAlphabetic }
    }
    guard PredicateScanner.placeholders.contains(letters) else {
      throw error(
        at: column, found: "'%\(letters)'",
        expected: "%@ for a value, %K for a key path, %d for an integer, %f for a number")
    }
    return .placeholder(letters)
  }

  private static let synonyms: [String: PredicateToken.Sign] = [
    "==": .equal, "<>": .notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual,
  ]

  /// The longest sign at this position.
  private mutating func sign() throws(FetchPredicateError) -> PredicateToken.Kind {
    for count in [2, 1] where position + count <= scalars.count {
      let text = String(String.UnicodeScalarView(scalars[position..<position + count]))
      if let sign = PredicateScanner.synonyms[text] ?? PredicateToken.Sign(rawValue: text) {
        position += count
        return .sign(sign)
      }
    }
    throw error(
      at: position + 1, found: "'\(scalars[position])'", expected: "a key, a value, an operator or a bracket")
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isNameStart: Bool { self == "_" || properties.isAlphabetic }
  fileprivate var isNamePart: Bool { isNameStart || isDigit }
}

extension AggregateFunction {
  /// The words after the sign, for messages.
  static var words: String { allCases.map { "@" + $0.rawValue }.joined(separator: ", ") }
}
