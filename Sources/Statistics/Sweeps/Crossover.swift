// The size from which one strategy is faster than another: "a batch wins from 37 rows".

/// The size at which the faster of two strategies changes.
package struct Crossover: Sendable, Hashable {
  /// The size at which both take the same time, interpolated between the ends of the interval.
  package let size: Double
  /// From the last size at which one wins to the first size at which the other wins.
  ///
  /// The order at sizes in between is unknown.
  package let interval: ClosedRange<Double>
  /// Whether the second strategy is the faster one above the size.
  ///
  /// Ratios are the second's times divided by the first's.
  package let secondWinsAbove: Bool
}

/// Finds the size at which two strategies cross over, from the times of the same rounds at each size.
///
/// At each size, the Hodges-Lehmann interval of the log ratios shows which strategy wins, or that neither certainly
/// does. There is a crossover if, in order of size, one wins first and the other from some size on. The intervals are
/// separate: of 20 sizes at 95 %, one interval is expected to miss its ratio.
///
/// Interpolation uses the two neighboring sizes between which the estimates change sign, or the ends of the interval if
/// they do so more than once. There, each strategy's time is a fixed cost plus a cost per row, or a power of the rows
/// if it grows faster than they do. So the crossover of a + bx with c + dx is exact except for noise, and so is that of
/// two powers with exponents of at least 1.
///
/// - Parameters:
///   - sweep: For each size, the times of both strategies, one per round in the same order.
///   - confidence: The confidence level of the interval at each size.
/// - Returns: The crossover; `nil` if one strategy never wins, or they cross over more than once. It is also `nil` if a
///   size occurs twice, the numbers of rounds differ, or a number is not finite or not above zero. A size with too few
///   rounds for an interval decides nothing.
package func crossover(
  of sweep: [(size: Double, first: [Double], second: [Double])], confidence: Double
) -> Crossover? {
  let ratios = sweep.compactMap { point in
    pairedLogRatios(point.second, to: point.first).map { (size: point.size, logRatios: $0) }
  }
  guard ratios.count == sweep.count, let points = SizeEffect.sorted(ratios, confidence: confidence),
    let (before, after) = SizeEffect.change(points.filter(\.isShown))
  else { return nil }
  let between = points.filter { (before.size...after.size).contains($0.size) }
  let (low, high) = SizeEffect.change(between) ?? (before, after)
  // The first strategy's median time, and the second's from the ratios of the rounds, which are more precise than its
  // median.
  func times(at point: SizeEffect) -> (first: Double, second: Double)? {
    sweep.first { $0.size == point.size }.flatMap { median($0.first) }.map { ($0, $0 * exponential(point.effect)) }
  }
  guard let lowTimes = times(at: low), let highTimes = times(at: high) else { return nil }
  let size = meetingPoint(
    of: TimeCurve(from: (low.size, lowTimes.first), to: (high.size, highTimes.first)),
    and: TimeCurve(from: (low.size, lowTimes.second), to: (high.size, highTimes.second)),
    isFirstBelow: low.effect >= 0, from: low.size, to: high.size)
  return Crossover(size: size, interval: before.size...after.size, secondWinsAbove: after.effect < 0)
}

/// How two strategies compare at one size.
private struct SizeEffect {
  let size: Double
  /// The Hodges-Lehmann estimate of the log ratio.
  let effect: Double
  /// Whether the interval excludes zero.
  let isShown: Bool

  /// Sizes with an interval, in order; `nil` if a size occurs twice or is not above zero, or a ratio is not finite.
  static func sorted(_ sweep: [(size: Double, logRatios: [Double])], confidence: Double) -> [SizeEffect]? {
    let sweep = sweep.sorted { $0.size < $1.size }
    guard sweep.allSatisfy({ $0.size > 0 && $0.size.isFinite && $0.logRatios.allSatisfy(\.isFinite) }),
      zip(sweep, sweep.dropFirst()).allSatisfy({ $0.size < $1.size })
    else { return nil }
    return sweep.compactMap { point in
      guard let interval = hodgesLehmannInterval(point.logRatios, confidence: confidence),
        let effect = hodgesLehmann(point.logRatios)
      else { return nil }
      return SizeEffect(size: point.size, effect: effect, isShown: !interval.contains(0))
    }
  }

  /// The neighbors between which the sign changes; `nil` if it does not change exactly once.
  static func change(_ points: [SizeEffect]) -> (SizeEffect, SizeEffect)? {
    let changes = zip(points, points.dropFirst()).filter { ($0.effect < 0) != ($1.effect < 0) }
    return changes.count == 1 ? changes.first : nil
  }
}

/// The curve through the times at two sizes: a fixed cost plus a cost per row, or a power of the size.
///
/// If the line through both points is not negative at zero rows, it is a fixed cost plus a cost per row, as in most
/// operations. Otherwise the time grows faster than the rows, and the curve is a power of the size, a line in
/// logarithms. A time that decreases between the sizes is a line too.
struct TimeCurve {
  private let low: (size: Double, time: Double)
  private let high: (size: Double, time: Double)

  /// Sizes in ascending order and times, all above zero.
  init(from low: (size: Double, time: Double), to high: (size: Double, time: Double)) {
    self.low = low
    self.high = high
  }

  /// The time at a size between the two.
  func time(at size: Double) -> Double {
    let share = (size - low.size) / (high.size - low.size)
    // Proportional growth is both.
    guard high.time / low.time > high.size / low.size else { return low.time * (1 - share) + high.time * share }
    let exponent = naturalLogarithm(high.time / low.time) / naturalLogarithm(high.size / low.size)
    return low.time * exponential(exponent * naturalLogarithm(size / low.size))
  }
}

/// The size between two sizes at which two curves meet, if their orders at the ends differ; found by bisection.
///
/// `isFirstBelow` is the order at the lower end, because the times alone do not show it if they are equal.
func meetingPoint(
  of first: TimeCurve, and second: TimeCurve, isFirstBelow: Bool, from low: Double, to high: Double
) -> Double {
  var (low, high) = (low, high)
  while true {
    let middle = low * 0.5 + high * 0.5
    guard middle > low, middle < high else { return middle }
    if (first.time(at: middle) <= second.time(at: middle)) == isFirstBelow { low = middle } else { high = middle }
  }
}
