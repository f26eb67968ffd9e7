// Formats numbers without Foundation: no locale, correct rounding, the same bytes on every machine.

/// Numbers as decimal digits.
package enum Digits {
  /// A number with a fixed count of decimals, from 0 to 15, rounded to nearest with ties to even.
  ///
  /// It rounds the exact binary value, as C's `printf` does. Numbers from 2^63 on, and those that are not finite, use
  /// Swift's own notation. `grouped` adds thousands separators.
  static func fixed(_ value: Double, decimals: Int, grouped: Bool = false) -> String {
    let decimals = min(max(decimals, 0), 15)
    guard let (whole, fraction) = rounded(value.magnitude, decimals: decimals) else { return "\(value)" }
    let sign = value < 0 && (whole, fraction) != (0, 0) ? "-" : ""
    let integer = grouped ? grouping("\(whole)") : "\(whole)"
    guard decimals > 0 else { return sign + integer }
    let digits = "\(fraction)"
    return "\(sign)\(integer).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
  }

  /// A number with three significant digits, or more if its integer part has more, with thousands separators.
  ///
  /// It has at most nine decimals.
  static func significant(_ value: Double) -> String {
    let magnitude = value.magnitude
    guard magnitude > 0 else { return value == 0 ? "0" : "\(value)" }
    for decimals in stride(from: mostDecimals, to: 0, by: -1) where magnitude < 1000 {
      guard let (whole, fraction) = rounded(magnitude, decimals: decimals) else { continue }
      if whole * powerOfTen(decimals) + fraction < 1000 { return fixed(value, decimals: decimals) }
    }
    return fixed(value, decimals: 0, grouped: true)
  }

  /// A number with at most three significant digits and no trailing zeros: `0.5`, `2`, `1,000`.
  static func trimmed(_ value: Double) -> String {
    let text = significant(value)
    guard text.contains(".") else { return text }
    var digits = text[...]
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return String(digits)
  }

  /// A number with two significant digits, or more if its integer part has more, suitable for the end of an interval.
  static func short(_ value: Double) -> String {
    let magnitude = value.magnitude
    guard magnitude > 0, magnitude < 9.95 else { return fixed(value, decimals: 0, grouped: true) }
    for decimals in 1..<mostDecimals where (magnitude * Double(powerOfTen(decimals))).rounded() >= 10 {
      return fixed(value, decimals: decimals)
    }
    return fixed(value, decimals: mostDecimals)
  }

  /// An exponent of growth, with two decimals: `1.02`, `−0.04`.
  static func exponent(_ value: Double) -> String {
    let text = fixed(value.magnitude, decimals: 2)
    return value < 0 && text != "0.00" ? "−" + text : text
  }

  /// An integer with thousands separators.
  package static func grouped(_ value: some BinaryInteger) -> String {
    (value < 0 ? "-" : "") + grouping("\(value.magnitude)")
  }

  private static func grouping(_ digits: String) -> String {
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return result
  }

  /// A magnitude as an integer and a count of units in the last decimal; `nil` from 2^63 on, and if it is not finite.
  private static func rounded(_ magnitude: Double, decimals: Int) -> (whole: UInt64, fraction: UInt64)? {
    guard magnitude < 0x1p63 else { return nil }
    let scale = powerOfTen(decimals)
    let floor = magnitude.rounded(.down)
    let whole = UInt64(floor)
    // The fractional part is exact; its product with the scale is exactly `product + error`.
    let part = magnitude - floor
    let product = part * Double(scale)
    let error = (-product).addingProduct(part, Double(scale))
    let below = product.rounded(.down)
    let rest = product - below
    let isOdd = (decimals == 0 ? whole : UInt64(below)) % 2 == 1
    let goesUp = rest > 0.5 || (rest == 0.5 && (error > 0 || (error == 0 && isOdd)))
    let fraction = UInt64(below) + (goesUp ? 1 : 0)
    return fraction == scale ? (whole + 1, 0) : (whole, fraction)
  }

  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
