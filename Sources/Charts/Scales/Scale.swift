// Where a value lies on an axis.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The values of an axis and the stretch of the picture, or of a line of text, on which they lie.
package struct Scale {
  package let isLogarithmic: Bool
  /// The least and the greatest value.
  package let low: Double
  package let high: Double
  /// The coordinates of ``low`` and ``high``.
  let start: Double
  let end: Double

  /// A scale that fits all values; nil if no value can be on it.
  ///
  /// Values that are not finite are left out; on a logarithmic axis also those that are not above zero.
  ///
  /// `zero` says when a linear axis begins at zero although no value is zero.
  package init?(_ axis: Axis, values: [Double], from start: Double, to end: Double, zero: Zero = .never) {
    let finite = values.filter { $0.isFinite && abs($0) <= Scale.largest }
    var isLogarithmic = Scale.isLogarithmic(axis.kind, finite)
    let placed = isLogarithmic ? finite.filter { $0 > 0 } : finite
    guard var low = placed.min(), var high = placed.max() else { return nil }
    if !isLogarithmic {
      switch zero {
      case .always: (low, high) = (min(low, 0), max(high, 0))
      case .whenNear where low > 0 && low <= high / 2: low = 0
      case .whenNear, .never: break
      }
    }
    // A single value, or several that differ only by rounding, is in the middle.
    if high - low <= 16 * max(abs(low), abs(high)).ulp {
      let middle = low / 2 + high / 2
      if isLogarithmic {
        (low, high) = (middle / 2, middle * 2)
      } else if middle == 0 {
        (low, high) = zero == .always ? (0, 1) : (-1, 1)
      } else {
        (low, high) = (middle - abs(middle) / 2, middle + abs(middle) / 2)
      }
    }
    // So near to each other, both kinds look the same, and logarithms lose too many digits.
    if high - low < 1e-6 * low { isLogarithmic = false }
    guard low < high, !isLogarithmic || low > 0 else { return nil }
    self.init(isLogarithmic: isLogarithmic, low: low, high: high, start: start, end: end)
  }

  init(isLogarithmic: Bool, low: Double, high: Double, start: Double, end: Double) {
    self.isLogarithmic = isLogarithmic
    (self.low, self.high, self.start, self.end) = (low, high, start, end)
  }

  package enum Zero { case never, whenNear, always }

  /// Values further from zero are treated as missing, so that sums and differences of the others are finite.
  static let largest = 1e300

  /// The coordinate of the value, unless it has no place on the axis; one beyond an end lies beyond the stretch.
  package func position(_ value: Double) -> Double? {
    guard value.isFinite, abs(value) <= Scale.largest, !isLogarithmic || value > 0 else { return nil }
    let share =
      isLogarithmic ? (log(value) - log(low)) / (log(high) - log(low)) : (value - low) / (high - low)
    let position = start + share * (end - start)
    return position.isFinite ? position : nil
  }

  /// The coordinate of the value, or of the end of the axis that is nearest to it.
  func clamped(_ value: Double) -> Double? {
    if isLogarithmic, value <= 0 { return start }
    return position(min(max(value, low), high))
  }

  private static func isLogarithmic(_ kind: Axis.Kind, _ values: [Double]) -> Bool {
    switch kind {
    case .linear: return false
    case .logarithmic: return true
    case .automatic:
      guard let low = values.min(), let high = values.max() else { return false }
      return low > 0 && high / 4 > low
    }
  }
}
