// Validation rules for attributes: ranges, lengths and patterns, and how a value can break them.

/// A condition that a value must meet to be saved.
///
/// ```swift
/// let magnitude = AttributeDescription("magnitude", .double, validationRules: [.range(minimum: -2, maximum: 10)])
/// let code = AttributeDescription("code", .string, validationRules: [.pattern("[a-z]{2}[0-9a-z]+")])
/// ```
public enum ValidationRule: Sendable, Hashable {
  /// Numbers, decimals and dates between two inclusive bounds; `nil` for no bound.
  case range(minimum: AttributeValue?, maximum: AttributeValue?)
  /// The length of text in UTF-16 code units, as `NSString` counts, or of binary data in bytes.
  case length(minimum: Int?, maximum: Int?)
  /// A regular expression in ICU's syntax that must match the whole text.
  ///
  /// Text that takes more than ten million steps to match breaks the rule.
  case pattern(String)

  /// How a value breaks a rule.
  ///
  /// ```swift
  /// if let breach = ValidationRule.length(minimum: 2, maximum: nil).breach(by: "x", type: .string) {
  ///   print(breach.code, breach.found, breach.expected)  // the last: "a length of at least 2"
  /// }
  /// ```
  public struct Breach: Sendable, Hashable {
    public let code: ValidationCode
    /// What the value is, as a phrase.
    public let found: String
    /// What the rule requires, as a phrase.
    public let expected: String
    /// Whether the result is unknown because matching the pattern took too long.
    package let isGivenUp: Bool

    package init(code: ValidationCode, found: String, expected: String, isGivenUp: Bool = false) {
      self.code = code
      self.found = found
      self.expected = expected
      self.isGivenUp = isGivenUp
    }
  }
}

extension ValidationRule {
  /// Why an attribute of this type cannot have the rule; `nil` if it can.
  ///
  /// ```swift
  /// ValidationRule.range(minimum: 0, maximum: nil).problem(for: .string)?.expected
  /// // "a range for numbers, decimals or dates"
  /// ```
  public func problem(for type: AttributeType) -> (found: String, expected: String)? {
    do throws(InvalidDefinition) {
      _ = try CompiledRule(self, for: type)
      return nil
    } catch {
      return (error.found, error.expected)
    }
  }

  /// How a value of an attribute of this type breaks the rule; `nil` if it is valid, as null always is.
  ///
  /// ```swift
  /// let rule = ValidationRule.range(minimum: -2, maximum: 10)
  /// rule.breach(by: 11.2, type: .double)?.code   // .numberTooLarge
  /// rule.breach(by: .null, type: .double)?.code  // nil: a null breaks no rule
  /// ```
  public func breach(by value: AttributeValue, type: AttributeType) -> Breach? {
    guard let rule = try? CompiledRule(self, for: type) else { return nil }
    return value.conformed(to: type).flatMap { rule.breach(by: $0) }
  }
}

/// Core Data's validation codes.
///
/// ```swift
/// ValidationCode.missingMandatoryProperty.rawValue  // 1570
/// ValidationCode(rawValue: 1610)                    // .numberTooLarge
/// ```
public enum ValidationCode: Int, Sendable {
  /// The object's own validation refused it.
  case managedObject = 1550
  /// A required value is missing.
  case missingMandatoryProperty = 1570
  /// The relationship has fewer objects than required.
  case relationshipLacksMinimumCount = 1580
  /// The relationship has more objects than allowed.
  case relationshipExceedsMaximumCount = 1590
  /// A delete rule forbids the deletion.
  case relationshipDeniedDelete = 1600
  /// Above the allowed range of numbers.
  case numberTooLarge = 1610
  /// Below the allowed range of numbers.
  case numberTooSmall = 1620
  /// After the allowed range of dates.
  case dateTooLate = 1630
  /// Before the allowed range of dates.
  case dateTooSoon = 1640
  /// Text or binary data is longer than allowed.
  case stringTooLong = 1660
  /// Text or binary data is shorter than required.
  case stringTooShort = 1670
  /// The text does not match the pattern.
  case stringPatternMatching = 1680
}
