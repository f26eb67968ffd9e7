// Exact bounds of a rate compared with scipy.stats.binomtest and the beta distribution, SciPy 1.17.
import MissionTags
import Testing

@testable import Statistics

@Suite("A7 · how well a rate is known", .tags(.a2, .a7))
struct BinomialBoundsTests {
  /// Both bounds, each with half of the error probability.
  private func bothBounds(successes: Int, trials: Int, confidence: Double) -> ClosedRange<Double>? {
    let ofEach = (1 + confidence) / 2
    guard let lower = binomialLowerBound(successes: successes, trials: trials, confidence: ofEach),
      let upper = binomialUpperBound(successes: successes, trials: trials, confidence: ofEach)
    else { return nil }
    return lower...upper
  }

  @Test(
    "The interval is Clopper and Pearson's",
    arguments: [
      (0, 300, 0.95, 0, 0.012220974694296421), (3, 40, 0.95, 0.015742179851041527, 0.20386474873289898),
      (1, 1, 0.95, 0.025, 1), (20, 40, 0.99, 0.2946133873495769, 0.705386612650423),
      (300, 300, 0.95, 0.9877790253057036, 1), (5, 230, 0.95, 0.007095436072406743, 0.04999993538563123),
      (225, 230, 0.95, 0.9500000646143688, 0.9929045639275933),
      (9999, 10_000, 0.999, 0.9990005820000734, 0.9999999499874844), (0, 1, 0.5, 0, 0.75),
    ])
  func clopperPearson(successes: Int, trials: Int, confidence: Double, low: Double, high: Double) throws {
    let interval = try #require(bothBounds(successes: successes, trials: trials, confidence: confidence))
    #expect(abs(interval.lowerBound - low) < 1e-12 && abs(interval.upperBound - high) < 1e-12)
  }

  @Test("No false alarm in 300 comparisons means at most 1 %")
  func bounds() throws {
    let bound = try #require(binomialUpperBound(successes: 0, trials: 300, confidence: 0.95))
    #expect(abs(bound - 0.009936081944457708) < 1e-12)
    let few = try #require(binomialUpperBound(successes: 3, trials: 40, confidence: 0.95))
    #expect(abs(few - 0.18258685001590122) < 1e-12)
    #expect(binomialUpperBound(successes: 4, trials: 4, confidence: 0.95) == 1)
    #expect(binomialLowerBound(successes: 0, trials: 4, confidence: 0.95) == 0)
  }

  @Test("At the interval's ends the tails have the requested probability")
  func inversion() throws {
    for (successes, trials) in [(1, 7), (3, 40), (17, 18), (50, 1000)] {
      let interval = try #require(bothBounds(successes: successes, trials: trials, confidence: 0.9))
      let atLeast = binomialTail(atLeast: successes, trials: trials, rate: interval.lowerBound)
      let more = binomialTail(atLeast: successes + 1, trials: trials, rate: interval.upperBound)
      #expect(abs(atLeast - 0.05) < 1e-12 && abs(1 - more - 0.05) < 1e-12)
    }
  }

  @Test("Without a trial, with too many successes or an invalid confidence there is no interval")
  func refused() {
    #expect(bothBounds(successes: 0, trials: 0, confidence: 0.95) == nil)
    #expect(bothBounds(successes: 3, trials: 2, confidence: 0.95) == nil)
    #expect(bothBounds(successes: -1, trials: 2, confidence: 0.95) == nil)
    for confidence in [0, 1, -0.5, 1.5, .nan] {
      #expect(binomialLowerBound(successes: 1, trials: 2, confidence: confidence) == nil)
      #expect(binomialUpperBound(successes: 1, trials: 2, confidence: confidence) == nil)
    }
  }
}
