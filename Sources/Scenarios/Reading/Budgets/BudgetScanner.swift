// The words of a budget, each with its position.

/// A piece of a budget's text.
struct BudgetToken {
  let text: String
  /// The offset in Unicode scalars from the budget's beginning.
  let offset: Int

  /// A description for messages.
  var phrase: String { text.isEmpty ? "the end of the budget" : shown(text) }

  /// The parts between dots; dots in brackets do not separate parts.
  var parts: [BudgetToken] {
    var parts: [BudgetToken] = []
    var (part, begin, depth) = ("", offset, 0)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if scalar == "[" { depth += 1 }
      if scalar == "]" { depth -= 1 }
      if scalar == "." && depth == 0 {
        parts.append(BudgetToken(text: part, offset: begin))
        (part, begin) = ("", offset + index + 1)
      } else {
        part.unicodeScalars.append(scalar)
      }
    }
    return parts + [BudgetToken(text: part, offset: begin)]
  }

  /// The text from a part to the end.
  func suffix(from part: BudgetToken) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(max(part.offset - offset, 0))))
  }

  /// The text before a part and its dot.
  func prefix(before part: BudgetToken) -> BudgetToken {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: self.text.unicodeScalars.prefix(max(part.offset - offset - 1, 0)))
    return BudgetToken(text: String(text), offset: offset)
  }
}

/// Splits a budget's text into words.
struct BudgetScanner {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The words of a metric, up to a space, a comparison or an asterisk; a single `=` belongs to them, as in
  /// `merge=changes`.
  mutating func operand() -> BudgetToken {
    var depth = 0
    return token { scalar, next in
      if scalar == "[" { depth += 1 }
      if scalar == "]" { depth -= 1 }
      if depth > 0 { return scalar != " " }
      return !" \t<>*≤≥".unicodeScalars.contains(scalar) && !(scalar == "=" && (next == "=" || next == " "))
    }
  }

  /// A run of comparison signs, or whatever else comes next.
  mutating func comparison() -> BudgetToken {
    let signs = token { scalar, _ in "<>=!≤≥".unicodeScalars.contains(scalar) }
    return signs.text.isEmpty ? token { scalar, _ in scalar != " " } : signs
  }

  /// A number; `nil` if there is none.
  ///
  /// The value is `nil` if the number is malformed.
  mutating func number() -> (token: BudgetToken, value: Double?)? {
    skipSpace()
    guard position < scalars.count, "+-.0123456789".unicodeScalars.contains(scalars[position]) else { return nil }
    let digits = token { scalar, _ in "+-._0123456789".unicodeScalars.contains(scalar) }
    let value = decimalNumber(digits.text)
    return (digits, value.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil })
  }

  /// The text after a number, up to a space.
  mutating func unit() -> BudgetToken { token { scalar, _ in scalar != " " } }

  /// Skips the sign if it comes next, and returns whether it did.
  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < scalars.count, scalars[position] == sign else { return false }
    position += 1
    return true
  }

  /// The rest of the text.
  mutating func rest() -> BudgetToken { token { _, _ in true } }

  private mutating func skipSpace() {
    while position < scalars.count, " \t\n".unicodeScalars.contains(scalars[position]) { position += 1 }
  }

  /// The longest run of matching scalars, after any spaces.
  ///
  /// `belongs` also gets the following scalar.
  private mutating func token(_ belongs: (Unicode.Scalar, Unicode.Scalar?) -> Bool) -> BudgetToken {
    skipSpace()
    let begin = position
    while position < scalars.count,
      belongs(scalars[position], position + 1 < scalars.count ? scalars[position + 1] : nil)
    {
      position += 1
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[begin..<position])
    return BudgetToken(text: String(text), offset: begin)
  }
}
