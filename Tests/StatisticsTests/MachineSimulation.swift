// Comparisons on machines whose truths differ, played many times: how often the interval of their combined ratio holds the truth.
import Support

@testable import Statistics

/// A sample of machines, each with a truth of its own about that of all machines, and with noise of its own.
struct SimulatedMachines: Sendable {
  /// How many there are.
  let count: Int
  /// The standard deviation of the machines' true log ratios.
  let spread: Double
  /// What the noise of a round is multiplied by, from the first machine's to the last one's, in equal factors.
  ///
  /// With 1 a log ratio has a robust spread of about 3 % around the machine's own truth.
  let noise: ClosedRange<Double>
  /// Paired rounds on each.
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

  /// Draws the machines and what they measure, for a log ratio over all machines that is `truth`: the log ratios of each.
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

/// What combining came to in simulated comparisons, drawn from a seed.
struct MachineSimulation: Sendable {
  /// How many comparisons had an interval.
  let intervals: Int
  /// How many of these held the truth.
  let covered: Int

  /// Plays comparisons; O(runs × machines × rounds).
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
