// A12: how often several machines report a change that does not exist, and miss one that does.
import Foundation
import Harness
import MissionTags
import Statistics
import Support
import Testing

@testable import Analysis

@Suite("A12 · the verdict of machines", .tags(.a12))
struct PairOnMachinesTests {
  private let rules = PairRules(looks: [24])

  /// The number of verdicts of each kind in 3,000 comparisons on this many machines.
  private func verdicts(_ change: Double, machines: Int, spread: Double, seed: UInt64) -> [Verdict: Int] {
    var generator = SplitMix64(seed: seed)
    return (0..<3_000).reduce(into: [:]) { counts, _ in
      let logRatios = (0..<machines).map { _ in
        let own = log(1 + change) + spread * generator.nextNormal()
        return NoiseShape.normal.differences(pairs: 24, shift: 0, using: &generator).map { own + $0 }
      }
      counts[PairOnMachines.verdict(on: logRatios.compactMap(meanLogRatio), rules), default: 0] += 1
    }
  }

  @Test(
    "A change in the dead zone raises an alarm, and a slow-down by the margin passes, as rarely as the rules say",
    arguments: [(3, 0.01), (5, 0.01), (5, 0.03), (10, 0.03)])
  func errors(machines: Int, spread: Double) {
    let none = verdicts(rules.deadZone, machines: machines, spread: spread, seed: 3)
    // 1 % of 3,000, plus three standard deviations.
    #expect((none[.regression] ?? 0) + (none[.small] ?? 0) <= 46, "\(none)")
    let slower = verdicts(rules.margin, machines: machines, spread: spread, seed: 4)
    #expect((slower[.pass] ?? 0) <= 186, "\(slower)")
  }

  @Test("Five machines that differ by 1 % pass equal sides, and find a side that is a tenth slower or faster")
  func power() {
    #expect((verdicts(0, machines: 5, spread: 0.01, seed: 5)[.pass] ?? 0) > 2_900)
    #expect((verdicts(0.1, machines: 5, spread: 0.01, seed: 6)[.regression] ?? 0) > 2_900)
    #expect((verdicts(-0.1, machines: 5, spread: 0.01, seed: 7)[.improved] ?? 0) > 2_900)
  }

  @Test("Fewer than three machines have no verdict, and machines that all agree are trusted")
  func few() {
    for logRatios in [[], [0.1], [0.1, 0.1]] {
      #expect(PairOnMachines.verdict(on: logRatios, rules) == .inconclusive)
    }
    #expect(PairOnMachines.verdict(on: [0.1, 0.1, 0.1], rules) == .regression)
    #expect(PairOnMachines.verdict(on: [0.03, 0.03, 0.03], rules) == .small)
    #expect(PairOnMachines.verdict(on: [0, 0, 0], rules) == .pass)
    #expect(PairOnMachines.verdict(on: [-0.1, -0.1, -0.1], rules) == .improved)
    #expect(PairOnMachines.verdict(on: [-0.03, -0.03, -0.03], rules) == .pass, "faster by less than the margin")
  }
}
