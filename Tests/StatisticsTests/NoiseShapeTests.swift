// The simulations themselves: limits of chance, and the correct spread of each kind of noise.
import MissionTags
import Support
import Testing

@testable import Statistics

/// The largest number of successes by chance at a rate, except in 1 of 2,000 cases.
func upperLimit(trials: Int, rate: Double) -> Int {
  var limit = Int(Double(trials) * rate)
  while limit < trials, binomialTail(atLeast: limit + 1, trials: trials, rate: rate) > 0.0005 { limit += 1 }
  return limit
}

/// The smallest number of successes by chance at a rate, except in 1 of 2,000 cases.
func lowerLimit(trials: Int, rate: Double) -> Int { trials - upperLimit(trials: trials, rate: 1 - rate) }

@Suite("A2 · the simulations themselves", .tags(.a2))
struct NoiseShapeTests {
  @Test("Limits agree with scipy.stats.binom")
  func limits() {
    #expect(lowerLimit(trials: 2000, rate: 0.978516) == 1934 && upperLimit(trials: 2000, rate: 0.978516) == 1977)
    #expect(lowerLimit(trials: 2000, rate: 0.956715) == 1882 && upperLimit(trials: 2000, rate: 0.956715) == 1942)
  }

  @Test("Each kind of noise has about its stated spread", arguments: NoiseShape.allCases)
  func spread(shape: NoiseShape) throws {
    var generator = SplitMix64(seed: 1)
    let differences = shape.differences(pairs: 2000, shift: 0, using: &generator)
    let spread = try #require(robustStandardDeviation(differences))
    #expect((0.015...0.07).contains(spread))
    #expect(abs(try #require(median(differences))) < 0.006)
  }
}
