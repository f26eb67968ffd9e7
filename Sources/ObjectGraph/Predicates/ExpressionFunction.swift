// Functions of one value in predicates and expressions: the code that runs in memory, and that SQL calls.
internal import CoreDataModel

/// A function of one value.
///
/// Its result for null is null.
///
/// A format writes functions as `lowercase:(place)`, with or without the colon.
///
/// ```swift
/// let loud = try FetchPredicate(format: "abs:(magnitude) > 5 AND uppercase:(code) BEGINSWITH 'US'")
/// let rounded = FetchExpression.function(.floor, .path(FetchPath("magnitude")))
/// ```
public enum ExpressionFunction: String, Sendable, Hashable, CaseIterable {
  /// The text in capitals, by Unicode's full mapping: ß becomes SS.
  case uppercase = "uppercase:"
  /// The text in small letters.
  case lowercase = "lowercase:"
  /// The text without case and without diacritics, as the options `[cd]` compare it.
  case canonical = "canonical:"
  /// The number without its sign; a double for the one integer that has no positive counterpart.
  case absolute = "abs:"
  /// A double; null of a number below 0.
  case squareRoot = "sqrt:"
  /// The nearest whole number that is not below the number.
  case ceiling = "ceiling:"
  /// The nearest whole number that is not above the number.
  case floor = "floor:"
  /// The number without its fraction.
  case truncation = "trunc:"

  /// Whether it takes text and gives text; the others take and give numbers.
  var isAboutText: Bool { self == .uppercase || self == .lowercase || self == .canonical }

  /// The kind of value that it takes and returns.
  var kind: ValueKind { isAboutText ? .text : .number }

  var sqlName: String { "OG_" + rawValue.dropLast().uppercased() }

  /// The function of that name, with or without its colon.
  init?(name: String) { self.init(rawValue: name.hasSuffix(":") ? name : name + ":") }

  func callAsFunction(_ text: String) -> String {
    switch self {
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    default: text.folded([.caseInsensitive, .diacriticInsensitive])
    }
  }

  /// Integers stay integers where they are whole already.
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

  /// Nil for a value of a kind that it does not take.
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
  /// Refuses an argument of a kind that the function does not take; nil is null, which every function takes.
  func check(_ kind: ValueKind?, for function: ExpressionFunction) throws(FetchPredicateError) {
    guard let kind, kind != function.kind else { return }
    throw .typeMismatch(in: "\(self)", found: kind.rawValue, expected: function.kind.rawValue)
  }
}
