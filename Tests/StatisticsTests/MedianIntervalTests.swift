// The interval of the median compared with the binomial distribution of SciPy 1.17, and with the truth in simulations.
import MissionTags
@testable import Statistics
import Support
import Testing

@Suite("A2 · the median's interval", .tags(.a2))
struct MedianIntervalTests {
  @Test("Run times have the interval of scipy.stats.quantile_test")
  func knownAnswer() {
    #expect(medianInterval(runTimes, confidence: 0.90) == 0.0893...0.0950)
    #expect(medianInterval(runTimes, confidence: 0.95) == 0.0893...0.0950)
    #expect(medianInterval(runTimes, confidence: 0.99) == 0.0888...0.1013)
  }

  /// The largest k with binom.cdf(k - 1, n, 0.5) <= (1 - confidence) / 2; 0 for none.
  static let knownRanks: [(confidence: Double, ranks: [(count: Int, rank: Int)])] = [
    (0.5, [(1, 0), (2, 1), (5, 2), (10, 4), (25, 11), (100, 47), (1000, 489), (10_000, 4966), (100_000, 49893)]),
    (0.9, [(4, 0), (5, 1), (8, 2), (11, 3), (20, 6), (50, 19), (500, 232), (2000, 963), (100_000, 49740)]),
    (0.95, [(5, 0), (6, 1), (8, 1), (9, 2), (12, 3), (20, 6), (25, 8), (100, 40), (1000, 469), (10_000, 4902)]),
    (0.99, [(7, 0), (8, 1), (11, 1), (12, 2), (30, 8), (50, 16), (500, 221), (2000, 942), (100_000, 49593)]),
    (0.999, [(10, 0), (11, 1), (15, 2), (25, 5), (100, 34), (1000, 448), (10_000, 4835), (100_000, 49480)]),
  ]

  @Test("Ranks for 1 to 100,000 values are right", arguments: 0..<5)
  func ranks(index: Int) {
    let (confidence, ranks) = Self.knownRanks[index]
    for (count, rank) in ranks {
      #expect(medianIntervalRank(count: count, confidence: confidence) == (rank == 0 ? nil : rank))
    }
  }

  @Test("A confidence that is reached exactly is accepted")
  func exact() {
    // The smallest and the largest of n values cover the median with a probability of 1 - 2^(1 - n).
    for count in 2...40 {
      let confidence = 1 - 0x1p1 / Double(UInt64(1) << UInt64(count))
      #expect(medianIntervalRank(count: count, confidence: confidence) == 1)
      #expect(medianIntervalRank(count: count - 1, confidence: confidence) == nil)
    }
    #expect([0.5, 0.9, 0.95, 0.99, 0.999].map { leastForMedianInterval(confidence: $0) } == [2, 5, 6, 8, 11])
    #expect([0, 1, -1, .nan].allSatisfy { leastForMedianInterval(confidence: $0) == nil })
  }
}

extension MedianIntervalTests {
  @Test("The binomial distribution of a fair coin is right, even if 2^-n is too small for floating point")
  func coin() {
    #expect(fairCoinProbabilities(tosses: 1) == [0.5])
    #expect(fairCoinProbabilities(tosses: 2) == [0.25, 0.5])
    #expect(isClose(fairCoinProbabilities(tosses: 13)[3], 0.034912109375))
    #expect(isClose(fairCoinProbabilities(tosses: 90)[0], 8.077935669463161e-28))
    let many = fairCoinProbabilities(tosses: 10_000)
    #expect(many[0] == 0)
    #expect(abs(many[5000] / 0.007978646139382 - 1) < 1e-11)
    let below = fairCoinProbabilities(tosses: 1000)[...480].reduce(0, +)
    #expect(abs(below / 0.10872414660207 - 1) < 1e-11)
  }

  @Test("Too few values, ties and invalid confidences are handled")
  func edges() {
    #expect(medianInterval([1, 2, 3, 4, 5], confidence: 0.95) == nil)
    #expect(medianInterval([6, 1, 2, 3, 4, 5], confidence: 0.95) == 1...6)
    #expect(medianInterval(Array(repeating: 2.5, count: 30), confidence: 0.99) == 2.5...2.5)
    for confidence in [0, 1, -1, 1.5, .nan] { #expect(medianInterval(runTimes, confidence: confidence) == nil) }
  }

  @Test("In simulations the interval covers the true median at its stated rate", arguments: [(10, 1), (25, 2)])
  func coverage(count: Int, seed: UInt64) {
    // 99.9 % limits of scipy.stats.binom(2000, coverage), with coverage 0.978516 for 10 values and 0.956715 for 25.
    let limits = count == 10 ? 1934...1977 : 1882...1942
    let covered = simulate(count: count, seed: seed) { medianInterval($0, confidence: 0.95)?.contains(2) ?? false }
    #expect(limits.contains(covered))

    // The same simulation detects an interval that is one value too narrow at either end.
    let narrower = simulate(count: count, seed: seed) { values in
      guard let rank = medianIntervalRank(count: count, confidence: 0.95) else { return false }
      let sorted = values.sorted()
      return (sorted[rank]...sorted[count - rank - 1]).contains(2)
    }
    #expect(narrower < limits.lowerBound)
  }

  @Test("With the ties of a coarse clock, the interval covers the median at least at its stated rate")
  func coverageWithTies() {
    // The 99.9 % limit below scipy.stats.binom(2000, 0.95). Rounded up to halves, the median stays 2.
    let covered = simulate(count: 25, seed: 3) { values in
      medianInterval(values.map { ($0 * 2).rounded(.up) / 2 }, confidence: 0.95)?.contains(2) ?? false
    }
    #expect(covered >= 1867)
  }

  /// How many of 2,000 samples pass, from a distribution with a heavy tail (1 / uniform) and the median 2.
  private func simulate(count: Int, seed: UInt64, _ passes: ([Double]) -> Bool) -> Int {
    var generator = SplitMix64(seed: seed)
    return (0..<2000).count { _ in passes((0..<count).map { _ in 1 / (1 - generator.nextUnit()) }) }
  }
}
