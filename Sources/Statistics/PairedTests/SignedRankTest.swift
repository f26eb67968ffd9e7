// Wilcoxon's signed-rank test of paired differences, with the exact distribution for their ties.

/// Whether paired differences are above or below a shift, judged by the ranks of their sizes.
///
/// The differences minus the shift, xᵢ, are ranked by |xᵢ|, with the mean rank for equal ones. The statistic T⁺ is the
/// sum of the ranks of those above zero. If the xᵢ are independent and symmetric about zero, each rank belongs to T⁺
/// with probability ½, whatever the ranks are. So the distribution of T⁺ is that of Σ rᵢBᵢ, and the p-values are its
/// tails, given the ties. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
///
/// A difference that equals the shift keeps its place in the ranking, in a tie at the lowest ranks, and adds to neither
/// side: Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures", Journal of the American Statistical
/// Association 54 (1959), who shows that leaving such differences out before ranking can make a sample that moved up
/// look less significant.
package struct SignedRankTest: Sendable, Hashable {
  /// One-sided, the probability of a T⁺ at least this large if the differences are symmetric about the shift: small if
  /// they are above.
  package let pAbove: Double
  /// One-sided, the probability of a T⁺ at most this large: small if the differences are below the shift.
  package let pBelow: Double

  /// The maximum number of differences with an exact distribution.
  ///
  /// Above, it is approximated by a normal distribution with the variance ¼Σrᵢ², where the ranks account for ties and
  /// zeros, and with a continuity correction of half a step. It is correct to 1 % of p at p = 0.01, and 5 % too
  /// conservative at 0.001.
  package static let exactCount = 200

  /// Tests the differences against a shift; `nil` if there is no difference, or one minus the shift is not finite.
  ///
  /// O(n³) for up to ``exactCount``, and much less if nearly all are on one side; O(n log n) above.
  ///
  /// - Parameters:
  ///   - differences: Independent differences in any order.
  ///   - shift: The θ₀ to subtract from each.
  package init?(_ differences: [Double], shift: Double = 0) {
    guard let ranks = Self.doubledRanks(differences, shift: shift) else { return nil }
    let above = ranks.above.reduce(0, +)
    let below = ranks.below.reduce(0, +)
    let all = ranks.above + ranks.below
    // The distribution is symmetric: T⁺ is at least its value exactly if T⁻ is at most its own.
    let least = min(above, below)
    let tails =
      differences.count <= Self.exactCount
      ? Self.exactTails(ranks: all, statistic: least)
      : Self.normalTails(ranks: all, statistic: least)
    // Equal sums have equal tails; otherwise the smaller sum has the smaller tail.
    pAbove = below == least ? tails.smaller : tails.greater
    pBelow = above == least ? tails.smaller : tails.greater
  }

  /// The ranks of the differences by their distance from a shift, doubled so that they are integers even with ties:
  /// those of the differences above the shift, and of those below, in ascending order.
  ///
  /// The result is `nil` if there is no difference, or one minus the shift is not finite.
  static func doubledRanks(_ differences: [Double], shift: Double) -> (above: [Int], below: [Int])? {
    let shifted = differences.map { $0 - shift }
    guard !shifted.isEmpty, shifted.allSatisfy(\.isFinite) else { return nil }
    let order = shifted.indices.sorted { abs(shifted[$0]) < abs(shifted[$1]) }
    var above: [Int] = []
    var below: [Int] = []
    var start = 0
    while start < order.count {
      let size = abs(shifted[order[start]])
      var end = start + 1
      while end < order.count, abs(shifted[order[end]]) == size { end += 1 }
      // The mean of the ranks start + 1 to end, doubled.
      let doubledRank = start + 1 + end
      for index in order[start..<end] where size > 0 {
        if shifted[index] > 0 { above.append(doubledRank) } else { below.append(doubledRank) }
      }
      start = end
    }
    return (above, below)
  }

  /// P(T ≤ t) for the smaller sum t and for the greater sum, which is P(T ≥ t) by symmetry.
  private static func exactTails(ranks: [Int], statistic: Int) -> (smaller: Double, greater: Double) {
    let ways = subsetSums(of: ranks, through: statistic)
    let below = ways.dropLast().reduce(0, +)
    let probability = Double(sign: .plus, exponent: -ranks.count, significand: 1)
    return ((below + (ways.last ?? 0)) * probability, 1 - below * probability)
  }

  private static func normalTails(ranks: [Int], statistic: Int) -> (smaller: Double, greater: Double) {
    // In doubled ranks, the mean is half the sum, the variance a quarter of the sum of squares, and half a step is 1.
    let mean = Double(ranks.reduce(0, +)) / 2
    let deviation = (ranks.reduce(0) { $0 + Double($1) * Double($1) } / 4).squareRoot()
    guard deviation > 0 else { return (1, 1) }
    return (
      normalTail(above: (mean - Double(statistic) - 1) / deviation),
      normalTail(above: (Double(statistic) - 1 - mean) / deviation)
    )
  }
}

/// The number of subsets of `numbers` with the sums 0, 1, … up to `limit`.
///
/// It uses dynamic programming, one number after another: the subsets with sum s are those without the number, and
/// those with sum s − number to which it is added. Results below 2⁵³ are exact, larger ones are correct to about 15
/// digits. O(count · limit).
func subsetSums(of numbers: [Int], through limit: Int) -> [Double] {
  var ways = [Double](repeating: 0, count: limit + 1)
  ways[0] = 1
  var reached = 0
  // Debug builds check every index of an array, which takes 30 times as long as the addition.
  ways.withUnsafeMutableBufferPointer { ways in
    // Small numbers first, so that the range of reachable sums stays small.
    for number in numbers.sorted() where number <= limit {
      reached = min(limit, reached + number)
      var sum = reached
      while sum >= number {
        ways[sum] += ways[sum - number]
        sum -= 1
      }
    }
  }
  return ways
}
