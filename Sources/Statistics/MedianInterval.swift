// The confidence interval of a median, without any assumption about the distribution.

/// The confidence interval of the median that corresponds to the sign test.
///
/// With the values in order, x₁ to xₙ, it is [xₖ, xₙ₊₁₋ₖ] for the greatest k with P(B < k) ≤ (1 − confidence) / 2,
/// where B has the binomial distribution of n tosses of a fair coin: xₖ is above the median if fewer than k values are
/// below it. The interval covers the median with a probability of 1 − 2 P(B < k) if the distribution is continuous, and
/// of at least that with ties. The values must be independent. Thompson, "On confidence ranges for the median", Annals
/// of Mathematical Statistics 7 (1936); Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.2.
///
/// - Parameters:
///   - values: The values in any order.
///   - confidence: The minimum probability, above 0 and below 1.
/// - Returns: The interval; `nil` if even the smallest and the largest value do not reach the confidence (fewer than 6
///   values at 95 %, 8 at 99 %), if a value is not finite, or if the confidence is out of range. O(n log n).
package func medianInterval(_ values: [Double], confidence: Double) -> ClosedRange<Double>? {
  guard let sorted = sortedFinite(values),
    let rank = medianIntervalRank(count: sorted.count, confidence: confidence)
  else { return nil }
  return sorted[rank - 1]...sorted[sorted.count - rank]
}

/// The fewest values for which the median has an interval; `nil` if the confidence is out of range.
package func leastForMedianInterval(confidence: Double) -> Int? {
  guard confidence > 0, confidence < 1 else { return nil }
  // A confidence below 1 is at most 1 - 2^-53.
  return (1...64).first { medianIntervalRank(count: $0, confidence: confidence) != nil }
}

/// The k of ``medianInterval(_:confidence:)``, from 1; `nil` if there is none.
func medianIntervalRank(count: Int, confidence: Double) -> Int? {
  guard count > 0 else { return nil }
  return intervalRank(confidence: confidence, probabilities: fairCoinProbabilities(tosses: count))
}

/// The probabilities of 0, 1, … up to ⌊n/2⌋ heads in n tosses of a fair coin, exact except for rounding.
///
/// It computes weights relative to the middle by C(n, j − 1) = C(n, j) · j / (n − j + 1), and divides them by their
/// sum: 2⁻ⁿ itself would be zero in floating point from n = 1,075 on. O(n).
func fairCoinProbabilities(tosses: Int) -> [Double] {
  let middle = tosses / 2
  var weights = [Double](repeating: 0, count: middle + 1)
  var weight = 1.0
  var sum = 0.0
  for heads in stride(from: middle, through: 0, by: -1) {
    weights[heads] = weight
    // Every number of heads has a mirror image, except the middle of an even number of tosses.
    sum += 2 * heads == tosses ? weight : 2 * weight
    weight *= Double(heads) / Double(tosses - heads + 1)
  }
  return weights.map { $0 / sum }
}
