// Converts doubles to integers and adds integers without trapping. Figures also come from files, which may contain
// values that no run measured, and Swift's own conversion and arithmetic would end the program.

extension FixedWidthInteger {
  /// The value without its fraction, or the nearest number that the type can represent; 0 for NaN.
  package init(clamping value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// The sum, clamped to the type's range.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped to the type's range.
  package func subtractingClamped(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product, clamped to the type's range.
  package func multipliedClamped(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
