// The rules an attribute's values keep: ranges, lengths and patterns, and how a value breaks one.

/// A condition that a value must meet to be saved.
///
/// ```swift
/// let magnitude = AttributeDescription("magnitude", .double, validationRules: [.range(minimum: -2, maximum: 10)])
/// let code = AttributeDescription("code", .string, validationRules: [.pattern("[a-z]{2}[0-9a-z]+")])
/// ```
public enum ValidationRule: Sendable, Hashable {
  /// Numbers, decimals and dates between two bounds, which belong to the range; nil for no bound on that side.
  case range(minimum: AttributeValue?, maximum: AttributeValue?)
  /// The length of text in UTF-16 code units, as `NSString` counts, or of binary data in bytes.
  case length(minimum: Int?, maximum: Int?)
  /// A regular expression in ICU's syntax that the whole text matches; text for which that takes more than ten million
  /// steps breaks the rule.
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
    /// What the value is, in words.
    public let found: String
    /// What the rule asks for, in words.
    public let expected: String
    /// Whether this is unknown because matching the value's text with a pattern took too long.
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
  /// Why an attribute of the type cannot have the rule; nil when it can.
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

  /// How a value of an attribute of the type breaks the rule; nil when it keeps it, as null does.
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
  /// The object's own check refused it.
  case managedObject = 1550
  /// A required value is missing.
  case missingMandatoryProperty = 1570
  /// Fewer objects than the relationship must hold.
  case relationshipLacksMinimumCount = 1580
  /// More objects than the relationship may hold.
  case relationshipExceedsMaximumCount = 1590
  /// A delete rule forbids the deletion.
  case relationshipDeniedDelete = 1600
  /// Above the range of numbers.
  case numberTooLarge = 1610
  /// Below the range of numbers.
  case numberTooSmall = 1620
  /// After the range of dates.
  case dateTooLate = 1630
  /// Before the range of dates.
  case dateTooSoon = 1640
  /// Longer than text or binary data may be.
  case stringTooLong = 1660
  /// Shorter than text or binary data must be.
  case stringTooShort = 1670
  /// The text does not match the pattern.
  case stringPatternMatching = 1680
}
