// A sequential plan played many times on noise whose truth is known: how often it cries wolf, and how much it sees.
internal import Support

/// What a plan came to in simulated comparisons, drawn from a seed.
package struct PlanSimulation: Sendable {
  /// The number of comparisons of equal sides, and the same number with one side slower by the margin.
  package let comparisons: Int
  /// Equal sides where one was called slower.
  package let falseAlarms: Int
  /// Slower sides that were called slower.
  package let found: Int
  /// Slower sides for which a slow-down by the margin was ruled out.
  package let missed: Int
  /// Comparisons, of both kinds, whose interval holds the truth.
  package let covered: Int

  /// Plays the comparisons.
  ///
  /// O(comparisons × pairs²).
  ///
  /// - Parameters:
  ///   - plan: What decides.
  ///   - shape: The kind of noise.
  ///   - comparisons: How many of each kind.
  ///   - seed: Decides all noise.
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

  /// Whether the false alarms are as few as the plan promises, but for a chance of 1 in 1,000.
  package func keeps(_ plan: SequentialPlan) -> Bool {
    binomialTail(atLeast: falseAlarms, trials: comparisons, rate: plan.alpha) > 0.001
      && binomialTail(atLeast: missed, trials: comparisons, rate: plan.beta) > 0.001
  }
}
