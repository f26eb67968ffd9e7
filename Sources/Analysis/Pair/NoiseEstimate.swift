// What comparisons of a cell can detect on this machine, estimated from a few pairs of the cell with itself.
internal import BatchmarkEngine
package import Harness
internal import Instruments
internal import Statistics

/// The noise of a cell's pairs, and its consequences for a comparison.
package struct NoiseEstimate: Sendable {
  /// The time of a trial's measured phase, in seconds.
  package let trialSeconds: Double
  /// The total time of a pair with its overhead, in seconds.
  package let pairSeconds: Double
  /// The robust standard deviation of pairs' differences, as judged.
  package let spread: Double
  /// The same as measured, including the effect of the processor's speed.
  package let measuredSpread: Double
  /// The number of trials per pair that gives the most precise differences for the time spent; `nil` if unknown.
  package let worthwhileTrials: Int?

  /// `nil` if there are too few pairs, or a time is missing.
  ///
  /// - Parameters:
  ///   - pairs: Pairs of one side with itself.
  ///   - seconds: The total time of the pairs.
  package init?(_ pairs: [SamplePair], seconds: Double) {
    let differences = PairDifferences(pairs)
    let times = pairs.flatMap { [$0.base, $0.head] }.flatMap { $0.mainPhase?.trialWallSeconds ?? [] }
    guard pairs.count >= 2, seconds > 0, let trialSeconds = median(times),
      let spread = robustStandardDeviation(differences.values),
      let measured = robustStandardDeviation(differences.measured)
    else { return nil }
    self.trialSeconds = trialSeconds
    pairSeconds = seconds / Double(pairs.count)
    self.spread = spread
    measuredSpread = measured
    worthwhileTrials = NoiseEstimate.worthwhileTrials(
      pairs, slope: differences.slope ?? 0, spread: spread, pairSeconds: pairSeconds)
  }

  /// The smallest slowdown that this many pairs can be expected to detect: 0.05 is 5 %.
  package func visibleChange(pairs: Int) -> Double? {
    minimumDetectableEffect(spread: spread, pairs: pairs).map { ratio(fromLog: $0) - 1 }
  }

  /// The time of this many pairs.
  package func seconds(ofPairs pairs: Int) -> Double { Double(pairs) * pairSeconds }

  /// The look of the rules at which a verdict on their margin can be expected; `nil` if the last look is too early.
  package func expectedPairs(_ rules: PairRules) -> Int? {
    guard let plan = rules.plan, let first = plan.firstDecisiveLook,
      let shift = logRatio(1 + rules.margin, to: 1 + rules.deadZone),
      let needed = pairsNeeded(effect: shift, spread: spread)
    else { return nil }
    return plan.looks.map(\.pairs).first { $0 >= max(needed, first.pairs) }
  }

  /// Kalibera and Jones's number, from the cost of a pair before its trials and the cost of a trial with its checks.
  private static func worthwhileTrials(
    _ pairs: [SamplePair], slope: Double, spread: Double, pairSeconds: Double
  ) -> Int? {
    let trials = pairs.map { pair in pair.logRatios.map { $0.time - slope * ($0.probe ?? 0) } }
    guard let count = trials.first?.count, count > 1, trials.allSatisfy({ $0.count == count }),
      let within = robustStandardDeviation(trials.flatMap { trial in trial.map { $0 - (median(trial) ?? 0) } })
    else { return nil }
    // Both sides check at the same time; only the measured work takes turns.
    let costs = pairs.map { pair in
      let measured: Double = [pair.base, pair.head].compactMap { $0.mainPhase?.wallSeconds }.reduce(0, +)
      let others = pair.base.phases.filter { $0.phase != .load && !$0.phase.isMain }
      return measured + others.compactMap(\.wallSeconds).reduce(0, +)
    }
    guard let once = median(costs), once > 0 else { return nil }
    let between = max(spread * spread - within * within / Double(count), spread * spread / 100).squareRoot()
    return repeatsWorthwhile(
      preparation: max(pairSeconds - Double(count) * once, once / 10), once: once, within: within, between: between)
  }
}

/// Divides a time among comparisons, so that all can detect about the same change.
///
/// - Parameters:
///   - seconds: The total time.
///   - estimates: One for each comparison.
///   - rules: Their rules.
/// - Returns: The pairs for each; `nil` if the time is too short for a verdict on one of them.
package func pairs(within seconds: Double, of estimates: [NoiseEstimate], _ rules: PairRules) -> [Int]? {
  guard let least = rules.plan?.firstDecisiveLook?.pairs else { return nil }
  return pairsWithin(
    seconds: seconds, of: estimates.map { (spread: $0.spread, secondsPerPair: $0.pairSeconds) }, least: least)
}
