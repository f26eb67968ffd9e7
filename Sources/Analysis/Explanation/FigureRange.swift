// An exact figure as several trials of one side have it, and when two sides differ in it.

/// The least and the greatest value of a figure over the trials of a side.
struct FigureRange: Sendable, Hashable {
  var low: Int64
  var high: Int64

  /// Nil without values.
  init?(_ values: [Int64]) {
    guard let low = values.min(), let high = values.max() else { return nil }
    (self.low, self.high) = (low, high)
  }

  /// A figure that is the same in all trials.
  init(_ value: Int64) { (low, high) = (value, value) }

  var width: Int64 { high - low }
  /// The value in the middle of the range.
  var middle: Int64 { low + width / 2 }

  /// Whether it is certainly larger.
  ///
  /// The ranges must not meet, and the gap between them must be wider than either: a difference as large as the one
  /// between trials of the same side proves nothing.
  func isAbove(_ other: FigureRange) -> Bool {
    low > other.high && low - other.high > max(width, other.width)
  }
}
