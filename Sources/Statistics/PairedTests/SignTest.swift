// The sign test of paired differences. It requires only that they are independent.

/// Whether the median of paired differences lies above or below a shift, judged by how many lie on either side.
///
/// If the median is the shift, at most half of the differences are to be expected above it: the number above is at most
/// binomial with n tosses of a fair coin. A difference of exactly the shift counts as one on neither side, and n still
/// includes it, so that both p-values stay valid when the clock is coarse. The test is the one that
/// ``medianInterval(_:confidence:)`` inverts: with ties or without, a shift lies outside the interval exactly when one of
/// the p-values is at most (1 − confidence) / 2. Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.2.
package struct SignTest: Sendable, Hashable {
  /// One-sided, P(B ≥ differences above): small when the median lies above the shift.
  package let pAbove: Double
  /// One-sided, P(B ≥ differences below): small when the median lies below the shift.
  package let pBelow: Double

  /// Tests the differences against a shift; nil when there is no difference, or one is not finite after the shift.
  ///
  /// - Parameters:
  ///   - differences: In any order; independent.
  ///   - shift: The median that is put to the test.
  package init?(_ differences: [Double], shift: Double = 0) {
    let shifted = differences.map { $0 - shift }
    guard !shifted.isEmpty, shifted.allSatisfy(\.isFinite) else { return nil }
    let probabilities = fairCoinProbabilities(tosses: shifted.count)
    pAbove = Self.tail(probabilities, tosses: shifted.count, atLeast: shifted.count { $0 > 0 })
    pBelow = Self.tail(probabilities, tosses: shifted.count, atLeast: shifted.count { $0 < 0 })
  }

  /// P(B ≥ heads) = P(B ≤ tosses − heads), of probabilities that end at the middle.
  private static func tail(_ probabilities: [Double], tosses: Int, atLeast heads: Int) -> Double {
    2 * heads > tosses
      ? probabilities[...(tosses - heads)].reduce(0, +)
      : 1 - probabilities[..<heads].reduce(0, +)
  }
}
