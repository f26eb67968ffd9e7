// The ratios of the two sides' times over the pairs, as logarithms, without what the processor's speed explains.
internal import Statistics

/// The logarithms of head's main wall times over base's, pair by pair.
///
/// On a shared machine the processor's speed changes by a factor of two within milliseconds. It was probed while each
/// trial ran, so that a line through all trials' ratios says how times follow it; what is left is judged. The line is the
/// same whichever side is called base, so that a random order still makes differences symmetric where nothing changed.
package struct PairDifferences: Sendable {
  /// As measured: the middle ratio of each pair's trials; no number where a time is missing, so that no verdict is given.
  package let measured: [Double]
  /// The same without the processor's speed, and what is judged; as measured where the speed was not probed.
  package let values: [Double]
  /// By what power of the probe's time the times grow; nil where values are as measured.
  package let slope: Double?

  package init(_ pairs: [SamplePair]) {
    let trials = pairs.map(\.logRatios)
    measured = trials.map { PairDifferences.middle($0.map(\.time)) }
    let all = trials.flatMap(\.self)
    let speeds = all.compactMap(\.probe)
    guard speeds.count == all.count, all.count >= PairDifferences.leastTrials,
      let found = slopeThroughOrigin(all.map(\.time), on: speeds), PairDifferences.isFair(trials)
    else {
      (values, slope) = (measured, nil)
      return
    }
    let slope = min(max(found, 0), PairDifferences.steepest)
    values = trials.map { pair in PairDifferences.middle(pair.map { $0.time - slope * ($0.probe ?? 0) }) }
    self.slope = slope
  }

  /// A line through fewer trials would follow their noise.
  private static let leastTrials = 24
  /// Nothing that runs slows down by more than the square of what the probe does.
  private static let steepest = 2.0
  /// The level at which sides are found to differ in how fast the probe runs beside them.
  private static let unfairLevel = 0.001
  /// Such a difference matters when it is larger than this, as a logarithm: half of the usual dead zone.
  private static let unfairShift = 0.005

  /// Whether the probe runs as fast beside one side as beside the other: if it does not, it is not a measure of the
  /// machine alone.
  private static func isFair(_ trials: [[(time: Double, probe: Double?)]]) -> Bool {
    let probes = trials.map { middle($0.map { $0.probe ?? 0 }) }
    guard let test = SignedRankTest(probes), let shift = median(probes) else { return true }
    return min(test.pAbove, test.pBelow) > unfairLevel || shift.magnitude < unfairShift
  }

  private static func middle(_ values: [Double]) -> Double {
    values.allSatisfy(\.isFinite) ? median(values) ?? .nan : .nan
  }
}

extension SamplePair {
  /// The logarithms of head's figures over base's, trial by trial; one that is not a number when the sides do not have a
  /// time for every trial, and no probe where a side was not probed.
  package var logRatios: [(time: Double, probe: Double?)] {
    let (base, head) = (base.mainPhase, head.mainPhase)
    let (baseTimes, headTimes) = (base?.trialWallSeconds ?? [], head?.trialWallSeconds ?? [])
    guard baseTimes.count == baseFirst.count, headTimes.count == baseTimes.count, !baseTimes.isEmpty else {
      return [(.nan, nil)]
    }
    let (baseProbes, headProbes) = (base?.trialProbeSeconds ?? [], head?.trialProbeSeconds ?? [])
    let areProbed = baseProbes.count == baseTimes.count && headProbes.count == baseTimes.count
    return baseTimes.indices.map { trial in
      (
        logRatio(headTimes[trial], to: baseTimes[trial]) ?? .nan,
        areProbed ? logRatio(headProbes[trial], to: baseProbes[trial]) : nil
      )
    }
  }
}
