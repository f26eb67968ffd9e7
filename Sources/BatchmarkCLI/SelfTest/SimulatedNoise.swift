// The plan of `pair` played on eight kinds of noise, drawn from a seed.
internal import Analysis
internal import Harness
internal import Statistics

enum SimulatedNoise {
  /// One line for each kind of noise: how often equal sides were called slower, and slower ones found.
  ///
  /// - Parameters:
  ///   - plan: What is played.
  ///   - comparisons: How many of equal sides, and as many of sides that differ by the margin.
  ///   - seed: Decides all noise.
  /// - Returns: The checks, in the order of the kinds.
  static func checks(_ plan: SequentialPlan, comparisons: Int, seed: UInt64) -> [DoctorCheck] {
    NoiseShape.allCases.map { shape in
      let played = PlanSimulation(of: plan, shape: shape, comparisons: comparisons, seed: seed)
      let words =
        "\(played.falseAlarms) false alarms and \(played.found) slow-downs found, of \(comparisons) each; "
        + "\(played.covered) of \(2 * comparisons) intervals hold the truth"
      return played.keeps(plan)
        ? .ok(shape.rawValue, words)
        : .fail(shape.rawValue, words, "that is more than the plan promises; this build's verdicts cannot be trusted")
    }
  }
}
