// Random positions: their frequencies, and the same draws on every machine.
import Foundation
import MissionTags
import Testing

@testable import BatchmarkEngine
@testable import Scenarios

@Suite("A8 · distributions of synthetic values", .tags(.a8))
struct RandomPlacesTests {
  private static let draws = 100_000

  private func places(_ distribution: ValueDistribution, of count: Int, draws: Int = draws, seed: UInt64 = 1) -> [Int] {
    let places = RandomPlaces(distribution, of: count, seed: seed, field: "a")
    return (0..<draws).map { places[$0] }
  }

  @Test("The first draws of each distribution are the same on every machine")
  func knownAnswers() {
    #expect(places(.uniform, of: 1_000, draws: 8, seed: 42) == [513, 395, 578, 501, 65, 103, 880, 428])
    #expect(
      places(.normal(mean: 500, deviation: 100), of: 1_000, draws: 8, seed: 42) == [
        555, 501, 532, 499, 528, 367, 533, 526,
      ])
    #expect(places(.zipf(exponent: 1), of: 1_000, draws: 8, seed: 42) == [0, 11, 412, 25, 19, 624, 12, 3])
    #expect(
      places(.zipf(exponent: 0.5), of: 1_000_000_000_000, draws: 4, seed: 42) == [
        10_231_452_638, 169_258_147_885, 778_090_536_315, 266_050_662_669,
      ])
  }

  @Test("Logarithms and powers agree with the math library to a part in 10¹⁴")
  func functions() {
    for x in [1e-300, 0.001, 0.5, 0.999_999, 1, 1.000_001, 1.414_213_6, 1.5, 2, 10, 12_345.678, 1e18, 1e300] {
      #expect(abs(SameEverywhere.logarithm(x) - log(x)) <= 1e-14 * max(1, abs(log(x))))
    }
    for x in [-600.5, -20, -1, -0.3, -1e-9, 0, 1e-9, 0.3, 0.5, 1, 20, 600.5] {
      #expect(abs(SameEverywhere.exponential(x) / exp(x) - 1) < 1e-12, "\(x)")
    }
    #expect(SameEverywhere.logarithm(1) == 0 && SameEverywhere.exponential(0) == 1)
  }

  @Test("Uniform positions are all equally frequent")
  func uniform() {
    let counts = places(.uniform, of: 20).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    #expect(counts.count == 20)
    // The standard deviation of each count is 69, so 4.5 of them are 311.
    for (place, count) in counts { #expect(abs(count - 5_000) < 311, "\(place)") }
  }
}

extension RandomPlacesTests {
  @Test("Normal positions have the mean, the deviation and the shares beyond one, two and three deviations")
  func normal() {
    let found = places(.normal(mean: 50_000, deviation: 5_000), of: 100_001).map { Double($0 - 50_000) / 5_000 }
    let mean = found.reduce(0, +) / Double(found.count)
    let variance = found.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(found.count)
    #expect(abs(mean) < 0.015)
    #expect(abs(variance.squareRoot() - 1) < 0.01)
    for (deviations, share) in [(1.0, 0.317_311), (2.0, 0.045_500), (3.0, 0.002_700)] {
      let beyond = Double(found.count { abs($0) > deviations }) / Double(found.count)
      #expect(abs(beyond - share) < 4.5 * (share / Double(found.count)).squareRoot(), "\(deviations): \(beyond)")
    }
    // Both sides have the same number.
    #expect(abs(found.count { $0 > 1 } - found.count { $0 < -1 }) < 4 * 179)
  }

  @Test("Normal values outside of the range are drawn again, not moved to its ends")
  func truncated() {
    let found = places(.normal(mean: 0, deviation: 50), of: 51)
    #expect(found.allSatisfy { (0...50).contains($0) })
    let counts = found.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    // The curve at one standard deviation is e^-½ of its value at the mean. The first position is half a step less.
    let ratio = Double(counts[49] ?? 0) / Double(counts[1] ?? 1)
    #expect(abs(ratio - 0.618) < 0.06)
  }

  @Test(
    "Zipf's law: the n-th position is drawn 1 / n^exponent times as often as the first", arguments: [0.5, 1, 1.5, 3])
  func zipf(exponent: Double) {
    let (count, draws) = (1_000, RandomPlacesTests.draws)
    let weights = (1...count).map { pow(Double($0), -exponent) }
    let total = weights.reduce(0, +)
    let counts = places(.zipf(exponent: exponent), of: count).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    #expect(counts.keys.allSatisfy { (0..<count).contains($0) })
    for place in [0, 1, 2, 3, 9, 99] {
      let expected = Double(draws) * weights[place] / total
      #expect(
        abs(Double(counts[place] ?? 0) - expected) < 4.5 * expected.squareRoot() + 1, "\(place): \(expected)")
    }
    // The upper half together, because its single counts are small.
    let tail = weights[500...].reduce(0, +) / total * Double(draws)
    let found = counts.filter { $0.key >= 500 }.reduce(0) { $0 + $1.value }
    #expect(abs(Double(found) - tail) < 4.5 * tail.squareRoot() + 1)
  }

  @Test("Every distribution draws the only position if there is one")
  func one() {
    for distribution in [ValueDistribution.uniform, .normal(mean: 0, deviation: 0.25), .zipf(exponent: 1)] {
      #expect(Set(places(distribution, of: 1, draws: 100)) == [0])
    }
  }
}
