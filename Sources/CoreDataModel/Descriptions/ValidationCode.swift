// Core Data's codes for why a value may not be stored.

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
