// How often the interval of a ratio over machines contains the truth: the numbers in Documentation/Validation.md.
import Foundation
import MissionTags
import Support
import Testing

@testable import Statistics

/// A line of the table: the number of machines, and how much they and their noise differ.
struct SimulatedCase: Sendable, CustomTestStringConvertible {
  let machines: Int
  let spread: Double
  let isEqual: Bool

  static let all = [3, 5, 10].flatMap { machines in
    [0, 0.03, 0.1].flatMap { spread in
      [true, false].map { SimulatedCase(machines: machines, spread: spread, isEqual: $0) }
    }
  }

  /// With unequal noise, the last machine's noise is eight times the first one's.
  func simulated(rounds: Int) -> SimulatedMachines {
    SimulatedMachines(count: machines, spread: spread, noise: isEqual ? 1...1 : 0.5...4, rounds: rounds)
  }

  /// If machines only differ because of unequal noise, the interval is known to contain the truth more often than
  /// promised.
  var mayHoldMore: Bool { spread == 0 && !isEqual }

  var testDescription: String { "\(machines) machines, \(spread), \(isEqual ? "equal" : "unequal") noise" }
}

@Suite("A12 · ratios of several machines, simulated", .tags(.a2, .a12))
struct MachineSimulationTests {
  private static let isThorough = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"
  private let truth = naturalLogarithm(1.2)

  @Test(
    "In 10,000 runs, 94 to 96 % of the intervals contain the truth", .enabled(if: isThorough),
    arguments: SimulatedCase.all)
  func coverage(of line: SimulatedCase) {
    let found = MachineSimulation(of: line.simulated(rounds: 6), truth: truth, runs: 10_000, seed: 21)
    print("\(line.testDescription): \(found.covered) of \(found.intervals)")
    #expect(found.intervals == 10_000)
    #expect((9_400...(line.mayHoldMore ? 10_000 : 9_600)).contains(found.covered), "\(found.covered)")
  }

  @Test("In fewer runs, as many intervals contain it as chance allows", arguments: SimulatedCase.all)
  func quickCoverage(of line: SimulatedCase) {
    let runs = 6_000 / line.machines
    let found = MachineSimulation(of: line.simulated(rounds: 2), truth: truth, runs: runs, seed: 22)
    let most = line.mayHoldMore ? runs : upperLimit(trials: runs, rate: 0.95)
    #expect(found.intervals == runs)
    #expect((lowerLimit(trials: runs, rate: 0.95)...most).contains(found.covered), "\(found.covered)")
  }

  @Test(
    "Intervals also cover the true ratio with other noise", .enabled(if: isThorough), arguments: NoiseShape.allCases)
  func shapes(shape: NoiseShape) {
    for count in [3, 5] {
      let machines = SimulatedMachines(count: count, spread: 0.03, noise: 0.5...4, shape: shape)
      let found = MachineSimulation(of: machines, truth: truth, runs: 2_000, seed: 23)
      #expect(found.covered >= lowerLimit(trials: 2_000, rate: 0.95), "\(count) machines: \(found.covered)")
    }
  }

  @Test("Rounds pooled as one sample contain the true ratio far too rarely if machines differ")
  func mixedMachines() throws {
    // What combining prevents: 30 rounds of 5 machines treated like 30 rounds of one.
    var generator = SplitMix64(seed: 24)
    let machines = SimulatedMachines(count: 5, spread: 0.1)
    let covered = try (0..<300).count { _ in
      let measured = machines.measure(truth, using: &generator)
      let mixed = try #require(CombinedRatio(logRatios: Array(measured.joined())))
      return try #require(mixed.interval).contains(1.2)
    }
    #expect(covered < 200, "\(covered) of 300")
  }

  @Test("Two machines have no interval")
  func tooFew() {
    let two = MachineSimulation(of: SimulatedMachines(count: 2, spread: 0.03), truth: truth, runs: 10, seed: 25)
    #expect(two.intervals == 0 && two.covered == 0)
  }
}
