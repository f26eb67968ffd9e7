// Doubles as whole numbers. Figures also come from files, which may hold what no run measured, and Swift's own conversion
// ends the program there.

extension FixedWidthInteger {
  /// A value without its fraction, or the nearest number that the type has; 0 for NaN.
  package init(clamping value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}
