// A2, A7: the calculations of `plan` from pairs of a cell with itself.
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Statistics
import Support
import Testing

@Suite("A2 A7 · planning", .tags(.a2, .a7))
struct NoiseEstimateTests {
  private let rules = PairRules(looks: SequentialPlan.defaultLooks)

  /// Pairs whose differences are about plus or minus the spread, with trials of 20 ms.
  private func pairs(_ spread: Double, trials: Int = 4, count: Int = 40) -> [SamplePair] {
    var generator = SplitMix64(seed: 5)
    return (0..<count).map { number in
      // The middle half of a normal distribution lies within 0.6745 standard deviations.
      let own = spread * 0.6745 * (number.isMultiple(of: 2) ? 1 : -1)
      func side(_ shift: Double) -> Sample {
        var answer = sample("s/e/c", .timing, round: 1, wall: 0.02)
        answer.phases[0].trialWallSeconds = (0..<trials).map { _ in
          0.02 * exp(shift) * (1 + 1e-4 * generator.nextUnit())
        }
        return answer
      }
      return SamplePair(base: side(0), head: side(own), baseFirst: Array(repeating: true, count: trials))
    }
  }

  @Test("The spread, the smallest visible change and the time are computed from the pairs")
  func known() throws {
    let estimate = try #require(NoiseEstimate(pairs(0.02), seconds: 16))
    #expect(estimate.pairSeconds == 0.4)
    #expect(abs(estimate.spread - 0.02) < 0.001 && estimate.measuredSpread == estimate.spread)
    #expect(abs(estimate.trialSeconds - 0.02) < 0.001)
    // exp(4 * 0.02 / sqrt(90)) - 1
    #expect(abs(try #require(estimate.visibleChange(pairs: 90)) - 0.008469) < 0.0005)
  }

  @Test(
    "A verdict is expected at the first look with enough pairs, and at none if the noise is too large",
    arguments: [(0.02, 12), (0.05, 27), (0.08, 90), (0.2, nil)] as [(Double, Int?)])
  func looks(spread: Double, expected: Int?) throws {
    #expect(try #require(NoiseEstimate(pairs(spread), seconds: 10)).expectedPairs(rules) == expected)
  }

  @Test("A time is divided by noise: four times the pairs for twice the noise, and none if it is too short")
  func budget() throws {
    let estimates = try [0.04, 0.08].map { try #require(NoiseEstimate(pairs($0), seconds: 20)) }
    let shares = try #require(pairs(within: 100, of: estimates, rules))
    #expect(shares.reduce(0, +) <= 200 && shares.reduce(0, +) > 190)
    #expect(abs(Double(shares[1]) / Double(shares[0]) - 4) < 0.4)
    #expect(pairs(within: 5, of: estimates, rules) == nil)
  }

  @Test("One pair gives no estimate, and one trial per pair does not show how many to take")
  func tooFew() throws {
    #expect(NoiseEstimate([], seconds: 1) == nil)
    #expect(NoiseEstimate(Array(pairs(0.02).prefix(1)), seconds: 1) == nil)
    #expect(try #require(NoiseEstimate(pairs(0.02, trials: 1), seconds: 10)).worthwhileTrials == nil)
  }

  private func pairs(within seconds: Double, of estimates: [NoiseEstimate], _ rules: PairRules) -> [Int]? {
    Analysis.pairs(within: seconds, of: estimates, rules)
  }
}
