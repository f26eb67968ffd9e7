// Logarithms of ratios, computed only with arithmetic that IEEE 754 defines to the last bit, so that stored samples
// give the same report on every machine. The math libraries of different systems do not guarantee that.

/// The natural logarithm of a ratio, `value / reference`: 0 if both are equal, 0.0488 if `value` is 5 % more.
///
/// Swapping the two changes only the sign, and two pairs in the same proportion (2 to 3 and 4 to 6) give the same
/// number, because the larger is divided by the smaller before taking the logarithm.
///
/// - Returns: The logarithm; `nil` if either number is not finite or not above zero, or the quotient overflows.
package func logRatio(_ value: Double, to reference: Double) -> Double? {
  guard value > 0, reference > 0, value.isFinite, reference.isFinite else { return nil }
  let quotient = value >= reference ? value / reference : reference / value
  guard quotient.isFinite else { return nil }
  return value >= reference ? naturalLogarithm(quotient) : -naturalLogarithm(quotient)
}

/// The ``logRatio(_:to:)`` of each pair, `values[i]` to `references[i]`.
///
/// - Returns: The logarithms; `nil` if the arrays differ in length or a pair has none.
package func pairedLogRatios(_ values: [Double], to references: [Double]) -> [Double]? {
  guard values.count == references.count else { return nil }
  let ratios = zip(values, references).compactMap { logRatio($0, to: $1) }
  return ratios.count == values.count ? ratios : nil
}

/// The ratio with this natural logarithm: 1.05 for 0.0488.
package func ratio(fromLog logarithm: Double) -> Double { exponential(logarithm) }

/// ln 2 in two parts.
///
/// The last 20 bits of the first are zero, so that its product with an exponent is exact.
private let logOfTwo = (high: 0x1.62e42feep-1, low: 0x1.a39ef35793c76p-33)

/// The natural logarithm, to about 2 units in the last place.
///
/// x = 2ᵉm with m from √½ to √2, and ln m = 2 artanh s = 2(s + s³/3 + s⁵/5 + …) with s = (m − 1) / (m + 1), |s| < 0.172.
///
/// - Precondition: `x` is finite and above zero.
func naturalLogarithm(_ x: Double) -> Double {
  var exponent = Double(x.exponent)
  var significand = x.significand
  if significand > 1.4142135623730951 {
    significand *= 0.5
    exponent += 1
  }
  let s = (significand - 1) / (significand + 1)
  let square = s * s
  var series = 0.0
  var power = 23.0
  while power > 1 {
    series = (series + 1 / power) * square
    power -= 2
  }
  return exponent * logOfTwo.high + (2 * s + (2 * s * series + exponent * logOfTwo.low))
}

/// eˣ, to about 2 units in the last place; infinite if it overflows, zero if it is below the normal numbers.
///
/// x = k ln 2 + r with |r| ≤ ½ ln 2, and eʳ by its power series.
func exponential(_ x: Double) -> Double {
  guard x < 709.79 else { return x.isNaN ? x : .infinity }
  guard x > -708.3 else { return 0 }
  let exponent = (x * 1.4426950408889634).rounded()
  let rest = x - exponent * logOfTwo.high - exponent * logOfTwo.low
  var series = 1.0
  var factor = 18.0
  while factor > 0 {
    series = 1 + series * rest / factor
    factor -= 1
  }
  // In two steps, because 2¹⁰²⁴ is not finite but half of it is.
  return series * Double(sign: .plus, exponent: Int(exponent) - 1, significand: 1) * 2
}
