// Logarithms and the normal distribution compared with Python 3's math and SciPy 1.17.
import MissionTags
@testable import Statistics
import Support
import Testing

@Suite("A2 · logarithms of ratios", .tags(.a2))
struct LogarithmTests {
  @Test(
    "Logarithms",
    arguments: [
      (1e-300, -690.7755278982137), (0x1p-1074, -744.4400719213812), (0.5, -0.6931471805599453),
      (0.70710678, -0.3465735919580042), (0.9999999, -1.0000000494736474e-07), (1, 0),
      (1.0000001, 9.999999505838704e-08), (1.01, 0.009950330853168092), (1.05, 0.04879016416943205),
      (1.4142135, 0.3465735461755332), (3, 1.0986122886681098), (1e10, 23.025850929940457),
      (1.7976931348623157e308, 709.782712893384),
    ])
  func logarithms(x: Double, expected: Double) {
    #expect(abs(naturalLogarithm(x) - expected) <= 4 * expected.ulp)
  }

  @Test(
    "Exponentials",
    arguments: [
      (-708, 3.307553003638408e-308), (-100, 3.720075976020836e-44), (-1, 0.36787944117144233), (-1e-10, 0.9999999999),
      (0, 1), (1e-9, 1.000000001), (0.04879016416943205, 1.05), (0.5, 1.6487212707001282), (10, 22026.465794806718),
      (700, 1.0142320547350045e304), (709.78, 1.7928227943945155e308),
    ])
  func exponentials(x: Double, expected: Double) {
    #expect(abs(exponential(x) - expected) <= 4 * expected.ulp)
  }

  @Test("Exponentials out of range are zero, infinite or not a number")
  func exponentialEdges() {
    #expect(exponential(-800) == 0 && exponential(800) == .infinity && exponential(.nan).isNaN)
    #expect(exponential(-.infinity) == 0 && exponential(.infinity) == .infinity)
  }

  @Test(
    "Normal tails",
    arguments: [
      (-3, 0.9986501019683699), (0, 0.5), (0.5, 0.3085375387259869), (1.96, 0.024997895148220435),
      (2.49, 0.006387154764943171), (2.51, 0.006036558080412666), (5, 2.866515718791933e-07),
      (8, 6.22096057427174e-16), (20, 2.7536241186061556e-89), (37, 5.7255712225239266e-300),
    ])
  func normalTails(z: Double, expected: Double) {
    #expect(abs(normalTail(above: z) / expected - 1) < 1e-12)
  }

  @Test("Swapping a pair changes only the sign; equal proportions give equal numbers")
  func antisymmetry() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let (a, b) = (generator.nextUnit() + 0.01, generator.nextUnit() + 0.01)
      let forth = try #require(logRatio(b, to: a))
      #expect(logRatio(a, to: b) == -forth)
      #expect(logRatio(b * 1024, to: a * 1024) == forth)
      #expect(abs(ratio(fromLog: forth) / (b / a) - 1) < 1e-14)
    }
    #expect(logRatio(3, to: 2) == logRatio(6, to: 4))
    #expect(logRatio(0.3, to: 0.3) == 0)
  }

  @Test("A ratio of values that are not positive, or too large, has no logarithm")
  func refused() {
    for bad in [0, -1, .nan, .infinity] {
      #expect(logRatio(bad, to: 1) == nil && logRatio(1, to: bad) == nil)
      #expect(pairedLogRatios([1, bad], to: [1, 1]) == nil)
    }
    #expect(logRatio(1e300, to: 1e-300) == nil)
    #expect(pairedLogRatios([1], to: [1, 2]) == nil)
    #expect(pairedLogRatios([], to: []) == [])
  }
}
