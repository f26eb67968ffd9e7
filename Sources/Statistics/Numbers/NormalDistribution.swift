// The normal distribution, for sample sizes at which exact distributions take too long.

/// P(Z > z) for a standard normal Z, to about 14 digits down to 10⁻³⁰⁰.
///
/// With φ(z) = e^(−z²/2) / √(2π): for small z, ½ − φ(z)(z + z³/3 + z⁵/15 + …); for large z, φ(z) times the continued fraction
/// 1/(z + 1/(z + 2/(z + 3/(z + …)))). Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.2.11 and 26.2.14.
func normalTail(above z: Double) -> Double {
  guard z >= 0 else { return 1 - normalTail(above: -z) }
  let density = exponential(-z * z / 2) * 0.3989422804014327
  if z < 2.5 {
    var term = z
    var sum = z
    var odd = 1.0
    while term > sum * 1e-17 {
      odd += 2
      term *= z * z / odd
      sum += term
    }
    return 0.5 - density * sum
  }
  var fraction = z
  for numerator in stride(from: 160.0, through: 1, by: -1) { fraction = z + numerator / fraction }
  return density / fraction
}
