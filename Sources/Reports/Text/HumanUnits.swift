// Figures as people read them: milliseconds and seconds, KiB and MiB, thousands separated, three significant digits.
internal import Analysis
internal import Harness

/// Figures in the units of the report.
enum HumanUnits {
  /// A time: `152 ms`, `1.52 s`.
  static func time(_ seconds: Double) -> String {
    let unit = TimeUnit(for: seconds)
    return "\(unit.number(seconds)) \(unit.name)"
  }

  /// A round time, as on an axis: `200 ms`, `1 s`.
  static func roundTime(_ seconds: Double) -> String {
    if seconds == 0 { return "0" }
    let unit = TimeUnit(for: seconds)
    return "\(Digits.trimmed(seconds * unit.perSecond)) \(unit.name)"
  }

  /// A round count of bytes, as on an axis: `8 MiB`.
  static func roundBytes(_ count: Double) -> String {
    guard count.magnitude >= 1, count.magnitude < 0x1p62 else { return "0" }
    var value = count
    var name = "B"
    for larger in ["KiB", "MiB", "GiB", "TiB"] where value.magnitude >= 1024 {
      value /= 1024
      name = larger
    }
    return "\(Digits.trimmed(value)) \(name)"
  }

  /// A time with its interval in the same unit, `152 ms [149, 158]`; without brackets when there is no interval.
  static func time(_ estimate: Estimate) -> String {
    [time(estimate.median), timeInterval(estimate)].compactMap(\.self).joined(separator: " ")
  }

  /// The interval of a time in the unit of its median, `[149, 158]`.
  static func timeInterval(_ estimate: Estimate) -> String? {
    let unit = TimeUnit(for: estimate.median)
    guard let low = estimate.low, let high = estimate.high else { return nil }
    return "[\(unit.number(low)), \(unit.number(high))]"
  }

  /// A ratio with its interval: `2.31 [2.25, 2.40]`.
  static func ratio(_ estimate: Estimate) -> String {
    [Digits.significant(estimate.median), ratioInterval(estimate)].compactMap(\.self).joined(separator: " ")
  }

  /// The interval of a ratio, `[2.25, 2.40]`.
  static func ratioInterval(_ estimate: Estimate) -> String? {
    guard let low = estimate.low, let high = estimate.high else { return nil }
    return "[\(Digits.significant(low)), \(Digits.significant(high))]"
  }

  /// A share with its interval: `0.213 % [0.201, 0.240]`.
  static func share(_ estimate: Estimate) -> String { percent(estimate) { Digits.significant($0) } }

  /// What is added, of a ratio: `+5.1 % [+3.0, +7.2]`.
  static func addition(_ ratio: Estimate) -> String {
    percent(Estimate(median: ratio.median - 1, low: ratio.low.map { $0 - 1 }, high: ratio.high.map { $0 - 1 })) {
      ($0 > 0 ? "+" : "") + Digits.fixed($0, decimals: 1)
    }
  }

  private static func percent(_ estimate: Estimate, _ digits: (Double) -> String) -> String {
    let median = digits(estimate.median * 100) + " %"
    guard let low = estimate.low, let high = estimate.high else { return median }
    return "\(median) [\(digits(low * 100)), \(digits(high * 100))]"
  }

  /// A count of bytes: `512 B`, `45.2 MiB`.
  static func bytes(_ count: Int64) -> String {
    if count.magnitude < 1024 { return "\(count) B" }
    var value = Double(count)
    var name = "B"
    // Above 1023.5 three digits would show 1,024 of the smaller unit.
    for larger in ["KiB", "MiB", "GiB", "TiB"] where value.magnitude >= 1023.5 {
      value /= 1024
      name = larger
    }
    return "\(Digits.significant(value)) \(name)"
  }

  /// Rows a second.
  static func rate(_ rowsPerSecond: Double) -> String { Digits.significant(rowsPerSecond) }

  /// `1 row`, `2 rows`.
  static func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(Digits.grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// Milliseconds up to where three digits would read 1,000, seconds from there on; microseconds below ten of them.
private struct TimeUnit {
  let name: String
  let perSecond: Double

  init(for seconds: Double) {
    (name, perSecond) =
      switch seconds.magnitude {
      case 0: ("ms", 1000)
      case ..<0.000_01: ("µs", 1_000_000)
      case ..<0.9995: ("ms", 1000)
      default: ("s", 1)
      }
  }

  func number(_ seconds: Double) -> String { Digits.significant(seconds * perSecond) }
}
