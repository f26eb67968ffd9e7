// A sequential comparison's verdict: what was seen, how surely, and what could have been seen.

/// The verdict of a sequential comparison at the look where it stopped.
///
/// All sizes are natural logarithms of B/A. It follows from a ``SequentialPlan`` and the differences alone.
package struct SequentialVerdict: Sendable, Hashable {
  package let outcome: SequentialOutcome
  /// The look at which it stopped.
  package let look: SequentialPlan.Look
  /// The Hodges-Lehmann estimate of the shift.
  package let effect: Double
  /// The interval of the shift that inverts the signed-rank test at the look's α; nil when there are too few pairs for it.
  ///
  /// "Slower" is shown when all of it lies above the dead zone. The levels of all looks sum up to α on each side, so it
  /// covers the shift with at least 1 − 2α wherever the comparison stopped: it is a repeated confidence interval (Jennison
  /// and Turnbull, "Interim analyses: the repeated confidence interval approach", Journal of the Royal Statistical Society
  /// B 51, 1989). That is why it is wide at the first looks.
  package let interval: ClosedRange<Double>?
  /// What could have been seen with this many pairs: ``minimumDetectableEffect(spread:pairs:)``.
  package let detectable: Double

  /// Whether the change is so large that no fresh pairs need to confirm it: its whole interval lies beyond three margins.
  ///
  /// Fresh pairs guard against a change that the machine makes while pairs are taken. One of that size shows in every pair.
  package func needsNoConfirmation(margin: Double) -> Bool {
    guard let interval, let step = logRatio(1 + margin, to: 1) else { return false }
    return interval.lowerBound > 3 * step || interval.upperBound < -3 * step
  }

  /// Pairs the verdict rests on.
  package var pairs: Int { look.pairs }

  init?(outcome: SequentialOutcome, look: SequentialPlan.Look, differences: [Double]) {
    guard let effect = hodgesLehmann(differences), let spread = robustStandardDeviation(differences),
      let detectable = minimumDetectableEffect(spread: spread, pairs: differences.count)
    else { return nil }
    self.outcome = outcome
    self.look = look
    self.effect = effect
    interval = hodgesLehmannInterval(differences, confidence: 1 - 2 * look.alpha)
    self.detectable = detectable
  }
}
