// A sequential comparison's verdict: the effect, its certainty, and what could have been detected.

/// The verdict of a sequential comparison at the look where it stopped.
///
/// All sizes are natural logarithms of B/A. It depends only on a ``SequentialPlan`` and the differences.
package struct SequentialVerdict: Sendable, Hashable {
  package let outcome: SequentialOutcome
  /// The look at which it stopped.
  package let look: SequentialPlan.Look
  /// The Hodges-Lehmann estimate of the shift.
  package let effect: Double
  /// The interval of the shift that inverts the signed-rank test at the look's α; `nil` if there are too few pairs.
  ///
  /// "Slower" is shown if all of it is above the dead zone. The levels of all looks add up to α on each side, so it
  /// covers the shift with at least 1 − 2α wherever the comparison stops. It is a repeated confidence interval
  /// (Jennison and Turnbull, "Interim analyses: the repeated confidence interval approach", Journal of the Royal
  /// Statistical Society B 51, 1989). Therefore it is wide at the first looks.
  package let interval: ClosedRange<Double>?
  /// The effect that this many pairs could have detected: ``minimumDetectableEffect(spread:pairs:)``.
  package let detectable: Double

  /// Whether the change is so large that it needs no confirmation by fresh pairs: its whole interval is beyond three
  /// margins.
  ///
  /// Fresh pairs guard against a change of the machine while pairs are taken. One of that size would show in every
  /// pair.
  package func needsNoConfirmation(margin: Double) -> Bool {
    guard let interval, let step = logRatio(1 + margin, to: 1) else { return false }
    return interval.lowerBound > 3 * step || interval.upperBound < -3 * step
  }

  /// The number of pairs behind the verdict.
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
