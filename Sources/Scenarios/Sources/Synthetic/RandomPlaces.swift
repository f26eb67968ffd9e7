// Random places in an order, uniformly, by Gauss's curve or by Zipf's law, the same on every machine.
import BatchmarkEngine

/// Draws places from 0 to a count - 1, the place of a row without those of the rows before.
struct RandomPlaces {
  private let distribution: ValueDistribution
  private let count: Int
  private let field: RandomField
  private let zipf: ZipfLaw?

  /// Draws from a count of at least 1; the field makes the draws independent of others with the same seed.
  init(_ distribution: ValueDistribution, of count: Int, seed: UInt64, field: String) {
    self.distribution = distribution
    self.count = count
    self.field = RandomField(seed: seed, field: field)
    if case .zipf(let exponent) = distribution { zipf = ZipfLaw(count: count, exponent: exponent) } else { zipf = nil }
  }

  /// The place that a row draws; O(1) on average.
  subscript(row: Int) -> Int {
    if let zipf { return zipf.rank(field.numbers(row)) - 1 }
    guard case .normal(let mean, let deviation) = distribution else { return field.number(row, below: count) }
    var numbers = field.numbers(row)
    // The reader of scenarios refuses a mean outside and a deviation wider than the range: a third of the draws are in it.
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

  /// A number from 0 to just below 1, of 53 random bits.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number of the normal distribution with mean 0 and deviation 1, by the polar method (Marsaglia and Bray, "A
  /// convenient method for generating normal variables", 1964).
  mutating func gaussian() -> Double {
    while true {
      let (x, y) = (2 * fraction() - 1, 2 * fraction() - 1)
      let square = x * x + y * y
      if square > 0, square < 1 { return x * (-2 * SameEverywhere.logarithm(square) / square).squareRoot() }
    }
  }
}

extension RandomField {
  /// The series of a row.
  func numbers(_ row: Int) -> RandomNumbers { RandomNumbers(state: self[row]) }
}

/// Draws ranks by Zipf's law without a table of them (Hörmann and Derflinger, "Rejection-inversion to generate variates
/// from monotone discrete distributions", 1996).
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

  /// A rank from 1 to the count; most are accepted at once.
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
    // (eᵖ - 1) / p, by its series where the difference would lose its digits.
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

/// Logarithms and powers by the four operations alone, which every machine rounds alike; those of mathematical libraries
/// differ in the last digit.
enum SameEverywhere {
  private static let ln2 = 0.693_147_180_559_945_3

  /// The natural logarithm of a positive number, to some 15 digits.
  static func logarithm(_ x: Double) -> Double {
    var (mantissa, exponent) = (x.significand, Double(x.exponent))
    if mantissa > 1.414_213_562_373_095_1 { (mantissa, exponent) = (mantissa / 2, exponent + 1) }
    // ln m = 2 artanh z, whose series converges quickly since z² is below 0.03.
    let z = (mantissa - 1) / (mantissa + 1)
    var sum = 0.0
    for odd in stride(from: 23, through: 1, by: -2) { sum = sum * z * z + 1 / Double(odd) }
    return exponent * ln2 + 2 * z * sum
  }

  /// The exponential function, to some 15 digits; from e⁻⁷⁰⁰ to e⁷⁰⁰.
  static func exponential(_ x: Double) -> Double {
    let x = min(max(x, -700), 700)
    let halvings = (x / ln2).rounded()
    let rest = x - halvings * ln2
    var sum = 1.0
    for number in stride(from: 18, through: 1, by: -1) { sum = 1 + sum * rest / Double(number) }
    return sum * Double(sign: .plus, exponent: Int(halvings), significand: 1)
  }
}
