// Growth with a known truth: proportional, with a fixed cost, powers, and with a break.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A2 · shapes of growth", .tags(.a2))
struct GrowthShapeTests {
  static let sizes = [100.0, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]

  /// Times from a formula, with relative normal noise and a stall now and then.
  private func sweep(
    _ sizes: [Double] = Self.sizes, rounds: Int = 10, noise: Double = 0, seed: UInt64 = 1, _ law: (Double) -> Double
  ) -> [(size: Double, times: [Double?])] {
    var generator = SplitMix64(seed: seed)
    return sizes.map { size in
      let times = (0..<rounds).map { _ -> Double? in
        let stall = noise > 0 && generator.next(below: 20) == 0 ? 2.0 : 1
        return law(size) * stall * exponential(noise * generator.nextNormal())
      }
      return (size, times)
    }
  }

  private func shape(_ sweep: [(size: Double, times: [Double?])]) throws -> GrowthShape {
    try #require(growthShape(of: sweep, confidence: 0.95))
  }

  @Test(
    "The verdict follows from the interval",
    arguments: [
      (1.06, 1.2, GrowthShape.Verdict.faster), (1.06, 1.09, .faster), (1.04, 1.2, .unclear),
      (1.01, 1.03, .proportional),
      (0.9, 1.1, .proportional), (0.89, 1, .unclear), (1, 1.11, .unclear), (0.94, 1.06, .proportional),
      (0.7, 0.94, .slower), (0.91, 0.94, .slower), (0.7, 0.96, .unclear), (1.05, 1.2, .unclear), (0.8, 0.95, .unclear),
      (0.5, 1.5, .unclear),
    ])
  func verdicts(low: Double, high: Double, expected: GrowthShape.Verdict) {
    let exponent = ScalingExponent(exponent: (low + high) / 2, interval: low...high)
    #expect(GrowthShape(exponent: exponent, stepUp: nil).verdict == expected)
    #expect(exponent.isDifferentFromOne == (expected == .faster || expected == .slower))
  }

  @Test("Without an interval there is no verdict")
  func undecided() throws {
    let exponent = ScalingExponent(exponent: 2, interval: nil)
    #expect(GrowthShape(exponent: exponent, stepUp: nil).verdict == .undecided && !exponent.isDifferentFromOne)
    #expect(try shape(sweep([1000, 2000, 4000], rounds: 1) { $0 }).verdict == .undecided)
  }

  @Test("Exactly proportional times have exactly the exponent 1", arguments: [1e-5, 2.5e-6, 3.7e-7, 1, 0.3])
  func exactlyLinear(row: Double) throws {
    let found = try shape(sweep { $0 * row })
    #expect(found.exponent.exponent == 1)
    let interval = try #require(found.exponent.interval)
    #expect(abs(interval.lowerBound - 1) < 1e-14 && abs(interval.upperBound - 1) < 1e-14)
    #expect(found.verdict == .proportional && found.stepUp == nil)
  }
}

extension GrowthShapeTests {
  @Test("The exponent of proportional times is exactly 1, whatever the time of a row")
  func exactlyOne() {
    for step in 1...40 {
      let row = Double(step) * 1.7e-7
      #expect(scalingExponent(of: Self.sizes.map { ($0, $0 * row) }, confidence: 0.95)?.exponent == 1)
    }
  }

  @Test(
    "Rows that take three times as long above 5,000 rows give a break there, and no exponent",
    arguments: [0, 0.02, 0.05])
  func broken(noise: Double) throws {
    for seed in 1...10 {
      let found = try shape(sweep(noise: noise, seed: UInt64(seed)) { $0 * ($0 > 5000 ? 3e-5 : 1e-5) })
      let stepUp = try #require(found.stepUp)
      #expect(found.verdict == .breaks && stepUp.after == 5000 && stepUp.before == 10_000)
      #expect(abs(stepUp.ratio / 3 - 1) < max(1e-12, 1.5 * noise))
      let interval = try #require(stepUp.interval)
      #expect(interval.contains(stepUp.ratio) && interval.upperBound / interval.lowerBound < 1 + 6 * max(noise, 1e-12))
    }
  }

  @Test("The interval of a break's ratio has its stated coverage")
  func coverage() throws {
    let trials = 200
    let covered = (0..<trials).count { seed in
      let points = sweep([1000, 5000, 10_000, 20_000], noise: 0.05, seed: UInt64(seed)) { $0 * ($0 > 5000 ? 3 : 1) }
      return growthBreak(of: points, confidence: 0.95)?.interval?.contains(3) ?? false
    }
    #expect(covered >= lowerLimit(trials: trials, rate: 0.95))
  }

  @Test("A break is found despite a fixed cost, and with a single size above or below it")
  func brokenWithFixedCost() throws {
    let fixed = try shape(sweep { 0.001 + $0 * ($0 > 5000 ? 3e-5 : 1e-5) })
    #expect(fixed.stepUp?.after == 5000)
    #expect(abs(try #require(fixed.stepUp?.ratio) / 3 - 1) < 0.1)
    #expect(try shape(sweep([1000, 2000, 5000, 10_000]) { $0 * ($0 > 5000 ? 3 : 1) }).stepUp?.after == 5000)
    #expect(try shape(sweep([1000, 2000, 5000, 10_000]) { $0 * ($0 > 1000 ? 3 : 1) }).stepUp?.after == 1000)
  }
}

extension GrowthShapeTests {
  @Test(
    "A fixed cost and a cost per row have no break, and do not grow faster than the rows", arguments: [0, 0.02, 0.05])
  func fixedCost(noise: Double) throws {
    for seed in 1...10 {
      // 1 ms is visible at 100 rows and hardly above; 20 ms are visible up to 5,000.
      let small = try shape(sweep(noise: noise, seed: UInt64(seed)) { 0.001 + $0 * 1e-5 })
      #expect(small.stepUp == nil && small.verdict != .faster)
      let large = try shape(sweep(noise: noise, seed: UInt64(seed)) { 0.02 + $0 * 1e-5 })
      #expect(large.stepUp == nil && large.verdict == .slower)
    }
  }

  @Test(
    "Powers of the rows have no break, however far apart the sizes", arguments: [1.1, 1.25, 1.5, 2, 3],
    [
      sizes, [1000, 2000, 100_000], [1000, 1200, 50_000, 60_000], [100, 1000, 1200, 10_000, 12_000], [100, 10_000],
    ])
  func powers(exponent: Double, sizes: [Double]) throws {
    for noise in [0, 0.005] {
      let found = try shape(sweep(sizes, noise: noise) { 1e-6 * exponential(exponent * naturalLogarithm($0)) })
      #expect(found.stepUp == nil && found.verdict == .faster)
      #expect(abs(found.exponent.exponent - exponent) < 0.05)
    }
  }

  @Test("Less than twice as long, a slow size, a slow start and a gradual rise are no breaks")
  func noBreaks() throws {
    func stepUp(_ rows: [Double]) throws -> GrowthBreak? {
      let sizes = [1000.0, 2000, 5000, 10_000, 20_000]
      return try shape(zip(sizes, rows).map { size, row in (size, Array(repeating: size * row, count: 8)) }).stepUp
    }
    #expect(try stepUp([1, 1, 1, 1.9, 1.9]) == nil && stepUp([1, 1, 1, 2.1, 2.1])?.ratio == 2.1)
    #expect(try stepUp([1, 1, 3, 1, 1]) == nil && stepUp([3, 3, 1, 1, 1]) == nil)
    #expect(try stepUp([1, 1, 1, 3, 4]) == nil && stepUp([1, 1.4, 1.4, 4, 4]) == nil)
    #expect(try stepUp([1, 1.25, 2, 2.5, 3.1]) == nil && stepUp([1, 1.6, 2.5, 3.3, 4.2]) == nil)
    #expect(try stepUp([4, 2, 1, 3, 3])?.ratio == 3)
  }
}

extension GrowthShapeTests {
  @Test("Two sizes left beside a fixed cost fit a power as well as two levels")
  func twoSizes() {
    for step in 1...40 {
      let rows = [(100.0, 9.0), (300, 1), (700, 2 + Double(step) / 10)]
      let sweep = rows.map { size, row in (size: size, times: [Double?](repeating: size * row * 1e-5, count: 8)) }
      #expect(growthBreak(of: sweep, confidence: 0.95) == nil)
    }
  }

  @Test("Rounds that disagree give no break, and neither do too few rounds")
  func rounds() throws {
    func stepUp(_ above: [Double?]) throws -> GrowthBreak? {
      let ones = [Double?](repeating: 1, count: above.count)
      return try shape(
        [(1.0, ones), (2, ones), (4, ones), (8, above)].map { size, rows in (size, rows.map { $0.map { $0 * size } }) }
      ).stepUp
    }
    #expect(try stepUp([3, 3, 3, 3])?.interval == nil && stepUp([3, 3, 3, 3])?.ratio == 3)
    #expect(try stepUp([3, 3, 3, 0.9]) == nil && stepUp([3, 3]) == nil && stepUp([3, 3, nil]) == nil)
    #expect(try stepUp([3, nil, 3, 3])?.ratio == 3)
    // With ten rounds, one different round leaves the interval above 1.5; four do not.
    #expect(try stepUp([3, 3, 3, 3, 3, 3, 3, 3, 3, 0.9])?.after == 4)
    #expect(try stepUp([5, 5, 5, 5, 5, 5, 0.9, 0.9, 0.9, 0.9]) == nil)
  }

  @Test("Proportional times with noise and stalls do not give a false break", arguments: [0.02, 0.1])
  func falseBreaks(noise: Double) throws {
    for seed in 1...15 {
      for rounds in [3, 10] {
        let found = try shape(sweep(rounds: rounds, noise: noise, seed: UInt64(seed)) { $0 * 1e-5 })
        #expect(found.stepUp == nil && found.verdict != .faster && found.verdict != .slower)
      }
    }
  }

  @Test("Input that is not a sweep has no shape")
  func edges() {
    #expect(growthShape(of: [], confidence: 0.95) == nil && growthShape(of: [(1, [1])], confidence: 0.95) == nil)
    #expect(growthShape(of: [(1, [1]), (1, [1]), (2, [1])], confidence: 0.95) == nil)
    #expect(growthShape(of: [(1, [1, 2]), (2, [1])], confidence: 0.95) == nil)
    #expect(growthShape(of: [(1, [1]), (2, [0])], confidence: 0.95) == nil)
    #expect(growthShape(of: [(1, [1]), (2, [nil]), (4, [4])], confidence: 0.95)?.exponent.exponent == 1)
  }
}
