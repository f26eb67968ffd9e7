// Simulates a sequential plan many times on noise with a known truth: how often it raises false alarms, and how much it
// detects.
internal import Support

/// The results of a plan in simulated comparisons, drawn from a seed.
package struct PlanSimulation: Sendable {
  /// The number of comparisons of equal sides, and of comparisons in which one side is slower by the margin.
  package let comparisons: Int
  /// Comparisons of equal sides in which one was called slower.
  package let falseAlarms: Int
  /// Slower sides that were called slower.
  package let found: Int
  /// Slower sides for which a slowdown by the margin was ruled out.
  package let missed: Int
  /// Comparisons of both kinds with an interval that contains the truth.
  package let covered: Int

  /// Simulates the comparisons.
  ///
  /// O(comparisons × pairs²).
  ///
  /// - Parameters:
  ///   - plan: The plan to simulate.
  ///   - shape: The kind of noise.
  ///   - comparisons: The number of comparisons of each kind.
  ///   - seed: The seed of all noise.
  package init(of plan: SequentialPlan, shape: NoiseShape, comparisons: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let pairs = plan.looks.last?.pairs ?? 0
    let margin = naturalLogarithm(1 + plan.margin)
    var (falseAlarms, found, missed, covered) = (0, 0, 0, 0)
    for _ in 0..<comparisons {
      let equal = plan.verdict(endingWith: shape.differences(pairs: pairs, shift: 0, using: &generator))
      falseAlarms += equal?.outcome.isSlower == true ? 1 : 0
      covered += equal?.interval?.contains(0) == true ? 1 : 0
      let slower = plan.verdict(endingWith: shape.differences(pairs: pairs, shift: margin, using: &generator))
      found += slower?.outcome.isSlower == true ? 1 : 0
      missed += slower?.outcome == .pass || slower?.outcome == .notSlower ? 1 : 0
      covered += slower?.interval?.contains(margin) == true ? 1 : 0
    }
    self.comparisons = comparisons
    self.falseAlarms = falseAlarms
    self.found = found
    self.missed = missed
    self.covered = covered
  }

  /// Whether there are as few false alarms as the plan promises, except for a chance of 1 in 1,000.
  package func keeps(_ plan: SequentialPlan) -> Bool {
    binomialTail(atLeast: falseAlarms, trials: comparisons, rate: plan.alpha) > 0.001
      && binomialTail(atLeast: missed, trials: comparisons, rate: plan.beta) > 0.001
  }
}
