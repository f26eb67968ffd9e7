// Random positions in an order, from a uniform, normal or Zipf distribution, the same on every machine.
import BatchmarkEngine

/// Draws positions from 0 to count - 1.
///
/// A row's position does not depend on earlier rows.
struct RandomPlaces {
  private let distribution: ValueDistribution
  private let count: Int
  private let field: RandomField
  private let zipf: ZipfLaw?

  /// Draws from a count of at least 1.
  ///
  /// The field makes the draws independent of others with the same seed.
  init(_ distribution: ValueDistribution, of count: Int, seed: UInt64, field: String) {
    self.distribution = distribution
    self.count = count
    self.field = RandomField(seed: seed, field: field)
    if case .zipf(let exponent) = distribution { zipf = ZipfLaw(count: count, exponent: exponent) } else { zipf = nil }
  }

  /// The position that a row draws; O(1) on average.
  subscript(row: Int) -> Int {
    if let zipf { return zipf.rank(field.numbers(row)) - 1 }
    guard case .normal(let mean, let deviation) = distribution else { return field.number(row, below: count) }
    var numbers = field.numbers(row)
    // The scenario reader refuses a mean outside of the range and a deviation wider than it, so at least a third of the
    // draws are inside.
    while true {
      let place = (mean + deviation * numbers.gaussian()).rounded()
      if place >= 0, place < Double(count), let place = Int(exactly: place) { return place }
    }
  }
}

/// The random numbers of a row that needs several: SplitMix64.
struct RandomNumbers {
  private var state: UInt64

  init(state: UInt64) { self.state = state }

  mutating func next() -> UInt64 {
    state &+= RandomField.golden
    return RandomField.mixed(state)
  }

  /// A number in 0..<1 with 53 random bits.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A normally distributed number with mean 0 and deviation 1, by the polar method (Marsaglia and Bray, "A convenient
  /// method for generating normal variables", 1964).
  mutating func gaussian() -> Double {
    while true {
      let (x, y) = (2 * fraction() - 1, 2 * fraction() - 1)
      let square = x * x + y * y
      if square > 0, square < 1 { return x * (-2 * SameEverywhere.logarithm(square) / square).squareRoot() }
    }
  }
}

extension RandomField {
  /// The random numbers of a row.
  func numbers(_ row: Int) -> RandomNumbers { RandomNumbers(state: self[row]) }
}

/// Draws ranks from a Zipf distribution without a table (Hörmann and Derflinger, "Rejection-inversion to generate
/// variates from monotone discrete distributions", 1996).
private struct ZipfLaw {
  private let count: Int
  private let exponent: Double
  private let first: Double
  private let last: Double
  private let sure: Double

  init(count: Int, exponent: Double) {
    self.count = count
    self.exponent = exponent
    first = ZipfLaw.integral(1.5, exponent) - 1
    last = ZipfLaw.integral(Double(count) + 0.5, exponent)
    sure = 2 - ZipfLaw.inverse(ZipfLaw.integral(2.5, exponent) - ZipfLaw.weight(2, exponent), exponent)
  }

  /// A rank from 1 to the count.
  ///
  /// Most draws are accepted on the first attempt.
  func rank(_ numbers: RandomNumbers) -> Int {
    var numbers = numbers
    while true {
      let area = last + numbers.fraction() * (first - last)
      let x = ZipfLaw.inverse(area, exponent)
      let nearest = min(max((x + 0.5).rounded(.down), 1), Double(count))
      let isIn =
        nearest - x <= sure || area >= ZipfLaw.integral(nearest + 0.5, exponent) - ZipfLaw.weight(nearest, exponent)
      if isIn { return min(Int(exactly: nearest) ?? count, count) }
    }
  }

  private static func weight(_ x: Double, _ exponent: Double) -> Double {
    SameEverywhere.exponential(-exponent * SameEverywhere.logarithm(x))
  }

  /// The integral of the weights from 1 to a number.
  private static func integral(_ x: Double, _ exponent: Double) -> Double {
    let logarithm = SameEverywhere.logarithm(x)
    let power = (1 - exponent) * logarithm
    // (eᵖ - 1) / p, by its series if the difference would lose digits.
    let quotient =
      abs(power) > 1e-4
      ? (SameEverywhere.exponential(power) - 1) / power : 1 + power / 2 * (1 + power / 3 * (1 + power / 4))
    return quotient * logarithm
  }

  private static func inverse(_ area: Double, _ exponent: Double) -> Double {
    let power = max(area * (1 - exponent), -1 + 0x1p-50)
    let quotient =
      abs(power) > 1e-4
      ? SameEverywhere.logarithm(1 + power) / power : 1 - power * (1 / 2 - power * (1 / 3 - power / 4))
    return SameEverywhere.exponential(quotient * area)
  }
}

/// Logarithms and powers from the four basic operations, which every machine rounds alike.
///
/// Those of math libraries differ in the last digit.
enum SameEverywhere {
  private static let ln2 = 0.693_147_180_559_945_3

  /// The natural logarithm of a positive number, to about 15 digits.
  static func logarithm(_ x: Double) -> Double {
    var (mantissa, exponent) = (x.significand, Double(x.exponent))
    if mantissa > 1.414_213_562_373_095_1 { (mantissa, exponent) = (mantissa / 2, exponent + 1) }
    // ln m = 2 artanh z; the series converges quickly because z² is below 0.03.
    let z = (mantissa - 1) / (mantissa + 1)
    var sum = 0.0
    for odd in stride(from: 23, through: 1, by: -2) { sum = sum * z * z + 1 / Double(odd) }
    return exponent * ln2 + 2 * z * sum
  }

  /// The exponential function, to about 15 digits, with results from e⁻⁷⁰⁰ to e⁷⁰⁰.
  static func exponential(_ x: Double) -> Double {
    let x = min(max(x, -700), 700)
    let halvings = (x / ln2).rounded()
    let rest = x - halvings * ln2
    var sum = 1.0
    for number in stride(from: 18, through: 1, by: -1) { sum = 1 + sum * rest / Double(number) }
    return sum * Double(sign: .plus, exponent: Int(halvings), significand: 1)
  }
}
