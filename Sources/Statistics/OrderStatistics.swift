// Estimates that depend only on the order of the values, because run times have heavy tails, which distort means and
// standard deviations.

/// The median: the middle value in order, or the mean of the middle two for an even number.
///
/// - Returns: The median; `nil` if there is no value, or one is not finite. O(n log n).
package func median(_ values: [Double]) -> Double? {
  guard let sorted = sortedFinite(values) else { return nil }
  let middle = sorted.count / 2
  guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
  return mean(sorted[middle - 1], sorted[middle])
}

/// The quantile of a probability, interpolated linearly between neighbors.
///
/// With the values in order, x₀ to xₙ₋₁, and h = (n − 1)p: x⌊h⌋ + (h − ⌊h⌋)(x⌊h⌋₊₁ − x⌊h⌋). Definition 7 of Hyndman and
/// Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996); the default of R and NumPy.
///
/// - Parameters:
///   - values: The values in any order.
///   - probability: From 0 for the smallest value to 1 for the largest.
/// - Returns: The quantile; `nil` if there is no value, one is not finite, or the probability is out of range. O(n log
///   n).
package func quantile(_ values: [Double], _ probability: Double) -> Double? {
  guard (0...1).contains(probability), let sorted = sortedFinite(values) else { return nil }
  let position = Double(sorted.count - 1) * probability
  let below = Int(position)
  guard below + 1 < sorted.count else { return sorted[below] }
  let weight = position - Double(below)
  // Use weights instead of a step by the difference, which may overflow.
  return weight == 0 ? sorted[below] : sorted[below] * (1 - weight) + sorted[below + 1] * weight
}

/// The median absolute deviation: the median of |xᵢ − median(x)|.
///
/// - Returns: The deviation; `nil` if there is no value, one is not finite, or a difference overflows. O(n log n).
package func medianAbsoluteDeviation(_ values: [Double]) -> Double? {
  guard let center = median(values) else { return nil }
  return median(values.map { abs($0 - center) })
}

/// A standard deviation that is robust against outliers: the median absolute deviation divided by Φ⁻¹(3/4), so that it
/// estimates σ if the values are normal.
///
/// Hampel, "The influence curve and its role in robust estimation", Journal of the American Statistical Association 69
/// (1974).
///
/// - Returns: `nil` if ``medianAbsoluteDeviation(_:)`` is.
package func robustStandardDeviation(_ values: [Double]) -> Double? {
  medianAbsoluteDeviation(values).map { $0 * 1.482602218505602 }
}

/// The values in order; `nil` if there is none or one is not finite.
func sortedFinite(_ values: [Double]) -> [Double]? {
  guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
  return values.sorted()
}

/// The mean; halves before adding, because the sum of two finite numbers may not be finite.
private func mean(_ a: Double, _ b: Double) -> Double { a * 0.5 + b * 0.5 }
