// The ratios of the two sides' times in each pair, as logarithms, corrected for the processor's speed.
internal import Statistics

/// The logarithm of head's main wall time over base's for each pair.
///
/// On a shared machine the processor's speed changes by a factor of two within milliseconds. The speed was probed
/// during each trial. A line fitted through all trials' ratios gives the effect of the speed, which is then subtracted.
/// The line does not depend on which side is called base, so with a random order the differences are symmetric if
/// nothing changed.
package struct PairDifferences: Sendable {
  /// As measured: the median ratio of each pair's trials.
  ///
  /// If a time is missing it is NaN, so that there is no verdict.
  package let measured: [Double]
  /// The values that are judged: without the effect of the processor's speed, or as measured if the speed was not
  /// probed.
  package let values: [Double]
  /// The exponent of the probe's time in the measured times; `nil` if the values are not corrected.
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

  /// With fewer trials the line would fit their noise.
  private static let leastTrials = 24
  /// No workload slows down by more than the square of the probe's slowdown.
  private static let steepest = 2.0
  /// The significance level of the test for an equally fast probe on both sides.
  private static let unfairLevel = 0.001
  /// A difference matters only if its logarithm is larger than this: half of the usual dead zone.
  private static let unfairShift = 0.005

  /// Whether the probe runs equally fast on both sides.
  ///
  /// If it does not, it does not measure the machine alone.
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
  /// The logarithms of head's figures over base's for each trial.
  ///
  /// A ratio is NaN unless both sides have a time for every trial; the probe's is `nil` if a side was not probed.
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
