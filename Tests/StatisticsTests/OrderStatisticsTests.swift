// Order statistics compared with values from NumPy 2.4 and SciPy 1.17, and cases without an answer.
import MissionTags
import Statistics
import Support
import Testing

/// Twelve run times, one of them an outlier.
let runTimes = [
  0.0921, 0.0884, 0.1013, 0.0899, 0.0907, 0.2215, 0.0893, 0.0911, 0.0902, 0.0888, 0.0950, 0.0897,
]

/// Whether two numbers are the same except for rounding.
func isClose(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) <= 1e-12 * abs(b) } ?? false }

@Suite("A2 · order statistics", .tags(.a2))
struct OrderStatisticsTests {
  @Test("The median is the middle value, or the mean of the middle two")
  func medians() {
    #expect(isClose(median(runTimes), 0.09045))
    #expect(median(Array(runTimes.prefix(11))) == 0.0907)
    #expect(median([3]) == 3)
    #expect(median([4, 1]) == 2.5)
    #expect(median([2, 2, 2, 9]) == 2)
    #expect(median([-.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == 0)
    #expect(median([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .greatestFiniteMagnitude)
  }

  @Test(
    "Quantiles agree with NumPy's default",
    arguments: [
      (0, 0.0884), (0.05, 0.08862), (0.25, 0.0896), (0.5, 0.09045), (0.9, 0.10067), (0.99, 0.208278), (1, 0.2215),
    ])
  func quantiles(probability: Double, expected: Double) {
    #expect(isClose(quantile(runTimes, probability), expected))
  }

  @Test("Quantiles are right for one value, for ties and at the ends of the range")
  func quantileEdges() {
    for probability in [0, 0.3, 1] { #expect(quantile([7], probability) == 7) }
    #expect(quantile([5, 5, 5], 0.77) == 5)
    #expect(quantile([-.greatestFiniteMagnitude, .greatestFiniteMagnitude], 0.5) == 0)
  }

  @Test("The robust spread agrees with SciPy's, and an outlier does not move it")
  func spread() throws {
    #expect(isClose(medianAbsoluteDeviation(runTimes), 0.0014))
    #expect(isClose(robustStandardDeviation(runTimes), 0.00207564310590784))
    #expect(medianAbsoluteDeviation([3]) == 0)
    var far = runTimes
    far[5] = 1e9
    #expect(medianAbsoluteDeviation(far) == medianAbsoluteDeviation(runTimes))
    #expect(medianAbsoluteDeviation([-.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .greatestFiniteMagnitude)
    // A deviation of twice the largest number cannot be represented.
    let wide: [Double] = [-.greatestFiniteMagnitude, .greatestFiniteMagnitude, .greatestFiniteMagnitude]
    #expect(medianAbsoluteDeviation(wide) == nil)
  }

  @Test(
    "Without values, or with ones that are not numbers, there is no result",
    arguments: [[], [.nan], [1, .nan, 2], [.infinity], [1, -.infinity]] as [[Double]])
  func refused(values: [Double]) {
    #expect(median(values) == nil)
    #expect(quantile(values, 0.5) == nil)
    #expect(medianAbsoluteDeviation(values) == nil)
    #expect(robustStandardDeviation(values) == nil)
    #expect(medianInterval(values + Array(repeating: 1, count: values.isEmpty ? 0 : 20), confidence: 0.95) == nil)
  }

  @Test("A probability must be from 0 to 1", arguments: [-0.01, 1.01, .nan, .infinity])
  func probabilities(probability: Double) {
    #expect(quantile(runTimes, probability) == nil)
  }

  @Test("The order of the values does not matter; a shift and a scale apply to the result")
  func properties() throws {
    var generator = SplitMix64(seed: 11)
    for count in 1...60 {
      let values = (0..<count).map { _ in Double(generator.next(below: 1000)) }
      let middle = try #require(median(values))
      #expect(median(values.shuffled(using: &generator)) == middle)
      // Powers of two and small integers cause no rounding.
      #expect(median(values.map { $0 * 4 + 16 }) == middle * 4 + 16)
      #expect(quantile(values, 0.5) == middle)
      #expect(quantile(values, 0) == values.min())
      #expect(quantile(values, 1) == values.max())
      let deviation = try #require(medianAbsoluteDeviation(values))
      #expect(medianAbsoluteDeviation(values.map { $0 * -4 + 16 }) == deviation * 4)
      let steps = stride(from: 0.0, through: 1, by: 0.0625).compactMap { quantile(values, $0) }
      #expect(steps.count == 17 && steps == steps.sorted())
    }
  }
}
