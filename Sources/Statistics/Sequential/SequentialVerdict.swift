// A sequential comparison's verdict with everything a report prints: what was seen, how surely, and what could have been.

/// The verdict of a sequential comparison at the look where it stopped.
///
/// All sizes are natural logarithms of B/A. It follows from a ``SequentialPlan`` and the differences alone.
package struct SequentialVerdict: Sendable, Hashable {
  package let outcome: SequentialOutcome
  /// The look at which it stopped, from 1.
  package let lookNumber: Int
  /// Its pairs and levels.
  package let look: SequentialPlan.Look
  /// The Hodges-Lehmann estimate of the shift.
  package let effect: Double
  /// The interval of the shift that inverts the signed-rank test at the look's α; nil when there are too few pairs for it.
  ///
  /// "Slower" is shown when all of it lies above the dead zone. Since the levels of all looks sum up to α on each side, it covers the shift with at least 1 − 2α wherever the comparison
  /// stopped (a repeated confidence interval: Jennison and Turnbull, "Interim analyses: the repeated confidence interval
  /// approach", Journal of the Royal Statistical Society B 51, 1989). It is wide at the first looks for that reason.
  package let interval: ClosedRange<Double>?
  /// The median of the differences: the typical pair, where ``effect`` also heeds the tails.
  package let median: Double
  /// The interval of the median that inverts the sign test at the look's α, likewise.
  package let medianInterval: ClosedRange<Double>?
  /// The p-values on which the outcome rests.
  package let evidence: SequentialEvidence
  /// The two-sided signed-rank test of no change at all, with the numbers of zeros and ties; of this look alone.
  package let noChange: SignedRankTest
  /// The ``robustStandardDeviation(_:)`` of the differences.
  package let spread: Double
  /// What could have been seen with this many pairs: ``minimumDetectableEffect(spread:pairs:)``.
  package let detectable: Double
  /// The ``autocorrelation(_:)`` of the differences; nil when they are all the same.
  package let autocorrelation: Double?

  /// Whether the change is so large that no fresh pairs need to confirm it: its whole interval lies beyond three margins.
  ///
  /// Fresh pairs guard against a change that the machine makes while pairs are taken. One of that size shows in every pair.
  package func needsNoConfirmation(margin: Double) -> Bool {
    guard let interval, let step = logRatio(1 + margin, to: 1) else { return false }
    return interval.lowerBound > 3 * step || interval.upperBound < -3 * step
  }

  /// Pairs the verdict rests on.
  package var pairs: Int { look.pairs }

  init?(
    outcome: SequentialOutcome, look: SequentialPlan.Look, lookNumber: Int, differences: [Double],
    evidence: SequentialEvidence
  ) {
    guard let effect = hodgesLehmann(differences), let median = Statistics.median(differences),
      let noChange = SignedRankTest(differences), let spread = robustStandardDeviation(differences),
      let detectable = minimumDetectableEffect(spread: spread, pairs: differences.count)
    else { return nil }
    self.outcome = outcome
    self.look = look
    self.lookNumber = lookNumber
    self.effect = effect
    interval = hodgesLehmannInterval(differences, confidence: 1 - 2 * look.alpha)
    self.median = median
    medianInterval = Statistics.medianInterval(differences, confidence: 1 - 2 * look.alpha)
    self.evidence = evidence
    self.noChange = noChange
    self.spread = spread
    self.detectable = detectable
    autocorrelation = Statistics.autocorrelation(differences)
  }
}
