// How Kendall's statistic is distributed when there is no trend, for a table of sizes with several values each.

/// The probabilities of 0, 1, … discordant pairs between sizes and values in random order, through the middle.
///
/// A pair is discordant when the larger size has the smaller value; pairs of one size do not count. The pairs of each size
/// with all smaller sizes are a Mann-Whitney statistic, these are independent of one another, and the whole is their sum:
/// Terpstra, "The asymptotic normality and consistency of Kendall's test against trend, when ties are present in one
/// ranking", Indagationes Mathematicae 14 (1952).
///
/// - Parameter groups: How many values each size has.
/// - Returns: Probabilities that sum up to ½ or a little more. O(N²), with N the number of pairs that count.
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
/// The largest of all is an x, which is above all n of the y, with probability m / (m + n), else a y, which adds no pair. Mann
/// and Whitney, "On a test of whether one of two random variables is stochastically larger than the other", Annals of
/// Mathematical Statistics 18 (1947). O((mn)²).
func mannWhitneyProbabilities(_ m: Int, _ n: Int) -> [Double] {
  // By number of y, for the number of x at hand.
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
