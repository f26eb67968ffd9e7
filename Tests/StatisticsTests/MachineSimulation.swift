// Simulates many comparisons on machines with different truths: how often the interval of their combined ratio contains
// the truth.
import Support

@testable import Statistics

/// A sample of machines, each with its own truth around that of all machines, and with its own noise.
struct SimulatedMachines: Sendable {
  /// The number of machines.
  let count: Int
  /// The standard deviation of the machines' true log ratios.
  let spread: Double
  /// The factors of a round's noise, from the first machine to the last one, with equal ratios.
  ///
  /// With 1, a log ratio has a robust spread of about 3 % around the machine's own truth.
  let noise: ClosedRange<Double>
  /// The number of paired rounds on each.
  let rounds: Int
  let shape: NoiseShape

  init(
    count: Int, spread: Double, noise: ClosedRange<Double> = 1...1, rounds: Int = 6, shape: NoiseShape = .normal
  ) {
    self.count = count
    self.spread = spread
    self.noise = noise
    self.rounds = rounds
    self.shape = shape
  }

  /// Draws the machines and their measurements for a log ratio of `truth` over all machines: the log ratios of each.
  func measure(_ truth: Double, using generator: inout SplitMix64) -> [[Double]] {
    let steps = Double(max(count - 1, 1))
    let growth = naturalLogarithm(noise.upperBound / noise.lowerBound)
    return (0..<count).map { machine in
      let own = truth + spread * generator.nextNormal()
      let scale = noise.lowerBound * exponential(growth * Double(machine) / steps)
      let rounds = shape.differences(pairs: rounds, shift: 0, using: &generator)
      return rounds.map { own + scale * $0 }
    }
  }
}

/// The results of simulated comparisons, drawn from a seed.
struct MachineSimulation: Sendable {
  /// The number of comparisons with an interval.
  let intervals: Int
  /// The number of these that contain the truth.
  let covered: Int

  /// Simulates comparisons; O(runs × machines × rounds).
  init(of machines: SimulatedMachines, truth: Double, runs: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let found = (0..<runs).compactMap { _ -> ClosedRange<Double>? in
      let measured = machines.measure(truth, using: &generator)
      return CombinedRatio(logRatios: measured.compactMap(meanLogRatio))?.interval
    }
    intervals = found.count
    covered = found.count { $0.contains(exponential(truth)) }
  }
}
