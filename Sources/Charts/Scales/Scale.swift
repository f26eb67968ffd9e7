// Maps values to positions on an axis.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The values of an axis, and the range of coordinates in the picture or in a line of text that they map to.
package struct Scale {
  package let isLogarithmic: Bool
  /// The smallest and the largest value.
  package let low: Double
  package let high: Double
  /// The coordinates of ``low`` and ``high``.
  let start: Double
  let end: Double

  /// A scale that fits all values; `nil` if no value can be on it.
  ///
  /// It ignores values that are not finite, and on a logarithmic axis those that are not positive.
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
    // Center a single value, or several that differ only by rounding.
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
    // If the values are this close, both kinds look the same, and logarithms would lose too many digits.
    if high - low < 1e-6 * low { isLogarithmic = false }
    guard low < high, !isLogarithmic || low > 0 else { return nil }
    self.init(isLogarithmic: isLogarithmic, low: low, high: high, start: start, end: end)
  }

  init(isLogarithmic: Bool, low: Double, high: Double, start: Double, end: Double) {
    self.isLogarithmic = isLogarithmic
    (self.low, self.high, self.start, self.end) = (low, high, start, end)
  }

  package enum Zero { case never, whenNear, always }

  /// Values further from zero count as missing, so that sums and differences of the others are finite.
  static let largest = 1e300

  /// The coordinate of the value, or `nil` if it cannot be on the axis.
  ///
  /// A value beyond an end has a coordinate beyond the range.
  package func position(_ value: Double) -> Double? {
    guard value.isFinite, abs(value) <= Scale.largest, !isLogarithmic || value > 0 else { return nil }
    let share =
      isLogarithmic ? (log(value) - log(low)) / (log(high) - log(low)) : (value - low) / (high - low)
    let position = start + share * (end - start)
    return position.isFinite ? position : nil
  }

  /// The coordinate of the value, or of the nearest end of the axis.
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
