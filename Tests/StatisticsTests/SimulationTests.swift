// How often the tests, the intervals and the sequential plan are wrong, over eight kinds of noise, with runs in the
// real schedule; and that the same simulation detects the faults of a schedule in blocks.
import Foundation
import MissionTags
import Support
import Testing

@testable import Statistics

/// The count in a number of simulated comparisons, and the limit of chance.
private struct Tally: CustomStringConvertible {
  let name: String
  let count: Int
  let allowed: ClosedRange<Int>
  let trials: Int

  var isAllowed: Bool { allowed.contains(count) }
  var description: String { "\(name): \(count) of \(trials), allowed \(allowed)" }

  static func atMost(_ rate: Double, of trials: Int, _ name: String, _ count: Int) -> Tally {
    Tally(name: name, count: count, allowed: 0...upperLimit(trials: trials, rate: rate), trials: trials)
  }

  static func atLeast(_ rate: Double, of trials: Int, _ name: String, _ count: Int) -> Tally {
    Tally(name: name, count: count, allowed: lowerLimit(trials: trials, rate: rate)...trials, trials: trials)
  }
}

/// The schedule of the runs of pairs.
private enum Schedule {
  /// The blocks that comparisons use.
  case paired
  /// All runs of one side before all runs of the other, like in most benchmarks.
  case blocked

  func differences(
    _ shape: NoiseShape, pairs: Int, shift: Double, using generator: inout SplitMix64
  ) -> [Double] {
    switch self {
    case .paired: shape.differences(pairs: pairs, shift: shift, using: &generator)
    case .blocked:
      shape.differences(pairs: pairs, shift: shift, using: &generator) { _ in (0..<pairs).map { ($0, pairs + $0) } }
    }
  }
}

@Suite("A7 · simulated false alarms, misses and coverage", .tags(.a2, .a7))
struct SimulationTests {
  private static let isThorough = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"

  /// Tests at 5 % and intervals at 95 %, on 20 pairs.
  private func fixed(_ shape: NoiseShape, _ schedule: Schedule) throws -> [Tally] {
    let trials = Self.isThorough ? 2000 : 150
    var generator = SplitMix64(seed: 101)
    var (above, below, signs, estimate, typical) = (0, 0, 0, 0, 0)
    for _ in 0..<trials {
      let same = schedule.differences(shape, pairs: 20, shift: 0, using: &generator)
      let ranks = try #require(SignedRankTest(same))
      above += ranks.pAbove <= 0.05 ? 1 : 0
      below += ranks.pBelow <= 0.05 ? 1 : 0
      let sides = try #require(SignTest(same))
      signs += min(sides.pAbove, sides.pBelow) <= 0.025 ? 1 : 0
      let moved = schedule.differences(shape, pairs: 20, shift: 0.03, using: &generator)
      estimate += try #require(hodgesLehmannInterval(moved, confidence: 0.95)).contains(0.03) ? 1 : 0
      typical += try #require(medianInterval(moved, confidence: 0.95)).contains(0.03) ? 1 : 0
    }
    return [
      .atMost(0.05, of: trials, "signed-rank, above", above), .atMost(0.05, of: trials, "signed-rank, below", below),
      .atMost(0.05, of: trials, "signs", signs),
      .atLeast(0.95, of: trials, "Hodges-Lehmann's interval", estimate),
      .atLeast(0.95, of: trials, "the median's interval", typical),
    ]
  }

  /// The plan with its defaults, on equal sides, on sides that differ by the dead zone, and on sides that differ by the
  /// margin.
  private func sequential(_ shape: NoiseShape, _ schedule: Schedule) throws -> [Tally] {
    let trials = Self.isThorough ? 1000 : 40
    let plan = try #require(SequentialPlan())
    var generator = SplitMix64(seed: 202)
    var tallies: [Tally] = []
    for (name, shift) in [("equal", 0), ("1 % slower", naturalLogarithm(1.01)), ("5 % slower", naturalLogarithm(1.05))]
    {
      var (slower, faster, cleared, covered) = (0, 0, 0, 0)
      for _ in 0..<trials {
        let differences = schedule.differences(shape, pairs: 90, shift: shift, using: &generator)
        let verdict = try #require(plan.verdict(endingWith: differences))
        slower += verdict.outcome.isSlower ? 1 : 0
        faster += verdict.outcome.isFaster ? 1 : 0
        cleared += verdict.outcome.rulesOutSlowdown ? 1 : 0
        covered += verdict.interval?.contains(shift) ?? true ? 1 : 0
      }
      if shift < 0.02 { tallies.append(.atMost(0.01, of: trials, "\(name), called slower", slower)) }
      tallies.append(.atMost(0.01, of: trials, "\(name), called faster", faster))
      if shift > 0.02 { tallies.append(.atMost(0.05, of: trials, "\(name), cleared", cleared)) }
      tallies.append(.atLeast(0.98, of: trials, "\(name), the interval where it stopped", covered))
    }
    return tallies
  }

  @Test("Tests at 5 % and intervals at 95 % keep their level, in pairs", arguments: NoiseShape.allCases)
  func fixedInPairs(shape: NoiseShape) throws {
    let tallies = try fixed(shape, .paired)
    try #require(!tallies.isEmpty)
    for tally in tallies { #expect(tally.isAllowed, "\(tally)") }
  }

  @Test("The sequential plan stays within 1 % false alarms and 5 % misses, in pairs", arguments: NoiseShape.allCases)
  func sequentialInPairs(shape: NoiseShape) throws {
    let tallies = try sequential(shape, .paired)
    try #require(!tallies.isEmpty)
    for tally in tallies { #expect(tally.isAllowed, "\(tally)") }
  }

  @Test("The same simulations fail in blocks", arguments: [NoiseShape.drift, .autoregressive])
  func inBlocks(shape: NoiseShape) throws {
    #expect(try fixed(shape, .blocked).contains { !$0.isAllowed })
    #expect(try sequential(shape, .blocked).contains { !$0.isAllowed })
  }
}

extension SimulationTests {
  @Test("The signed-rank test uses its whole level: it is exact, not merely conservative")
  func exactness() throws {
    // P(T <= 60) = 0.0486536 for 20 differences, with integers in Python.
    let trials = Self.isThorough ? 20_000 : 1000
    var generator = SplitMix64(seed: 303)
    let rejected = try (0..<trials).count { _ in
      let differences = NoiseShape.outliers.differences(pairs: 20, shift: 0, using: &generator)
      return try #require(SignedRankTest(differences)).pAbove <= 0.05
    }
    #expect(rejected >= lowerLimit(trials: trials, rate: 0.0486536))
    #expect(rejected <= upperLimit(trials: trials, rate: 0.0486536))
  }

  @Test("Large levels are also kept, and are used", arguments: [NoiseShape.normal, .laplace, .outliers])
  func largeLevels(shape: NoiseShape) throws {
    // With a margin within the noise, the comparisons continue to the last looks, and every look uses its share.
    let trials = Self.isThorough ? 2000 : 60
    let plan = try #require(SequentialPlan(margin: 0.01, deadZone: 0, alpha: 0.2, beta: 0.4))
    var generator = SplitMix64(seed: 505)
    var (slower, covered, cleared) = (0, 0, 0)
    for _ in 0..<trials {
      let equal = shape.differences(pairs: 90, shift: 0, using: &generator)
      let verdict = try #require(plan.verdict(endingWith: equal))
      slower += verdict.outcome.isSlower ? 1 : 0
      covered += verdict.interval?.contains(0) ?? true ? 1 : 0
      let slow = shape.differences(pairs: 90, shift: naturalLogarithm(1.01), using: &generator)
      cleared += try #require(plan.verdict(endingWith: slow)).outcome.rulesOutSlowdown ? 1 : 0
    }
    #expect(slower <= upperLimit(trials: trials, rate: 0.2) && slower >= lowerLimit(trials: trials, rate: 0.08))
    #expect(covered >= lowerLimit(trials: trials, rate: 0.6) && covered <= upperLimit(trials: trials, rate: 0.85))
    #expect(cleared <= upperLimit(trials: trials, rate: 0.4) && cleared >= lowerLimit(trials: trials, rate: 0.04))
  }

  @Test("A slow-down by the margin is found, and equal sides pass, with noise of 3 %")
  func power() throws {
    let trials = Self.isThorough ? 1000 : 40
    let plan = try #require(SequentialPlan())
    var generator = SplitMix64(seed: 404)
    for shape in [NoiseShape.normal, .laplace, .slotBias, .coarseClock] {
      var (found, passed) = (0, 0)
      for _ in 0..<trials {
        let slow = shape.differences(pairs: 90, shift: naturalLogarithm(1.05), using: &generator)
        found += try #require(plan.verdict(endingWith: slow)).outcome.isSlower ? 1 : 0
        let equal = shape.differences(pairs: 90, shift: 0, using: &generator)
        passed += try #require(plan.verdict(endingWith: equal)).outcome == .pass ? 1 : 0
      }
      #expect(found >= lowerLimit(trials: trials, rate: 0.95), "\(shape): \(found) of \(trials) found")
      #expect(passed >= lowerLimit(trials: trials, rate: 0.95), "\(shape): \(passed) of \(trials) passed")
    }
  }
}

extension SequentialOutcome {
  /// Whether a slowdown by the margin is ruled out, which is the question of a gate.
  var rulesOutSlowdown: Bool { isFaster || [.smallRegression, .pass, .notSlower].contains(self) }
}
