// A common unit for several figures.

/// A unit of time, of bytes or of parts.
struct Unit: Equatable {
  let name: String
  /// How many of the unit make a second, a byte or a whole.
  let factor: Double

  private init(_ name: String, _ factor: Double) {
    self.name = name
    self.factor = factor
  }

  static let seconds = Unit("s", 1)
  static let milliseconds = Unit("ms", 1_000)
  static let times = [Unit("ns", 1_000_000_000), Unit("µs", 1_000_000), milliseconds, seconds]

  static let byte = Unit("B", 1)
  static let bytes = [byte, Unit("KiB", 0x1p-10), Unit("MiB", 0x1p-20), Unit("GiB", 0x1p-30), Unit("TiB", 0x1p-40)]

  static let percent = Unit("%", 100)

  /// The unit in which all values are most readable: from 1 to 999 if possible, and none shown as 0.
  ///
  /// An extra digit before the point counts as much as three after it: 0.0391 MiB next to 45.2 MiB is more readable than
  /// 46,285 KiB next to 40.0 KiB.
  ///
  /// - Parameters:
  ///   - values: The values in the base unit. Values that are not finite are ignored.
  ///   - units: The units from the smallest to the largest.
  /// - Returns: The best unit, or the larger of two equal ones; `nil` if every value is 0.
  static func common(of values: [Double], among units: [Unit]) -> Unit? {
    let magnitudes = values.map(\.magnitude).filter { $0 > 0 && $0.isFinite }
    guard let least = magnitudes.min() else { return nil }
    let legible = units.filter { least * $0.factor >= leastShown }
    return (legible.isEmpty ? Array(units.prefix(1)) : legible).reversed().min { unit, other in
      unit.strain(of: magnitudes) < other.strain(of: magnitudes)
    }
  }

  /// The smallest value that three digits and six decimals still show.
  private static let leastShown = 0.000_1

  /// The number of extra digits over all values.
  private func strain(of magnitudes: [Double]) -> Double {
    magnitudes.reduce(0) { sum, magnitude in
      // In a smaller unit, a number may exceed a double's range.
      var value = min(magnitude * factor, .greatestFiniteMagnitude)
      var strain = 0.0
      while value >= 999.5 {
        value /= 10
        strain += 1
      }
      while value < 1 {
        value *= 10
        strain += 0.3
      }
      return sum + strain
    }
  }
}
