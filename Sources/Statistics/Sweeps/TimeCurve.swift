// A strategy's time between two sizes at which it was measured.

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
