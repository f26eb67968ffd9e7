// The Hodges-Lehmann estimate and interval compared with values from Python, computed with integer counts of subsets.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A2 · the size of a paired difference", .tags(.a2))
struct HodgesLehmannTests {
  /// The differences in R's example for wilcox.test.
  static let depression = zip(
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30], [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
  ).map { $0 - $1 }

  @Test("Estimates and intervals of known samples are right")
  func known() throws {
    #expect(isClose(hodgesLehmann(Self.depression), 0.46))
    #expect(isClose(hodgesLehmann(runTimes), 0.09095))
    for (confidence, low, high) in [(0.9, 0.175, 0.726), (0.95, 0.01, 0.786), (0.99, -0.1135, 0.987)] {
      let interval = try #require(hodgesLehmannInterval(Self.depression, confidence: confidence))
      #expect(abs(interval.lowerBound - low) < 1e-12 && abs(interval.upperBound - high) < 1e-12)
    }
    for (confidence, low, high) in [(0.99, 0.08925, 0.1557), (0.95, 0.08955, 0.09815), (0.9, 0.08975, 0.09575)] {
      let interval = try #require(hodgesLehmannInterval(runTimes, confidence: confidence))
      #expect(isClose(interval.lowerBound, low) && isClose(interval.upperBound, high))
    }
    #expect(hodgesLehmann([4]) == 4 && hodgesLehmann([1, 2]) == 1.5 && hodgesLehmann([1, 2, 9]) == 3.5)
  }

  /// The largest k with P(T < k) <= (1 - confidence) / 2, from integer counts of subsets in Python; 0 for none.
  static let knownRanks: [(confidence: Double, ranks: [(count: Int, rank: Int)])] = [
    (0.5, [(1, 0), (2, 1), (3, 2), (5, 5), (8, 13), (12, 30), (27, 161), (60, 823), (90, 1879), (200, 9496)]),
    (0.9, [(3, 0), (5, 1), (6, 3), (8, 6), (12, 18), (18, 48), (40, 287), (60, 691), (90, 1639), (150, 4786)]),
    (0.95, [(5, 0), (6, 1), (7, 3), (8, 4), (10, 9), (12, 14), (27, 108), (40, 265), (90, 1561), (200, 8445)]),
    (0.99, [(7, 0), (8, 1), (10, 4), (12, 8), (18, 28), (27, 84), (40, 221), (60, 568), (90, 1411), (200, 7945)]),
    (0.999, [(10, 0), (12, 2), (18, 15), (27, 58), (40, 173), (60, 477), (90, 1241), (150, 3923), (200, 7369)]),
  ]

  @Test("Ranks for 1 to 200 differences are right", arguments: 0..<5)
  func ranks(index: Int) {
    let (confidence, ranks) = Self.knownRanks[index]
    for (count, rank) in ranks {
      #expect(walshIntervalRank(count: count, confidence: confidence) == (rank == 0 ? nil : rank))
    }
  }

  @Test("Above 200 differences the ranks come from the normal approximation")
  func manyDifferences() throws {
    for confidence in [0.5, 0.95, 0.999] {
      let exact = try #require(walshIntervalRank(count: 200, confidence: confidence))
      let next = try #require(walshIntervalRank(count: 201, confidence: confidence))
      // One more difference adds about half a rank of the sum of ranks.
      #expect(next > exact + 60 && next < exact + 120)
    }
    // At 90 %, the approximation agrees with integer counts of subsets in Python.
    for (count, rank) in [(201, 8792), (202, 8883), (220, 10_600), (250, 13_805)] {
      #expect(walshIntervalRank(count: count, confidence: 0.9) == rank)
    }
  }
}

extension HodgesLehmannTests {
  @Test("Too few values, and invalid confidences, have no interval")
  func edges() {
    #expect(hodgesLehmann([]) == nil && hodgesLehmann([1, .nan]) == nil)
    #expect(hodgesLehmannInterval([1, 2, 3, 4, 5], confidence: 0.95) == nil)
    #expect(hodgesLehmannInterval([1, 2, 3, 4, 5, 6], confidence: 0.95) == 1...6)
    #expect(hodgesLehmannInterval([1, 2, 3, 4, 5, .infinity], confidence: 0.95) == nil)
    #expect(hodgesLehmannInterval([], confidence: 0.95) == nil)
    for confidence in [0, 1, -1, 1.5, .nan] { #expect(hodgesLehmannInterval(runTimes, confidence: confidence) == nil) }
    #expect(hodgesLehmannInterval(Array(repeating: 3, count: 20), confidence: 0.99) == 3...3)
  }

  @Test("The interval holds the estimate and inverts the test")
  func inversion() throws {
    var generator = SplitMix64(seed: 8)
    for count in 8..<30 {
      let values = (0..<count).map { _ in generator.nextUnit() - generator.nextUnit() * 0.5 }
      let interval = try #require(hodgesLehmannInterval(values, confidence: 0.95))
      #expect(interval.contains(try #require(hodgesLehmann(values))))
      let averages = walshAverages(values).sorted()
      for (low, high) in zip(averages, averages.dropFirst()) {
        // Between two means of pairs, the test gives the same result for every shift.
        let shift = (low + high) / 2
        let test = try #require(SignedRankTest(values, shift: shift))
        #expect(interval.contains(shift) == (min(test.pAbove, test.pBelow) > 0.025))
      }
    }
  }

  @Test("Swapping the sides flips the estimate; the order of the pairs and a common scale do not matter")
  func properties() throws {
    var generator = SplitMix64(seed: 12)
    for count in 6..<40 {
      let values = (0..<count).map { _ in Double(generator.next(below: 64)) - 20 }
      let estimate = try #require(hodgesLehmann(values))
      let interval = try #require(hodgesLehmannInterval(values, confidence: 0.9))
      let shuffled = values.shuffled(using: &generator)
      #expect(hodgesLehmann(shuffled) == estimate)
      #expect(hodgesLehmannInterval(shuffled, confidence: 0.9) == interval)
      #expect(hodgesLehmann(values.map(-)) == -estimate)
      #expect(hodgesLehmannInterval(values.map(-), confidence: 0.9) == -interval.upperBound ... -interval.lowerBound)
      #expect(hodgesLehmann(values.map { $0 * 8 + 32 }) == estimate * 8 + 32)
      let test = try #require(SignedRankTest(values, shift: 1))
      let mirrored = try #require(SignedRankTest(shuffled.map(-), shift: -1))
      #expect(test.pAbove == mirrored.pBelow && test.pBelow == mirrored.pAbove)
      // A slowdown added to every pair never makes the result look less slow.
      var last = 1.0
      for slowdown in stride(from: -10.0, through: 30, by: 2.5) {
        let p = try #require(SignTest(values.map { $0 + slowdown })).pAbove
        #expect(p <= last)
        last = p
      }
    }
  }
}
