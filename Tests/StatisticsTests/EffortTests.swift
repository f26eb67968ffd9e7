// The effort that an effect needs, compared with sums computed by hand.
import MissionTags
import Testing

@testable import Statistics

@Suite("A7 · effort", .tags(.a2, .a7))
struct EffortTests {
  @Test("The visible change and the number of pairs for it are consistent")
  func effort() throws {
    #expect(minimumDetectableEffect(spread: 0.03, pairs: 16) == 0.03)
    #expect(minimumDetectableEffect(spread: 0, pairs: 3) == 0)
    #expect(minimumDetectableEffect(spread: 0.1, pairs: 0) == nil)
    #expect(minimumDetectableEffect(spread: -0.1, pairs: 3) == nil)
    #expect(pairsNeeded(effect: 0.05, spread: 0.03) == 6 && pairsNeeded(effect: 0.05, spread: 0.1) == 64)
    #expect(pairsNeeded(effect: 0.05, spread: 0) == 1)
    #expect(pairsNeeded(effect: 0, spread: 0.1) == nil && pairsNeeded(effect: 1e-300, spread: 1e300) == nil)
    for spread in [0.007, 0.02, 0.055, 0.3] {
      let pairs = try #require(pairsNeeded(effect: 0.0488, spread: spread))
      #expect(try #require(minimumDetectableEffect(spread: spread, pairs: pairs)) <= 0.0488)
      if pairs > 1 { #expect(try #require(minimumDetectableEffect(spread: spread, pairs: pairs - 1)) > 0.0488) }
    }
  }

  @Test("A time is divided so that noisy comparisons get more pairs")
  func budget() throws {
    let comparisons: [(spread: Double, secondsPerPair: Double)] = [(0.02, 0.1), (0.04, 0.1), (0.08, 0.2), (0, 0.1)]
    let pairs = try #require(pairsWithin(seconds: 60, of: comparisons, least: 12))
    #expect(pairs[3] == 12)
    // 4 : 16 : 64 at 0.1, 0.1 and 0.2 seconds, of the 58.8 remaining seconds.
    #expect(abs(pairs[0] - 16) <= 1 && abs(pairs[1] - 63) <= 2 && abs(pairs[2] - 254) <= 3)
    let taken = Double(pairs[0] + pairs[1] + 2 * pairs[2] + pairs[3]) / 10
    #expect(taken <= 60 && taken > 59.5)
    #expect(pairsWithin(seconds: 5.9, of: comparisons, least: 12) == nil)
    #expect(pairsWithin(seconds: 6.1, of: comparisons, least: 12)?.prefix(2) == [12, 12])
    #expect(pairsWithin(seconds: 9, of: [(0, 0.1)], least: 12) == [12])
    #expect(pairsWithin(seconds: 9, of: [], least: 12) == [])
    #expect(pairsWithin(seconds: 9, of: [(.nan, 0.1)], least: 12) == nil)
    #expect(pairsWithin(seconds: 9, of: [(0.1, 0)], least: 12) == nil)
  }

  @Test("Repeats are worth their time if preparation costs much, or runs differ much from each other")
  func repeats() {
    #expect(repeatsWorthwhile(preparation: 90, once: 10, within: 2, between: 2) == 3)
    #expect(repeatsWorthwhile(preparation: 90, once: 10, within: 1, between: 6) == 1)
    #expect(repeatsWorthwhile(preparation: 0, once: 10, within: 1, between: 1) == 1)
    #expect(repeatsWorthwhile(preparation: 1, once: 0, within: 1, between: 1) == nil)
    #expect(repeatsWorthwhile(preparation: 1, once: 1, within: .nan, between: 1) == nil)
  }

  @Test("The correlation of neighbors is right for alike, unlike and unrelated ones")
  func neighbors() throws {
    // NumPy 2.4, from the definition.
    #expect(abs(try #require(autocorrelation(runTimes)) + 0.12707168220908158) < 1e-12)
    #expect(try #require(autocorrelation((0..<100).map(Double.init))) > 0.9)
    #expect(try #require(autocorrelation((0..<100).map { Double($0 % 2) })) < -0.9)
    #expect(
      autocorrelation([1, 2]) == nil && autocorrelation([3, 3, 3]) == nil && autocorrelation([1, .nan, 2]) == nil)
  }
}
