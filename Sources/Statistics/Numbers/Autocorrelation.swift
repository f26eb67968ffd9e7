// Whether consecutive values are similar, which tests for independent values assume they are not.

/// The autocorrelation at lag 1: Σ(xᵢ − x̄)(xᵢ₊₁ − x̄) / Σ(xᵢ − x̄)², from −1 to 1.
///
/// For n independent values it lies within ±2/√n in 19 of 20 cases. Consecutive run times of one program have 0.3 to
/// 0.8 on a shared machine; the differences of pairs in random order have nearly none. Box and Jenkins, "Time Series
/// Analysis" (1970), section 2.1.
///
/// - Parameter values: The values in the order in which they were measured.
/// - Returns: The autocorrelation; `nil` if there are fewer than three values, one is not finite, or all are equal.
///   O(n).
package func autocorrelation(_ values: [Double]) -> Double? {
  guard values.count > 2, values.allSatisfy(\.isFinite) else { return nil }
  let count = Double(values.count)
  let mean = values.reduce(0) { $0 + $1 / count }
  let deviations = values.map { $0 - mean }
  let squares = deviations.reduce(0) { $0 + $1 * $1 }
  guard squares > 0, squares.isFinite else { return nil }
  return zip(deviations, deviations.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / squares
}
