// The results of scanning a series without a change: the greatest statistic over random orders of the same ranks.
internal import Support

/// The greatest statistics of random orders, drawn from a seed on demand.
///
/// If nothing changes, every order of the values has the same probability, whatever the values are. So the p-value of
/// the whole search is the share of orders with a greatest statistic that reaches the one found. Without equal values
/// it depends only on the number of points, so series of the same length share the draws.
struct ScanDistribution {
  private let scan: RankScan
  private let weights: [Double]
  private let lengths: [Int]
  private var order: [Int]
  private var sums: [Int]
  private var generator: SplitMix64
  private var drawn: [Double] = []

  /// - Parameters:
  ///   - scan: What to search for.
  ///   - scores: The scores in any order.
  ///   - seed: The seed of the draws.
  init(of scan: RankScan, scores: [Int], seed: UInt64) {
    self.scan = scan
    weights = RankScan.weights(scores.count)
    lengths = scan.lengths(scores.count)
    order = scores
    sums = [Int](repeating: 0, count: scores.count + 1)
    generator = SplitMix64(seed: seed)
  }

  /// The probability that the greatest statistic of a random order is at least this.
  ///
  /// Drawing stops when `enough` draws have reached the statistic, or when 20 have and p is at least ten times enough /
  /// draws, the value where decisions are made; p is then their share. Otherwise p is (b + 1) / (draws + 1), where b
  /// draws reached it. Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991): with a fixed number
  /// to reach, both are valid p-values, at or below α with a probability of at most α.
  mutating func p(of statistic: Double, draws: Int, enough: Int) -> Double {
    guard statistic > 0 else { return 1 }
    // Values that differ only by rounding count as equal.
    let limit = statistic * (1 - 1e-12)
    let clear = 10 * Double(enough) / Double(max(draws, 1))
    var reached = 0
    for draw in 0..<max(draws, 1) {
      if draw == drawn.count { next() }
      if drawn[draw] >= limit {
        reached += 1
        let share = Double(reached) / Double(draw + 1)
        if reached == enough || (reached >= 20 && share >= clear) { return share }
      }
    }
    return Double(reached + 1) / Double(max(draws, 1) + 1)
  }

  private mutating func next() {
    order.withUnsafeMutableBufferPointer { order in
      sums.withUnsafeMutableBufferPointer { sums in
        var remaining = order.count
        // As in `shuffle(using:)`, with the sums computed in the same pass, from the end.
        var sum = 0
        sums[remaining] = sum
        while remaining > 0 {
          let chosen = Int(generator.next(below: UInt64(remaining)))
          remaining -= 1
          order.swapAt(chosen, remaining)
          sum -= order[remaining]
          sums[remaining] = sum
        }
      }
    }
    drawn.append(sums.withUnsafeBufferPointer { scan.greatest($0, weights: weights, lengths: lengths) })
  }
}
