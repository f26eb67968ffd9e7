// Formats numbers with no more digits than their interval supports.
internal import Analysis

extension Digits {
  /// An estimate and its interval as separate texts: `0.86` and `[0.55, 1.08]`.
  ///
  /// The last digit is at the position of the second digit of half the interval's width. So a wide interval leaves few
  /// decimals, and a narrow one at most three digits. Before the point, only digits beyond the third are rounded, and
  /// only if the interval is wide. Without an interval there are three digits. A signed estimate, such as a change in
  /// percent, has its sign and at most one decimal.
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
      // Whatever the interval, do not show a time or a ratio as 0.
      let decimals = isSigned ? least : max(least, decimals(showing: 1, of: value))
      return signed(value, rounded(value.magnitude, to: decimals), isSigned)
    }
    return (text(median), "[\(text(low)), \(text(high))]")
  }

  /// A change, with one decimal if it is small.
  private static func change(_ magnitude: Double) -> String {
    fixed(magnitude, decimals: magnitude < 99.95 ? 1 : 0, grouped: true)
  }

  /// A number with three significant digits; further digits before the point become zeros: `374,000`.
  static func three(_ value: Double) -> String {
    signed(value, rounded(value.magnitude, to: decimals(showing: 3, of: value)), false)
  }

  /// The digits of a value with its sign; no sign if they are all zero.
  private static func signed(_ value: Double, _ digits: String, _ hasPlus: Bool) -> String {
    if !digits.contains(where: { ("1"..."9").contains($0) }) { return digits }
    return (value < 0 ? "−" : hasPlus ? "+" : "") + digits
  }

  /// The number of decimals that shows this many significant digits; negative if they end before the point.
  static func decimals(showing digits: Int, of value: Double) -> Int {
    var magnitude = value.magnitude
    // Zero needs no digits.
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
    // 9.996 becomes 10.0.
    let scale = (1..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (magnitude * scale).rounded() >= 10 * scale ? decimals - 1 : decimals
  }

  static let mostDecimals = 9

  /// Rounds to this many decimals; if negative, the last digits before the point become zeros.
  private static func rounded(_ magnitude: Double, to decimals: Int) -> String {
    guard decimals < 0 else { return fixed(magnitude, decimals: decimals, grouped: true) }
    let unit = (decimals..<0).reduce(1.0) { unit, _ in unit * 10 }
    return fixed((magnitude / unit).rounded() * unit, decimals: 0, grouped: true)
  }
}
