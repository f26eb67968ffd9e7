// How the time grows in a sweep over the number of rows: in proportion, faster, slower, or in two levels with a break between.

extension ScalingExponent {
  /// Exponents this near to 1 are not called different from it, however well they are known.
  package static let sameAsOne = 0.95...1.05
  /// Exponents between which a time is in proportion to the rows.
  package static let proportional = 0.9...1.1

  /// Whether the whole interval lies on one side of 0.95 to 1.05; false without an interval.
  package var isDifferentFromOne: Bool {
    interval.map { !$0.overlaps(Self.sameAsOne) } ?? false
  }
}

/// How the time of one strategy grows with the number of rows.
package struct GrowthShape: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    /// The interval of the exponent lies within 0.9 to 1.1.
    case proportional
    /// The interval lies above 1.05, or below 0.95.
    case faster, slower
    /// The time of a row is one number up to some size and a larger one above; the exponent means nothing.
    case breaks
    /// No one exponent fits, or it is not known well enough.
    case unclear
    /// There is no interval: too few rounds.
    case undecided
  }

  /// Over all sizes and rounds.
  package let exponent: ScalingExponent
  /// nil when there is none.
  package let stepUp: GrowthBreak?

  /// A break before an exponent; an interval from 1.06 to 1.09 is *faster*, since it is known not to be 1.
  package var verdict: Verdict {
    if stepUp != nil { return .breaks }
    guard let interval = exponent.interval else { return .undecided }
    if exponent.isDifferentFromOne { return interval.lowerBound > 1 ? .faster : .slower }
    let isProportional =
      interval.lowerBound >= ScalingExponent.proportional.lowerBound
      && interval.upperBound <= ScalingExponent.proportional.upperBound
    return isProportional ? .proportional : .unclear
  }
}

/// The ``GrowthShape`` of a sweep.
///
/// - Parameters:
///   - sweep: For each size its times by round, nil where a round has none; in any order of the sizes.
///   - confidence: Of the intervals of the exponent and of the break's ratio.
/// - Returns: nil when ``scalingExponent(of:confidence:)`` is, a size comes twice or the numbers of rounds differ.
package func growthShape(of sweep: [(size: Double, times: [Double?])], confidence: Double) -> GrowthShape? {
  let sweep = sweep.sorted { $0.size < $1.size }
  guard zip(sweep, sweep.dropFirst()).allSatisfy({ $0.size < $1.size && $0.times.count == $1.times.count }) else {
    return nil
  }
  let points = sweep.flatMap { point in
    point.times.compactMap { time in time.map { (size: point.size, time: $0) } }
  }
  return scalingExponent(of: points, confidence: confidence).map {
    GrowthShape(exponent: $0, stepUp: growthBreak(of: sweep, confidence: confidence))
  }
}
