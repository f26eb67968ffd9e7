// Student's t distribution, for intervals of few values. Like the logarithms, it uses only arithmetic that IEEE 754
// defines to the last bit.

/// P(−t ≤ T ≤ t) for a T with Student's t distribution, to about 14 digits.
///
/// With θ = arctan(t / √ν), for an even number ν of degrees it is sin θ (1 + ½ cos² θ + (1·3)/(2·4) cos⁴ θ + … +
/// (1·3·…·(ν − 3))/(2·4·…·(ν − 2)) cos^(ν−2) θ), for an odd number it is (2/π)(θ + sin θ (cos θ + ⅔ cos³ θ + … +
/// (2·4·…·(ν − 3))/(1·3·…·(ν − 2)) cos^(ν−2) θ)). Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964),
/// 26.7.3 and 26.7.4. O(degrees).
///
/// - Precondition: `t` is from 0 to 10¹⁰⁰; `degrees` is above zero.
func studentProbability(within t: Double, degrees: Int) -> Double {
  let tangent = t / Double(degrees).squareRoot()
  let cosine = 1 / (1 + tangent * tangent).squareRoot()
  let sine = tangent * cosine
  let isOdd = !degrees.isMultiple(of: 2)
  var sum = 0.0
  var term = isOdd ? cosine : 1
  for power in stride(from: isOdd ? 1.0 : 0, through: Double(degrees) - 2, by: 2) {
    sum += term
    term *= cosine * cosine * (power + 1) / (power + 2)
  }
  return isOdd ? (arcTangent(tangent) + sine * sum) * 0.6366197723675814 : sine * sum
}

/// The t such that a T with Student's t distribution is within ±t with a probability: 4.303 for 95 % and two degrees of
/// freedom.
///
/// It bisects until no number is left between; O(degrees).
///
/// - Returns: The t; `nil` if there is no degree of freedom, or the confidence is not between 0 and 1 or too close to
///   1.
func studentQuantile(confidence: Double, degrees: Int) -> Double? {
  guard degrees > 0, confidence > 0, confidence < 1 else { return nil }
  var low = 0.0
  var high = 1.0
  while studentProbability(within: high, degrees: degrees) < confidence {
    low = high
    high *= 2
    guard high < 0x1p64 else { return nil }
  }
  while true {
    let middle = low * 0.5 + high * 0.5
    guard middle > low, middle < high else { return high }
    if studentProbability(within: middle, degrees: degrees) < confidence { low = middle } else { high = middle }
  }
}

/// The arc tangent of a number from 0 to 10¹⁰⁰, to a few units in the last place.
///
/// arctan x = 2 arctan(x / (1 + √(1 + x²))), three times, which leaves at most tan(π/16) < 0.2; then x − x³/3 + x⁵/5 − …
private func arcTangent(_ x: Double) -> Double {
  var reduced = x
  for _ in 0..<3 { reduced /= 1 + (1 + reduced * reduced).squareRoot() }
  let square = reduced * reduced
  var series = 0.0
  for odd in stride(from: 25.0, through: 1, by: -2) { series = 1 / odd - series * square }
  return 8 * reduced * series
}
