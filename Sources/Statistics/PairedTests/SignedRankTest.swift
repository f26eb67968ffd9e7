// Wilcoxon's signed-rank test of paired differences, with the exact distribution that belongs to their ties.

/// Whether paired differences lie above or below a shift, judged by the ranks of their sizes.
///
/// The differences minus the shift, xᵢ, are ranked by |xᵢ|, equal ones with the mean of the ranks they share. The statistic
/// T⁺ is the sum of the ranks of those above zero. If the xᵢ are independent and symmetric about zero, each rank belongs to
/// T⁺ or not as a fair coin falls, whatever the ranks are: the distribution of T⁺ is that of Σ rᵢBᵢ, and the p-values are
/// its tails, given the ties. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
///
/// A difference of exactly the shift keeps its place in the ranking, as one of a tie at the lowest ranks, and adds to neither
/// side: Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures", Journal of the American Statistical
/// Association 54 (1959), who shows that leaving such differences out before ranking can make a sample that moved up look
/// less significant.
package struct SignedRankTest: Sendable, Hashable {
  /// One-sided, how probable a T⁺ this large or larger is if the differences lie symmetrically about the shift: small
  /// when they lie above.
  package let pAbove: Double
  /// One-sided, how probable a T⁺ this small or smaller is: small when the differences lie below the shift.
  package let pBelow: Double

  /// Differences up to which the distribution is exact.
  ///
  /// Above, it is approximated by a normal distribution with the variance ¼Σrᵢ², which ties and zeros enter through the
  /// ranks, and with half a step taken off for continuity: right to 1 % of p at p = 0.01, and 5 % too careful at 0.001.
  package static let exactCount = 200

  /// Tests the differences against a shift; nil when there is no difference, or one is not finite after the shift.
  ///
  /// O(n³) for up to ``exactCount``, and much less where one side has nearly all; O(n log n) above.
  ///
  /// - Parameters:
  ///   - differences: In any order; independent.
  ///   - shift: The θ₀ that is subtracted from each.
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
    // Equal sums have equal tails; else it is the smaller sum that is rarely as small.
    pAbove = below == least ? tails.smaller : tails.greater
    pBelow = above == least ? tails.smaller : tails.greater
  }

  /// The ranks of the differences by their distance from a shift, doubled, so that they are whole with ties too: those of
  /// the differences above the shift, and of those below, in ascending order.
  ///
  /// nil when there is no difference, or one is not finite after the shift.
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

  /// P(T ≤ t) of the smaller sum t, and of the greater sum, which is P(T ≥ t) by symmetry.
  private static func exactTails(ranks: [Int], statistic: Int) -> (smaller: Double, greater: Double) {
    let ways = subsetSums(of: ranks, through: statistic)
    let below = ways.dropLast().reduce(0, +)
    let probability = Double(sign: .plus, exponent: -ranks.count, significand: 1)
    return ((below + (ways.last ?? 0)) * probability, 1 - below * probability)
  }

  private static func normalTails(ranks: [Int], statistic: Int) -> (smaller: Double, greater: Double) {
    // In doubled ranks: the mean is half the sum, the variance a quarter of the sum of squares, half a step is 1.
    let mean = Double(ranks.reduce(0, +)) / 2
    let deviation = (ranks.reduce(0) { $0 + Double($1) * Double($1) } / 4).squareRoot()
    guard deviation > 0 else { return (1, 1) }
    return (
      normalTail(above: (mean - Double(statistic) - 1) / deviation),
      normalTail(above: (Double(statistic) - 1 - mean) / deviation)
    )
  }
}

/// In how many ways a part of `numbers`, none and all included, sums to 0, 1, … up to `limit`.
///
/// By dynamic programming, one number after another: the ways to make s with it are those to make s without it and those to
/// make s − number. Whole numbers below 2⁵³ are exact; above, each is correct to about 15 digits. O(count · limit).
func subsetSums(of numbers: [Int], through limit: Int) -> [Double] {
  var ways = [Double](repeating: 0, count: limit + 1)
  ways[0] = 1
  var reached = 0
  // Debug builds check every index of an array, which takes 30 times as long as the addition.
  ways.withUnsafeMutableBufferPointer { ways in
    // Small numbers first, so that few sums are reached for long.
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
