// Doubles as whole numbers, and sums of whole numbers. Figures also come from files, which may hold what no run measured, and
// Swift's own conversion and arithmetic end the program there.

extension FixedWidthInteger {
  /// A value without its fraction, or the nearest number that the type has; 0 for NaN.
  package init(clamping value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// The sum, or the number at the end of the range beyond which it lies.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the number at the end of the range beyond which it lies.
  package func subtractingClamped(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the number at the end of the range beyond which it lies.
  package func multipliedClamped(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
