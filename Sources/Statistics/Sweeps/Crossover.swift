// From which size on one strategy wins over another: "a batch wins from 37 rows".

/// The size at which the better one of two strategies changes.
package struct Crossover: Sendable, Hashable {
  /// Where the two take the same time, interpolated between the ends of the interval.
  package let size: Double
  /// From the last size at which the one wins to the first at which the other does.
  ///
  /// At sizes between, the order is unknown.
  package let interval: ClosedRange<Double>
  /// Whether the second strategy, whose times are divided by the first's, is the faster one above.
  package let secondWinsAbove: Bool
}

/// Finds the size at which two strategies change places, from the times of the same rounds at each size.
///
/// At each size the Hodges-Lehmann interval of the log ratios says which strategy wins, or that neither can be shown to. There is
/// a crossover when, in order of size, one wins at first and the other from some size on. Each interval stands for itself:
/// of 20 sizes at 95 %, one is to be expected to miss its ratio.
///
/// Between two neighboring sizes where the estimates change sign, or the ends of the interval when they do so more than once,
/// each strategy's time is a fixed cost and a cost a row, or a power of the rows where it grows faster than they do. So the
/// crossover of a + bx with c + dx is exact but for noise, and so is that of two powers from 1 on.
///
/// - Parameters:
///   - sweep: For each size the times of both strategies, a round each in the same order.
///   - confidence: That of the interval at each size.
/// - Returns: nil when there is none: one strategy never wins, or they change places more than once. Also when a size comes
///   twice, the numbers of rounds differ, or a number is not finite or not above zero. A size with too few rounds for an
///   interval decides nothing.
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
  // The first strategy's median time, and the second's by the ratio of the rounds, which knows more than its median.
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
  /// Whether the interval leaves out zero.
  let isShown: Bool

  /// Sizes with an interval, in order; nil when a size comes twice or is not above zero, or a ratio is not finite.
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

  /// The neighbors between which the sign changes; nil when it does not do so exactly once.
  static func change(_ points: [SizeEffect]) -> (SizeEffect, SizeEffect)? {
    let changes = zip(points, points.dropFirst()).filter { ($0.effect < 0) != ($1.effect < 0) }
    return changes.count == 1 ? changes.first : nil
  }
}

/// The curve through the times at two sizes: a fixed cost and a cost a row, or a power of the size.
///
/// A line through both that meets zero rows at zero time or above is a fixed cost with so much for each row, which is what
/// most operations cost. Where it would meet them below zero, the time grows faster than the rows, and the curve is a
/// power of the size, a line in logarithms. A time that falls between the sizes is a line too.
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

/// The size between two at which two curves meet that lie in different order at the ends; halved until no number is left.
///
/// `isFirstBelow` is the order at the lower end, which the times alone do not show where they are equal.
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
