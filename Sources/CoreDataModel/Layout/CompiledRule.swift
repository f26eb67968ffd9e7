// Validation rules compiled for checking many values.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A rule compiled for checking many values.
package enum CompiledRule: Sendable {
  case range(minimum: AttributeValue?, maximum: AttributeValue?)
  case length(minimum: Int, maximum: Int)
  case pattern(TextPattern)

  /// Compiles a rule of an attribute.
  ///
  /// - Throws: ``InvalidDefinition`` if the type cannot have this rule, or the rule is invalid.
  package init(_ rule: ValidationRule, for type: AttributeType) throws(InvalidDefinition) {
    switch rule {
    case .range(let minimum, let maximum):
      guard type.hasRange else {
        throw InvalidDefinition("a range for \(type.expectation)", "a range for numbers, decimals or dates")
      }
      self = .range(
        minimum: try CompiledRule.bound(minimum, "minimum", type),
        maximum: try CompiledRule.bound(maximum, "maximum", type))
      if minimum == nil, maximum == nil { throw InvalidDefinition("a range without bounds", "a minimum or a maximum") }
      if case .range(let low?, let high?) = self, low.isAbove(high) {
        throw InvalidDefinition("a range from \(low.shown) to \(high.shown)", "a minimum that is not above the maximum")
      }
    case .length(let minimum, let maximum):
      guard type == .string || type == .binary else {
        throw InvalidDefinition("a length for \(type.expectation)", "a length for strings or binary data")
      }
      if minimum == nil, maximum == nil { throw InvalidDefinition("a length without bounds", "a minimum or a maximum") }
      self = .length(minimum: minimum ?? 0, maximum: maximum ?? .max)
      if minimum ?? 0 < 0 || maximum ?? 0 < 0 { throw InvalidDefinition("a length below 0", "at least 0") }
      if let minimum, let maximum, minimum > maximum {
        throw InvalidDefinition("a length from \(minimum) to \(maximum)", "a minimum that is not above the maximum")
      }
    case .pattern(let text):
      guard type == .string else {
        throw InvalidDefinition("a pattern for \(type.expectation)", "a pattern for strings")
      }
      do throws(InvalidTextPattern) {
        self = .pattern(try TextPattern(text))
      } catch {
        throw InvalidDefinition(
          "the pattern \(CompiledRule.shown(text))", "a regular expression: \(error.reason.prefix(200))")
      }
    }
  }

  /// How the value breaks the rule; `nil` if it is valid, as null always is.
  package func breach(by value: AttributeValue) -> ValidationRule.Breach? {
    if value.isNull { return nil }
    switch self {
    case .range(let minimum, let maximum):
      if let minimum, !value.isAtLeast(minimum) {
        return value.breach(value.isDate ? .dateTooSoon : .numberTooSmall, "at least \(minimum.shown)")
      }
      if let maximum, !maximum.isAtLeast(value) {
        return value.breach(value.isDate ? .dateTooLate : .numberTooLarge, "at most \(maximum.shown)")
      }
    case .length(let minimum, let maximum):
      guard let length = value.length else { return nil }
      if length < minimum { return value.breach(.stringTooShort, "a length of at least \(minimum)") }
      if length > maximum { return value.breach(.stringTooLong, "a length of at most \(maximum)") }
    case .pattern(let pattern):
      guard case .string(let text) = value else { return nil }
      do throws(CostlyMatch) {
        if try pattern.matches(text) { return nil }
        return value.breach(.stringPatternMatching, "text that matches \(pattern.source)")
      } catch {
        return ValidationRule.Breach(
          code: .stringPatternMatching, found: error.found,
          expected: "text that matches \(pattern.source); \(error.reason), so use \(error.advice)", isGivenUp: true)
      }
    }
    return nil
  }

  /// Shortens very long patterns.
  private static func shown(_ pattern: String) -> String {
    pattern.unicodeScalars.count <= 200
      ? pattern.debugDescription
      : String(String.UnicodeScalarView(pattern.unicodeScalars.prefix(200))).debugDescription + "…"
  }

  private static func bound(
    _ value: AttributeValue?, _ name: String, _ type: AttributeType
  ) throws(InvalidDefinition) -> AttributeValue? {
    guard let value else { return nil }
    guard let bound = value.conformed(to: type), bound.isAtLeast(bound) else {
      throw InvalidDefinition("the \(name) \(value.shown)", type.expectation)
    }
    return bound
  }
}

extension Date {
  /// The time in UTC; a plain number for dates so distant that a calendar makes no sense and Foundation's description
  /// traps.
  package var shown: String {
    abs(timeIntervalSinceReferenceDate) < 1e11
      ? formatted(.iso8601) : "\(timeIntervalSinceReferenceDate) seconds after 2001-01-01"
  }
}

extension AttributeValue {
  fileprivate var isDate: Bool { if case .date = self { true } else { false } }

  /// The value itself, for messages about bounds.
  fileprivate var shown: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .date(let value): value.shown
    default: typeName
    }
  }

  fileprivate var length: Int? {
    switch self {
    case .string(let text): text.utf16.count
    case .binary(let data): data.count
    default: nil
    }
  }

  /// Whether both have the same ordered type and this value is equal or greater; NaN never is.
  fileprivate func isAtLeast(_ other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one >= two
    case (.real(let one), .real(let two)): one >= two
    case (.decimal(let one), .decimal(let two)): !one.isNaN && !two.isNaN && one >= two
    case (.date(let one), .date(let two)): one >= two
    default: false
    }
  }

  fileprivate func isAbove(_ other: AttributeValue) -> Bool { !other.isAtLeast(self) }

  fileprivate func breach(_ code: ValidationCode, _ expected: String) -> ValidationRule.Breach {
    let found =
      switch self {
      case .string(let text): "the text \(String(text.prefix(60)).debugDescription)"
      case .binary(let data): "\(data.count) bytes"
      default: shown
      }
    return ValidationRule.Breach(code: code, found: found, expected: expected)
  }
}
