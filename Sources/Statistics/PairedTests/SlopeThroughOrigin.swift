// How much of the differences of pairs a covariate explains: a line through the origin that is robust against heavy
// tails.

/// The slope of the line through the origin with the smallest sum of absolute deviations.
///
/// It minimizes Σ|dᵢ − b·cᵢ|, so it is the weighted median of dᵢ/cᵢ with the weights |cᵢ| (Boscovich and Laplace;
/// Bloomfield and Steiger, "Least absolute deviations", 1983, 1.3). Swapping the sides of a pair changes the signs of
/// both dᵢ and cᵢ, which does not change the slope. So if a test of dᵢ is exact because a random order makes it
/// symmetric, the test of dᵢ − b·cᵢ is exact too, whatever the covariate is, if the compared change does not affect it.
///
/// - Parameters:
///   - differences: The differences to explain, pair by pair.
///   - covariate: The differences of the covariate, in the same order.
/// - Returns: The slope; `nil` if the lengths differ, a number is not finite, or the covariate is zero everywhere. O(n
///   log n).
package func slopeThroughOrigin(_ differences: [Double], on covariate: [Double]) -> Double? {
  guard differences.count == covariate.count, differences.allSatisfy(\.isFinite), covariate.allSatisfy(\.isFinite)
  else {
    return nil
  }
  let slopes = zip(differences, covariate).filter { $1 != 0 }.map { (slope: $0 / $1, weight: $1.magnitude) }
    .sorted { ($0.slope, $0.weight) < ($1.slope, $1.weight) }
  let half = slopes.reduce(0) { $0 + $1.weight } / 2
  var below = 0.0
  for (slope, weight) in slopes {
    below += weight
    if below >= half { return slope }
  }
  return nil
}
