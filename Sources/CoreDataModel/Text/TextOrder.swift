// Sorts text as people expect: by letters first, then by marks, then by case. The order is the same on every machine.
internal import Foundation

/// An order of text, as keys that compare by their bytes.
///
/// A key has three levels, and the first difference decides: the characters and their kinds; marks above, below or
/// through the letters; and case. White space comes first, then punctuation, other signs, digits and letters, each by
/// code point. Composed and decomposed letters are equal.
package enum TextOrder: UInt8, Sendable {
  /// All three levels.
  case full = 1
  /// Without case.
  case caseInsensitive
  /// All three levels; a number sorts by its value.
  case natural

  package func key(_ text: String) -> [UInt8] {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    return SortKey(isASCII ? text : text.decomposedStringWithCanonicalMapping, self).bytes
  }
}

/// The levels of a key that is being built.
private struct SortKey {
  /// The kinds of characters in their order; 0 ends a level.
  private enum Rank: UInt8 {
    case space = 1
    case punctuation, symbol, digit, letter
  }

  private var characters: [UInt8] = []
  private var marks: [UInt8] = []
  private var cases: [UInt8] = []
  private var hasMarks = false
  private var hasCapitals = false
  private let order: TextOrder

  /// Computes the levels of a text after decomposing it.
  init(_ text: String, _ order: TextOrder) {
    self.order = order
    characters.reserveCapacity(text.utf8.count * 2 + 2)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if order == .natural, scalar.decimalDigit != nil {
        appendNumber(&rest)
      } else {
        append(scalar)
        rest.removeFirst()
      }
    }
  }

  /// A level without marks or capitals sorts before all others, so it is left empty.
  var bytes: [UInt8] {
    characters + [0] + (hasMarks ? marks : []) + [0] + (hasCapitals && order != .caseInsensitive ? cases : [])
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isDiacritic {
      hasMarks = true
      if let bytes = UTF8.encode(scalar) { marks += bytes }
      return
    }
    let isCapital = scalar.properties.isUppercase
    if isCapital { hasCapitals = true }
    cases.append(isCapital ? 2 : 1)
    if scalar.isASCII {
      appendLetter(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
    } else {
      var folded = String.UnicodeScalarView()
      scalar.appendCaseFolded(to: &folded)
      for letter in folded where !letter.isDiacritic { appendLetter(letter) }
    }
  }

  private mutating func appendLetter(_ scalar: Unicode.Scalar) {
    characters.append(rank(of: scalar).rawValue)
    if let bytes = UTF8.encode(scalar) { characters += bytes }
    marks.append(1)
  }

  /// Digits as a number: their count without leading zeros, followed by the digits.
  private mutating func appendNumber(_ rest: inout String.UnicodeScalarView.SubSequence) {
    var digits: [UInt8] = []
    while let digit = rest.first?.decimalDigit {
      if digit > 0 || !digits.isEmpty { digits.append(digit + 1) }
      rest.removeFirst()
    }
    characters.append(Rank.digit.rawValue)
    let count = UInt32(clamping: digits.count)
    withUnsafeBytes(of: count.bigEndian) { characters += $0 }
    characters += digits
    marks.append(1)
    cases.append(1)
  }

  private func rank(of scalar: Unicode.Scalar) -> Rank {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control: .space
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      .punctuation
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: .symbol
    case .decimalNumber, .letterNumber, .otherNumber: .digit
    default: .letter
    }
  }
}

extension Unicode.Scalar {
  /// The value of a decimal digit in any script.
  fileprivate var decimalDigit: UInt8? {
    if isASCII { return ("0"..."9").contains(self) ? UInt8(value - 0x30) : nil }
    guard properties.numericType == .decimal, let number = properties.numericValue else { return nil }
    return UInt8(exactly: number)
  }
}
