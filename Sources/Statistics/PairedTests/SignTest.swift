// The sign test of paired differences, which requires only that they are independent.

/// Whether the median of paired differences is above or below a shift, judged by how many are on either side.
///
/// If the median equals the shift, at most half of the differences are expected above it: their number is at most
/// binomial with n tosses of a fair coin. A difference that equals the shift counts on neither side, but n includes it,
/// so that both p-values stay valid with a coarse clock. ``medianInterval(_:confidence:)`` inverts this test: with or
/// without ties, a shift is outside the interval exactly if one of the p-values is at most (1 − confidence) / 2.
/// Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.2.
package struct SignTest: Sendable, Hashable {
  /// One-sided, P(B ≥ differences above): small if the median is above the shift.
  package let pAbove: Double
  /// One-sided, P(B ≥ differences below): small if the median is below the shift.
  package let pBelow: Double

  /// Tests the differences against a shift; `nil` if there is no difference, or one minus the shift is not finite.
  ///
  /// - Parameters:
  ///   - differences: Independent differences in any order.
  ///   - shift: The median to test.
  package init?(_ differences: [Double], shift: Double = 0) {
    let shifted = differences.map { $0 - shift }
    guard !shifted.isEmpty, shifted.allSatisfy(\.isFinite) else { return nil }
    let probabilities = fairCoinProbabilities(tosses: shifted.count)
    pAbove = Self.tail(probabilities, tosses: shifted.count, atLeast: shifted.count { $0 > 0 })
    pBelow = Self.tail(probabilities, tosses: shifted.count, atLeast: shifted.count { $0 < 0 })
  }

  /// P(B ≥ heads) = P(B ≤ tosses − heads), from probabilities through the middle.
  private static func tail(_ probabilities: [Double], tosses: Int, atLeast heads: Int) -> Double {
    2 * heads > tosses
      ? probabilities[...(tosses - heads)].reduce(0, +)
      : 1 - probabilities[..<heads].reduce(0, +)
  }
}
