// Functions of one value in predicates and expressions; memory and SQL use the same code.
internal import CoreDataModel

/// A function of one value.
///
/// Its result for null is null.
///
/// In a format, write functions as `lowercase:(place)`, with or without the colon.
///
/// ```swift
/// let loud = try FetchPredicate(format: "abs:(magnitude) > 5 AND uppercase:(code) BEGINSWITH 'US'")
/// let rounded = FetchExpression.function(.floor, .path(FetchPath("magnitude")))
/// ```
public enum ExpressionFunction: String, Sendable, Hashable, CaseIterable {
  /// The text in uppercase, by Unicode's full mapping: ß becomes SS.
  case uppercase = "uppercase:"
  /// The text in lowercase.
  case lowercase = "lowercase:"
  /// The text without case and diacritics, as the options `[cd]` compare it.
  case canonical = "canonical:"
  /// The number without its sign; a double for the one integer without a positive counterpart.
  case absolute = "abs:"
  /// A double; null for a negative number.
  case squareRoot = "sqrt:"
  /// The nearest whole number that is not below the number.
  case ceiling = "ceiling:"
  /// The nearest whole number that is not above the number.
  case floor = "floor:"
  /// The number without its fraction.
  case truncation = "trunc:"

  /// Whether it takes and returns text; the others take and return numbers.
  var isAboutText: Bool { self == .uppercase || self == .lowercase || self == .canonical }

  /// The kind of value that it takes and returns.
  var kind: ValueKind { isAboutText ? .text : .number }

  var sqlName: String { "OG_" + rawValue.dropLast().uppercased() }

  /// The function with this name, with or without its colon.
  init?(name: String) { self.init(rawValue: name.hasSuffix(":") ? name : name + ":") }

  func callAsFunction(_ text: String) -> String {
    switch self {
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    default: text.folded([.caseInsensitive, .diacriticInsensitive])
    }
  }

  /// Rounding functions return integers unchanged.
  func callAsFunction(_ integer: Int64) -> ComparableValue {
    switch self {
    case .squareRoot: callAsFunction(Double(integer))
    case .absolute: integer == .min ? .real(0x1p63) : .integer(abs(integer))
    default: .integer(integer)
    }
  }

  func callAsFunction(_ number: Double) -> ComparableValue {
    switch self {
    case .absolute: .number(abs(number))
    case .squareRoot: .number(number.squareRoot())
    case .ceiling: .number(number.rounded(.up))
    case .floor: .number(number.rounded(.down))
    default: .number(number.rounded(.towardZero))
    }
  }

  /// `nil` for a value of a kind that it does not accept.
  func callAsFunction(_ value: ComparableValue) -> ComparableValue? {
    switch value {
    case .null: .null
    case .text(let text) where isAboutText: .text(self(text))
    case .integer(let integer) where !isAboutText: self(integer)
    case .real(let number) where !isAboutText: self(number)
    default: nil
    }
  }
}

extension FetchExpression {
  /// Refuses an argument of a kind that the function does not accept; `nil` is null, which every function accepts.
  func check(_ kind: ValueKind?, for function: ExpressionFunction) throws(FetchPredicateError) {
    guard let kind, kind != function.kind else { return }
    throw .typeMismatch(in: "\(self)", found: kind.rawValue, expected: function.kind.rawValue)
  }
}
