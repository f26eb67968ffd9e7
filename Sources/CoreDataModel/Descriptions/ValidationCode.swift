// The codes by which Core Data tells why a value may not be stored.

/// Core Data's validation codes.
///
/// ```swift
/// ValidationCode.missingMandatoryProperty.rawValue  // 1570
/// ValidationCode(rawValue: 1610)                    // .numberTooLarge
/// ```
public enum ValidationCode: Int, Sendable {
  case managedObject = 1550
  case missingMandatoryProperty = 1570
  case relationshipLacksMinimumCount = 1580
  case relationshipExceedsMaximumCount = 1590
  case relationshipDeniedDelete = 1600
  case numberTooLarge = 1610
  case numberTooSmall = 1620
  case dateTooLate = 1630
  case dateTooSoon = 1640
  case stringTooLong = 1660
  case stringTooShort = 1670
  case stringPatternMatching = 1680
}
