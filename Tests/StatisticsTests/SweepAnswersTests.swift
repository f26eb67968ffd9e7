// Knees and crossovers of costs with known formulas and thus known answers.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A2 · crossovers and knees of known costs", .tags(.a2))
struct SweepAnswersTests {
  /// Twelve rounds of a time with relative normal noise.
  private func times(_ seconds: Double, noise: Double, using generator: inout SplitMix64) -> [Double] {
    (0..<12).map { _ in seconds * exponential(noise * generator.nextNormal()) }
  }

  private func crossing(
    _ sizes: [Double], noise: Double = 0, seed: UInt64 = 1, _ first: (Double) -> Double, _ second: (Double) -> Double
  ) -> Crossover? {
    var generator = SplitMix64(seed: seed)
    let sweep = sizes.map { size in
      (
        size: size, first: times(first(size), noise: noise, using: &generator),
        second: times(second(size), noise: noise, using: &generator)
      )
    }
    return crossover(of: sweep, confidence: 0.95)
  }

  /// a + bx and c + dx, and the number of rows where they meet.
  static let lines: [(a: Double, b: Double, c: Double, d: Double, meet: Double)] = [
    (0, 2e-5, 0.1, 1e-5, 10_000), (0.001, 1.9e-5, 0.021, 1e-5, 20_000 / 9.0), (0.3, 1e-5, 0.1, 3e-5, 10_000),
  ]

  @Test(
    "The crossover of two lines is found, however far apart the sizes", arguments: 0..<3,
    [
      [100.0, 100_000], [100, 1000, 5000, 50_000], [500, 2000, 3000, 20_000],
      [1000, 2000, 5000, 10_000, 20_000, 50_000],
    ])
  func lines(index: Int, sizes: [Double]) throws {
    let (a, b, c, d, meet) = Self.lines[index]
    let exact = try #require(crossing(sizes, { a + b * $0 }, { c + d * $0 }))
    #expect(abs(exact.size / meet - 1) < 1e-9 && exact.secondWinsAbove == (d < b))
    #expect(exact.interval.contains(meet))
    for seed in 1...20 {
      let noisy = try #require(crossing(sizes, noise: 0.01, seed: UInt64(seed), { a + b * $0 }, { c + d * $0 }))
      #expect(abs(noisy.size / meet - 1) < 0.05, "\(noisy)")
      #expect(noisy.interval.contains(noisy.size))
    }
  }

  @Test("The crossover of two powers of the rows is found, and that of a line and a power nearly")
  func powers() throws {
    func power(_ exponent: Double, equalAt meet: Double) -> (Double) -> Double {
      { meet * exponential(exponent * naturalLogarithm($0 / meet)) }
    }
    let found = try #require(crossing([1000, 10_000], { $0 }, power(1.1, equalAt: 3000)))
    #expect(abs(found.size / 3000 - 1) < 1e-9 && !found.secondWinsAbove)
    let steep = try #require(crossing([100, 100_000], power(2, equalAt: 5000), power(1.3, equalAt: 5000)))
    #expect(abs(steep.size / 5000 - 1) < 1e-9 && steep.secondWinsAbove)
    let mixed = try #require(crossing([1000, 2000, 5000, 10_000], { 2000 + $0 / 3 }, power(1.2, equalAt: 3000)))
    #expect(abs(mixed.size / 3000 - 1) < 0.05)
  }

  @Test("Sizes without an answer narrow the range, unless they contradict one another")
  func undecided() throws {
    let ratio = [(1000.0, 0.3), (2000, 0.01), (4000, -0.01), (8000, -0.3)]
    func found(_ middles: [(Double, Double)]) throws -> Crossover {
      let sweep = middles.map { size, middle in
        let noisy = abs(middle) < 0.1
        let first = Array(repeating: size, count: 12)
        let second = (0..<12).map { size * exponential(middle + (noisy ? 0.2 : 0.01) * (Double($0) - 5.5)) }
        return (size: size, first: first, second: second)
      }
      return try #require(crossover(of: sweep, confidence: 0.95))
    }
    let narrowed = try found(ratio)
    #expect(narrowed.interval == 1000...8000 && (2000...4000).contains(narrowed.size))
    // The ratio goes up and down in between. The ends count: 1350 to 1000 becomes 5927 to 8000.
    let wavering = try found([ratio[0], (2000, -0.01), (4000, 0.01), ratio[3]])
    #expect(wavering.interval == 1000...8000 && wavering.secondWinsAbove)
    #expect(abs(wavering.size - 2010.7) < 0.1)
  }
}

extension SweepAnswersTests {
  @Test("Times without a crossover have none")
  func none() {
    let same = (size: 1.0, first: Array(repeating: 1.0, count: 8), second: Array(repeating: 2.0, count: 8))
    let other = (size: 2.0, first: same.second, second: same.first)
    #expect(crossover(of: [same, other], confidence: 0.95)?.interval == 1...2)
    #expect(crossover(of: [same, (2, same.first, same.second)], confidence: 0.95) == nil)
    #expect(crossover(of: [same, (1, other.first, other.second)], confidence: 0.95) == nil)
    #expect(crossover(of: [same, (2, [1], [1, 2])], confidence: 0.95) == nil)
    #expect(crossover(of: [same, (2, [1], [0])], confidence: 0.95) == nil)
    #expect(crossover(of: [same, (2, [2, 2], [1, 1])], confidence: 0.95) == nil)
    #expect(crossover(of: [same, (1.5, [1], [1, 2]), other], confidence: 0.95) == nil)
    #expect(crossover(of: [same, (1.5, [], []), other], confidence: 0.95)?.interval == 1...2)
  }

  static let requests = [100.0, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]

  /// The time of 100,000 rows in requests of these sizes, at 10 µs per row and a fixed time per request; the last size
  /// is "all".
  private func requests(
    _ sizes: [Double] = Self.requests, each: Double, noise: Double = 0.002, seed: UInt64 = 1
  ) -> [(size: Double, times: [Double])] {
    var generator = SplitMix64(seed: seed)
    return sizes.map { size in (size, times(1 + 100_000 / size * each, noise: noise, using: &generator)) }
  }

  @Test("The knee of 10 µs per row and a fixed time per request is found", arguments: 1...20)
  func knees(seed: UInt64) throws {
    // 2 ms each: a row takes 11 µs at 2,000, 10.4 µs at 5,000 and 10.02 µs at all, so 9.8 % and 3.8 % longer.
    let small = try #require(knee(of: requests(each: 0.002, seed: seed), margin: 0.05, confidence: 0.95))
    #expect(small.size == 5000 && small.earliest == 5000 && small.largest == 100_000 && !small.isStillGaining)
    // 50 ms each: a row takes 12.5 µs at 20,000, 11 µs at 50,000 and 10.5 µs at all, so 19 % and 4.8 % longer, which
    // the noise leaves open.
    let large = try #require(knee(of: requests(each: 0.05, seed: seed), margin: 0.05, confidence: 0.95))
    #expect(large.earliest == 50_000 && large.size >= 50_000 && !large.isStillGaining)
  }

  @Test("If the largest size is still better, the sweep has no knee")
  func stillGaining() throws {
    let all = try #require(knee(of: requests(each: 0.2), margin: 0.05, confidence: 0.95))
    #expect(
      all
        == Knee(
          size: 100_000, earliest: 100_000, best: 100_000, latest: 100_000, largest: 100_000, isStillGaining: true))
    let part = try #require(knee(of: requests([100, 200, 500, 1000], each: 0.002), margin: 0.05, confidence: 0.95))
    #expect(part.isStillGaining && part.size == 1000)
    // A single size has nothing to compare with, and without an interval nothing is shown.
    #expect(knee(of: [(1000, [1, 1])], margin: 0.05, confidence: 0.95)?.isStillGaining == false)
    #expect(knee(of: [(100, [3]), (1000, [1])], margin: 0.05, confidence: 0.95)?.isStillGaining == false)
  }
}
