// The size of a paired difference: the estimate and the interval that correspond to the signed-rank test.

/// The Hodges-Lehmann estimate of a shift: the median of the means of all pairs of values, including each value with
/// itself.
///
/// It is the shift at which Wilcoxon's T⁺ and T⁻ balance. For normal noise it is nearly as efficient as the mean (95.5
/// %), for heavy tails much more efficient, and up to 29 % of the values can be arbitrary. Hodges and Lehmann,
/// "Estimates of location based on rank tests", Annals of Mathematical Statistics 34 (1963).
///
/// - Parameter differences: The differences in any order.
/// - Returns: The estimate; `nil` if there is no value, or one is not finite. O(n² log n).
package func hodgesLehmann(_ differences: [Double]) -> Double? {
  median(walshAverages(differences))
}

/// The confidence interval of a shift that inverts the exact signed-rank test.
///
/// With the means of all pairs of values in order, w₁ to w_N for N = n(n + 1)/2, it is [wₖ, w_{N+1−k}] for the greatest
/// k with P(T < k) ≤ (1 − confidence) / 2, where T has the distribution of the statistic without ties. For differences
/// that are independent and symmetric about the shift it covers the shift with at least the confidence. Without ties,
/// the shifts outside are those that ``SignedRankTest`` rejects on one side at that level. With ties, the interval
/// including its ends covers at least as often: Noether, "Wilcoxon confidence intervals for location parameters in the
/// discrete case", Journal of the American Statistical Association 62 (1967). Tukey's construction; Hollander, Wolfe
/// and Chicken, "Nonparametric Statistical Methods", 3rd edition, section 3.3.
///
/// - Parameters:
///   - differences: Independent differences in any order.
///   - confidence: The minimum probability, above 0 and below 1.
/// - Returns: The interval; `nil` if even the smallest and the largest value do not reach the confidence (fewer than 6
///   values at 95 %, 8 at 99 %), if a value is not finite, or if the confidence is out of range. O(n³) up to
///   ``SignedRankTest/exactCount`` values; O(n² log n) above, where the rank comes from the normal approximation.
package func hodgesLehmannInterval(_ differences: [Double], confidence: Double) -> ClosedRange<Double>? {
  guard let rank = walshIntervalRank(count: differences.count, confidence: confidence),
    let averages = sortedFinite(walshAverages(differences))
  else { return nil }
  return averages[rank - 1]...averages[averages.count - rank]
}

/// The means of all pairs of values, including each value with itself, in no particular order.
func walshAverages(_ values: [Double]) -> [Double] {
  var averages: [Double] = []
  averages.reserveCapacity(values.count * (values.count + 1) / 2)
  for (index, value) in values.enumerated() {
    for other in values[index...] { averages.append(value * 0.5 + other * 0.5) }
  }
  return averages
}

/// The k of ``hodgesLehmannInterval(_:confidence:)``, from 1; `nil` if there is none.
func walshIntervalRank(count: Int, confidence: Double) -> Int? {
  let middle = count * (count + 1) / 4
  guard count <= SignedRankTest.exactCount else {
    let mean = Double(count) * Double(count + 1) / 4
    let deviation = (mean * Double(2 * count + 1) / 6).squareRoot()
    return intervalRank(confidence: confidence, middle: middle) { sum in
      normalTail(above: (mean - Double(sum) - 0.5) / deviation)
    }
  }
  guard count > 0 else { return nil }
  let ways = subsetSums(of: Array(1...count), through: middle)
  let probability = Double(sign: .plus, exponent: -count, significand: 1)
  return intervalRank(confidence: confidence, probabilities: ways.lazy.map { $0 * probability })
}
