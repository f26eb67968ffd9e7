// How the time grows in a sweep over the number of rows: proportionally, faster, slower, or in two levels with a break.

extension ScalingExponent {
  /// Exponents this close to 1 are not called different from it, however precisely they are known.
  package static let sameAsOne = 0.95...1.05
  /// Exponents for which a time is called proportional to the rows.
  package static let proportional = 0.9...1.1

  /// Whether the whole interval is on one side of 0.95 to 1.05; false without an interval.
  package var isDifferentFromOne: Bool {
    interval.map { !$0.overlaps(Self.sameAsOne) } ?? false
  }
}

/// How the time of one strategy grows with the number of rows.
package struct GrowthShape: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    /// The interval of the exponent is within 0.9 to 1.1.
    case proportional
    /// The interval is above 1.05, or below 0.95.
    case faster, slower
    /// The time per row has one value up to some size and a larger one above; the exponent is meaningless.
    case breaks
    /// No single exponent fits, or it is not known precisely enough.
    case unclear
    /// There is no interval: too few rounds.
    case undecided
  }

  /// Over all sizes and rounds.
  package let exponent: ScalingExponent
  /// `nil` if there is no break.
  package let stepUp: GrowthBreak?

  /// A break takes precedence over an exponent.
  ///
  /// An interval from 1.06 to 1.09 is *faster*, because it is known not to be 1.
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
///   - sweep: For each size its times by round, `nil` for a round without one; sizes in any order.
///   - confidence: The confidence level of the intervals of the exponent and of the break's ratio.
/// - Returns: The shape; `nil` if ``scalingExponent(of:confidence:)`` is, a size occurs twice or the numbers of rounds
///   differ.
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
