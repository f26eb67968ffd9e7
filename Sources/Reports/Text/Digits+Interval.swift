// Digits that follow an interval: no more of them than the interval supports.
internal import Analysis

extension Digits {
  /// An estimate as text, its interval apart: `0.86` and `[0.55, 1.08]`.
  ///
  /// The last digit is the second one of half the interval's width, so that a wide interval leaves few decimals and a narrow
  /// one at most three digits; of what stands before the point only digits beyond the third are cut, and only by a wide
  /// interval. Without an interval there are three digits. A signed estimate, such as a change in per cent, has its sign and
  /// at most one decimal.
  static func shown(_ estimate: Estimate, isSigned: Bool = false) -> (figure: String, interval: String?) {
    let median = estimate.median
    let hasInterval = estimate.low?.isFinite == true && estimate.high?.isFinite == true && median.isFinite
    guard hasInterval, let low = estimate.low, let high = estimate.high else {
      return (
        signed(median, isSigned ? change(median.magnitude) : significant(median.magnitude), isSigned), nil
      )
    }
    let halfWidth = (high - low).magnitude / 2
    let most = isSigned ? 1 : max(decimals(showing: 3, of: median == 0 ? halfWidth : median), 0)
    let supported = halfWidth > 0 ? min(decimals(showing: 2, of: halfWidth), most) : most
    let least = max(supported, min(decimals(showing: 3, of: median), 0))
    func text(_ value: Double) -> String {
      // Whatever the interval, a time or a ratio does not read as 0.
      let decimals = isSigned ? least : max(least, decimals(showing: 1, of: value))
      return signed(value, rounded(value.magnitude, to: decimals), isSigned)
    }
    return (text(median), "[\(text(low)), \(text(high))]")
  }

  /// A change with one decimal where it is small.
  private static func change(_ magnitude: Double) -> String {
    fixed(magnitude, decimals: magnitude < 99.95 ? 1 : 0, grouped: true)
  }

  /// A number with three significant digits, zeros in place of those before the point that are cut: `374,000`.
  static func three(_ value: Double) -> String {
    signed(value, rounded(value.magnitude, to: decimals(showing: 3, of: value)), false)
  }

  /// The digits of a value with its sign; what reads as 0 has none.
  private static func signed(_ value: Double, _ digits: String, _ hasPlus: Bool) -> String {
    if !digits.contains(where: { ("1"..."9").contains($0) }) { return digits }
    return (value < 0 ? "−" : hasPlus ? "+" : "") + digits
  }

  /// The decimals with which so many significant digits of a value show; below zero where they end before the point.
  static func decimals(showing digits: Int, of value: Double) -> Int {
    var magnitude = value.magnitude
    // Zero is zero without any digit.
    guard magnitude > 0, magnitude.isFinite else { return digits - mostDecimals }
    var decimals = digits - 1
    while magnitude >= 10 && decimals > -mostDecimals {
      magnitude /= 10
      decimals -= 1
    }
    while magnitude < 1 && decimals < mostDecimals {
      magnitude *= 10
      decimals += 1
    }
    // 9.996 reads 10.0.
    let scale = (1..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (magnitude * scale).rounded() >= 10 * scale ? decimals - 1 : decimals
  }

  static let mostDecimals = 9

  /// With so many decimals; below zero the last digits before the point are zeros.
  private static func rounded(_ magnitude: Double, to decimals: Int) -> String {
    guard decimals < 0 else { return fixed(magnitude, decimals: decimals, grouped: true) }
    let unit = (decimals..<0).reduce(1.0) { unit, _ in unit * 10 }
    return fixed((magnitude / unit).rounded() * unit, decimals: 0, grouped: true)
  }
}
