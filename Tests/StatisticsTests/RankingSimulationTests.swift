// How often a ranking of many cells is wrong, and how often it finds a true difference: the numbers in
// Documentation/Validation.md.
import Foundation
import MissionTags
import Support
import Testing

@testable import Statistics

/// Groups of cells with equal work in rounds that all cells share.
///
/// Every pair in a group is a claim.
private struct RankedCells {
  let groups: Int
  /// The logarithm of the times of the cells of each group, without noise.
  let times: [Double]
  let rounds: Int
  let noise: Noise

  enum Noise: String, CaseIterable {
    /// 3 % for each cell.
    case quiet
    /// The same, with a stall in one of ten samples, of a third on average.
    case stalls
    /// 15 % for each cell, with a stall in one of seven samples, of a half on average.
    case noisy

    func next(_ generator: inout SplitMix64) -> Double {
      switch self {
      case .quiet: 0.03 * generator.nextNormal()
      case .stalls:
        0.03 * generator.nextNormal() + (generator.next(below: 10) == 0 ? 0.3 * generator.nextExponential() : 0)
      case .noisy:
        0.15 * generator.nextNormal() + (generator.next(below: 7) == 0 ? 0.5 * generator.nextExponential() : 0)
      }
    }
  }

  /// The result of a run: whether any claim is false, and how many of the true claims it makes.
  func judge(_ generator: inout SplitMix64) -> (isFalse: Bool, found: Int, true: Int) {
    let moods = (0..<rounds).map { _ in 0.05 * generator.nextNormal() }
    var claims: [[Double?]] = []
    var truths: [Double] = []
    for _ in 0..<groups {
      let cells = times.map { time in moods.map { $0 + time + noise.next(&generator) } }
      for index in times.indices {
        for other in 0..<index {
          claims.append(zip(cells[index], cells[other]).map { $0 - $1 })
          truths.append(times[index] - times[other])
        }
      }
    }
    let verdicts = StepDownMaxT(claims)?.claims ?? []
    let made = verdicts.indices.compactMap { index -> Bool? in
      // A report makes no claim that contradicts an interval next to it.
      let interval = medianInterval(claims[index].compactMap(\.self), confidence: 0.95)
      guard let verdict = verdicts[index], verdict.isCertain(), interval?.contains(0) == false else { return nil }
      let truth = truths[index]
      return truth != 0 && (verdict.side == .above) == (truth > 0)
    }
    return (made.contains(false), made.count { $0 }, truths.count { $0 != 0 })
  }

  /// The shares over many runs.
  func simulate(runs: Int, seed: UInt64) -> (falseRuns: Int, power: Double) {
    var generator = SplitMix64(seed: seed)
    let judged = (0..<runs).map { _ in judge(&generator) }
    let all = judged.reduce(0) { $0 + $1.true }
    return (judged.count(where: \.isFalse), all > 0 ? Double(judged.reduce(0) { $0 + $1.found }) / Double(all) : 0)
  }
}

@Suite("A7 · rankings of many cells, simulated", .tags(.a2, .a7))
struct RankingSimulationTests {
  private static let isSlow = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"
  private let runs = isSlow ? 2_000 : 300
  /// Three equal cells, and three that are slower by a third, by 80 % and by a factor of 2.5.
  private let mixed = [0, 0, 0, 0.3, 0.6, 0.9]

  @Test("If all cells are alike, at most one run in twenty makes a claim", arguments: [8, 10])
  func alike(rounds: Int) {
    var all = 0
    for (number, noise) in RankedCells.Noise.allCases.enumerated() {
      let cells = RankedCells(groups: 4, times: [0, 0, 0, 0, 0, 0], rounds: rounds, noise: noise)
      let found = cells.simulate(runs: runs, seed: UInt64(40 + number))
      #expect(found.falseRuns <= upperLimit(trials: runs, rate: 0.05), "\(noise): \(found.falseRuns) of \(runs)")
      all += found.falseRuns
    }
    #expect(all <= upperLimit(trials: 3 * runs, rate: 0.05), "\(all) of \(3 * runs)")
  }

  @Test("If half of the cells are alike, eight rounds find the true differences and claim nothing else")
  func halfAlike() {
    for (noise, least) in zip(RankedCells.Noise.allCases, [0.99, 0.8, 0.35]) {
      let cells = RankedCells(groups: 4, times: mixed, rounds: 8, noise: noise)
      let found = cells.simulate(runs: runs, seed: 50)
      #expect(found.falseRuns <= upperLimit(trials: runs, rate: 0.05), "\(noise): \(found.falseRuns) of \(runs)")
      #expect(found.power >= least, "\(noise): \(found.power)")
    }
  }

  @Test("Six rounds are enough for 24 cells on a quiet machine")
  func fewRounds() {
    let cells = RankedCells(groups: 4, times: mixed, rounds: 6, noise: .quiet)
    let found = cells.simulate(runs: runs, seed: 60)
    #expect(found.falseRuns <= upperLimit(trials: runs, rate: 0.05) && found.power >= 0.95, "\(found)")
  }

  @Test(
    "The table in Documentation/Validation.md is right",
    .enabled(if: RankingSimulationTests.isSlow, "of the slow tests"),
    arguments: [6, 8, 10])
  func table(rounds: Int) {
    for noise in RankedCells.Noise.allCases {
      let alike = RankedCells(groups: 4, times: [0, 0, 0, 0, 0, 0], rounds: rounds, noise: noise)
      let half = RankedCells(groups: 4, times: mixed, rounds: rounds, noise: noise)
      let (none, some) = (alike.simulate(runs: runs, seed: 70), half.simulate(runs: runs, seed: 71))
      print(
        "ranking: \(rounds) rounds, \(noise): false \(none.falseRuns) and \(some.falseRuns) of \(runs), found \(some.power)"
      )
      #expect(max(none.falseRuns, some.falseRuns) <= upperLimit(trials: runs, rate: 0.05))
    }
  }
}
