// How a time grows with the number of rows: the exponent c of time ∝ rowsᶜ.

/// An exponent and how precisely it is known.
package struct ScalingExponent: Sendable, Hashable {
  /// 1 if twice the rows take twice the time, 2 if they take four times as long.
  package let exponent: Double
  /// `nil` if there are too few points for the confidence.
  package let interval: ClosedRange<Double>?
}

/// The exponent of growth: the median of the slopes between all pairs of points of different sizes, both logarithmic.
///
/// Theil, "A rank-invariant method of linear and polynomial regression analysis", Indagationes Mathematicae 12 (1950);
/// Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the American Statistical
/// Association 63 (1968), where the interval inverts Kendall's test: with the N slopes in order it is [sₖ, s_{N+1−k}]
/// for the greatest k with P(D < k) ≤ (1 − confidence) / 2, where D is the number of discordant pairs without a trend.
/// Up to 29 % of the points can be outliers.
///
/// It assumes that the points follow one power law over the whole range, with independent and identically distributed
/// deviations, so measure the sizes in random order. If a fixed cost or a cache bends the curve, the exponent is an
/// average over the range, which the interval does not show; in that case examine parts of the range.
///
/// - Parameters:
///   - points: Sizes and times; there may be several points of one size.
///   - confidence: The minimum probability.
/// - Returns: The exponent; `nil` if no two sizes differ, a number is not finite or not above zero, or a quotient
///   overflows. The interval's rank is exact for up to 60 points, and from the normal approximation above. Apart from
///   that, O(n² log n).
package func scalingExponent(
  of points: [(size: Double, time: Double)], confidence: Double
) -> ScalingExponent? {
  guard points.allSatisfy({ $0.size > 0 && $0.size.isFinite && $0.time > 0 && $0.time.isFinite }) else { return nil }
  let points = points.sorted { $0.size < $1.size }
  var slopes: [Double] = []
  for (index, point) in points.enumerated() {
    for later in points[(index + 1)...] where later.size > point.size {
      // Divide before taking logarithms, so that times proportional to the sizes give exactly 1.
      guard let growth = logRatio(later.time, to: point.time), let step = logRatio(later.size, to: point.size) else {
        return nil
      }
      slopes.append(growth / step)
    }
  }
  guard let sorted = sortedFinite(slopes), let exponent = median(sorted) else { return nil }
  var groups: [Int] = []
  for (index, point) in points.enumerated() {
    if index > 0, point.size == points[index - 1].size { groups[groups.count - 1] += 1 } else { groups.append(1) }
  }
  let rank = slopeIntervalRank(groups: groups, confidence: confidence)
  return ScalingExponent(
    exponent: exponent, interval: rank.map { sorted[$0 - 1]...sorted[sorted.count - $0] })
}

/// The rank at which to cut the sorted slopes at both ends; `groups` are the numbers of points with each size.
func slopeIntervalRank(groups: [Int], confidence: Double) -> Int? {
  let count = groups.reduce(0, +)
  guard count > 60 else {
    return intervalRank(confidence: confidence, probabilities: discordantPairProbabilities(groups: groups))
  }
  // The variance of concordant minus discordant pairs, with ties of sizes. That of the discordant pairs is a quarter of
  // it.
  func term(_ number: Int) -> Double { Double(number) * Double(number - 1) * Double(2 * number + 5) }
  let pairs = (count * (count - 1) - groups.reduce(0) { $0 + $1 * ($1 - 1) }) / 2
  let deviation = ((term(count) - groups.reduce(0) { $0 + term($1) }) / 72).squareRoot()
  return intervalRank(confidence: confidence, middle: pairs / 2) { discordant in
    normalTail(above: (Double(pairs) / 2 - Double(discordant) - 0.5) / deviation)
  }
}

/// The probabilities of 0, 1, … discordant pairs between sizes and values in random order, through the middle.
///
/// A pair is discordant if the larger size has the smaller value; pairs of one size do not count. The discordant pairs
/// of each size with all smaller sizes are a Mann-Whitney statistic. These statistics are independent of one another,
/// and the total is their sum: Terpstra, "The asymptotic normality and consistency of Kendall's test against trend,
/// when ties are present in one ranking", Indagationes Mathematicae 14 (1952).
///
/// - Parameter groups: The number of values with each size.
/// - Returns: Probabilities that add up to ½ or slightly more. O(N²), where N is the number of pairs that count.
func discordantPairProbabilities(groups: [Int]) -> [Double] {
  var whole = [1.0]
  var seen = 0
  for group in groups {
    whole = convolved(whole, mannWhitneyProbabilities(group, seen))
    seen += group
  }
  return Array(whole.prefix((whole.count + 1) / 2))
}

/// The probabilities of 0, 1, … mn pairs (x, y) with x > y, for m values x and n values y in random order.
///
/// With probability m / (m + n) the largest of all is an x, which is above all n of the y; otherwise it is a y, which
/// adds no pair. Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than the
/// other", Annals of Mathematical Statistics 18 (1947). O((mn)²).
func mannWhitneyProbabilities(_ m: Int, _ n: Int) -> [Double] {
  // By the number of y, for the current number of x.
  var byCount = [[Double]](repeating: [1], count: n + 1)
  for x in 1..<max(m, 0) + 1 {
    for y in 1..<max(n, 0) + 1 {
      let withX = byCount[y]
      let withY = byCount[y - 1]
      let share = Double(x) / Double(x + y)
      var probabilities = [Double](repeating: 0, count: x * y + 1)
      for (pairs, probability) in withX.enumerated() { probabilities[pairs + y] += share * probability }
      for (pairs, probability) in withY.enumerated() { probabilities[pairs] += (1 - share) * probability }
      byCount[y] = probabilities
    }
  }
  return byCount[n]
}

/// The distribution of a sum of two independent numbers.
private func convolved(_ first: [Double], _ second: [Double]) -> [Double] {
  var sum = [Double](repeating: 0, count: first.count + second.count - 1)
  for (i, a) in first.enumerated() where a != 0 {
    for (j, b) in second.enumerated() { sum[i + j] += a * b }
  }
  return sum
}
