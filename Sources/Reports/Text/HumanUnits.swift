// Figures for people: milliseconds and seconds, KiB and MiB, thousands separators, three significant digits.
internal import Analysis
internal import Support

/// Figures in the units of the report.
package enum HumanUnits {
  /// A time: `13.0 µs`, `152 ms`, `1.52 s`.
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

  /// A round number of bytes, as on an axis: `8 MiB`.
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

  /// A time with its interval in the same unit, `152 ms [149, 158]`; without brackets if there is no interval.
  static func time(_ estimate: Estimate) -> String {
    [timeMedian(estimate), timeInterval(estimate)].compactMap(\.self).joined(separator: " ")
  }

  /// The median of a time, with no more digits than its interval supports: `152 ms`.
  static func timeMedian(_ estimate: Estimate) -> String {
    let unit = TimeUnit(for: estimate.median)
    return "\(Digits.shown(estimate.scaled(by: unit.perSecond)).figure) \(unit.name)"
  }

  /// The interval of a time in the unit of its median, `[149, 158]`.
  static func timeInterval(_ estimate: Estimate) -> String? {
    Digits.shown(estimate.scaled(by: TimeUnit(for: estimate.median).perSecond)).interval
  }

  /// A time in seconds with its interval: `1.52 s [1.49, 1.58]`.
  static func seconds(_ estimate: Estimate) -> String { withUnit("s", Digits.shown(estimate)) }

  /// A ratio with its interval: `2.31 [2.25, 2.40]`.
  static func ratio(_ estimate: Estimate) -> String {
    [ratioMedian(estimate), ratioInterval(estimate)].compactMap(\.self).joined(separator: " ")
  }

  /// The median of a ratio, with no more digits than its interval supports.
  static func ratioMedian(_ estimate: Estimate) -> String { Digits.shown(estimate).figure }

  /// The interval of a ratio, `[2.25, 2.40]`.
  static func ratioInterval(_ estimate: Estimate) -> String? { Digits.shown(estimate).interval }

  /// A share with its interval: `0.213 % [0.201, 0.240]`.
  static func share(_ estimate: Estimate) -> String { withUnit("%", Digits.shown(estimate.scaled(by: 100))) }

  /// A ratio as an increase: `+5.1 % [+3.0, +7.2]`.
  static func addition(_ ratio: Estimate) -> String { change(ratio.addition) }

  /// An increase or a decrease of a whole: `+5.1 % [+3.0, +7.2]`.
  static func change(_ share: Estimate) -> String {
    withUnit("%", Digits.shown(share.scaled(by: 100), isSigned: true))
  }

  private static func withUnit(_ unit: String, _ shown: (figure: String, interval: String?)) -> String {
    ["\(shown.figure) \(unit)", shown.interval].compactMap(\.self).joined(separator: " ")
  }

  /// A number of bytes: `512 B`, `45.2 MiB`.
  static func bytes(_ count: Int64) -> String {
    if count.magnitude < 1024 { return "\(count) B" }
    var value = Double(count)
    var name = "B"
    // Above 1023.5, three digits would show 1,024 of the smaller unit.
    for larger in ["KiB", "MiB", "GiB", "TiB"] where value.magnitude >= 1023.5 {
      value /= 1024
      name = larger
    }
    return "\(Digits.significant(value)) \(name)"
  }

  /// Numbers of bytes for one sentence: in one unit, unless one of them would be less than a tenth of it.
  static func bytes(_ counts: [Int64]) -> [String] {
    let unit = Unit.common(of: counts.map(Double.init), among: Unit.bytes) ?? .byte
    if counts.contains(where: { $0 != 0 && Double($0).magnitude * unit.factor < 0.1 }) { return counts.map(bytes) }
    return counts.map { unit == .byte ? "\($0) B" : "\(Digits.significant(Double($0) * unit.factor)) \(unit.name)" }
  }

  /// Rows per second.
  static func rate(_ rowsPerSecond: Double) -> String { Digits.significant(rowsPerSecond) }

  /// `1 row`, `2 rows`.
  package static func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(Digits.grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ items: [String], by word: String = "and") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  /// A ratio for titles, with two digits: `1.5`, `12`.
  static func ratioInTitle(_ ratio: Double) -> String { Digits.short(ratio) }

  /// A duration as text: `40 ms`, `1.8 s`, `42 s`, `3 min`, `2 h 5 min`.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "a long time" }
    if seconds < 0.995 { return "\(Int(clamping: (seconds * 1000).rounded())) ms" }
    if seconds < 9.95 { return "\((seconds * 10).rounded() / 10) s" }
    if seconds < 90 { return "\(Int(clamping: seconds.rounded())) s" }
    let minutes = Int(clamping: (seconds / 60).rounded())
    if minutes < 60 { return "\(minutes) min" }
    return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
  }
}

/// Microseconds and milliseconds while three digits stay below 1,000, seconds above.
private struct TimeUnit {
  let name: String
  let perSecond: Double

  init(for seconds: Double) {
    (name, perSecond) =
      switch seconds.magnitude {
      case 0: ("ms", 1000)
      case ..<0.000_999_5: ("µs", 1_000_000)
      case ..<0.9995: ("ms", 1000)
      default: ("s", 1)
      }
  }

  func number(_ seconds: Double) -> String { Digits.significant(seconds * perSecond) }
}

extension Estimate {
  /// The difference between a factor and 1, with its interval.
  var addition: Estimate { Estimate(median: median - 1, low: low.map { $0 - 1 }, high: high.map { $0 - 1 }) }
}
