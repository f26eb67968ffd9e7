// Ticks at round values: known answers, and rules for every range.
import Foundation
import MissionTags
import Support
import Testing

@testable import Charts

@Suite("A5 · ticks", .tags(.a5))
struct TicksTests {
  private func ticks(_ low: Double, _ high: Double, _ isLogarithmic: Bool, _ steps: Axis.Steps, gap: Double = 20)
    -> [Double]
  {
    Scale(isLogarithmic: isLogarithmic, low: low, high: high, start: 0, end: 500)
      .ticks(steps, label: Samples.exact) { $1.position - $0.position < gap }.map(\.value)
  }

  private static let linearRanges: [(low: Double, high: Double, steps: Axis.Steps, expected: [Double])] = [
    (0.0, 100.0, .decimal, [0.0, 20, 40, 60, 80, 100]), (0, 6, .decimal, [0, 1, 2, 3, 4, 5, 6]),
    (0, 0.7, .decimal, [0, 0.2, 0.4, 0.6]), (0, 0.6, .decimal, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    (0.95, 1.1, .doubling, [0.95, 1, 1.05, 1.1]),
    (-3, 3, .decimal, [-3, -2, -1, 0, 1, 2, 3]), (0, 6.75, .doubling, [0, 1, 2, 3, 4, 5, 6]),
    (0, 7_077_888, .doubling, [0, 1_048_576, 2_097_152, 3_145_728, 4_194_304, 5_242_880, 6_291_456]),
    (1e12, 1e12 + 9, .decimal, [1e12, 1e12 + 2, 1e12 + 4, 1e12 + 6, 1e12 + 8]),
  ]
  private static let logarithmicRanges: [(low: Double, high: Double, steps: Axis.Steps, expected: [Double])] = [
    (0.6, 8.5, .doubling, [1.0, 2, 4, 8]), (0.9, 17, .doubling, [1, 2, 4, 8, 16]),
    (1, 1000, .decimal, [1, 10, 100, 1000]), (3e-9, 3, .decimal, [1e-6, 1e-3, 1]),
    (1, 60, .decimal, [1, 2, 5, 10, 20, 50]), (1e3, 1e6, .decimal, [1e3, 1e4, 1e5, 1e6]),
    // More than seven of 1, 2 and 5 but fewer than three powers: use every other tick.
    (1.94e-3, 0.767, .decimal, [0.003, 0.01, 0.03, 0.1, 0.3]), (1.1, 4.5, .doubling, [1.5, 2, 3, 4]),
    (0.5, 300, .doubling, [1, 4, 16, 64, 256]),
  ]

  @Test(
    "Linear ticks are at round numbers",
    arguments: linearRanges)
  func linear(low: Double, high: Double, steps: Axis.Steps, expected: [Double]) {
    #expect(ticks(low, high, false, steps) == expected)
  }

  @Test(
    "Logarithmic ticks are at round numbers",
    arguments: logarithmicRanges)
  func logarithmic(low: Double, high: Double, steps: Axis.Steps, expected: [Double]) {
    #expect(ticks(low, high, true, steps) == expected)
  }

  @Test("Little room or equal labels give fewer ticks")
  func fewer() {
    #expect(ticks(0, 100, false, .decimal, gap: 200) == [0, 50, 100])
    let alike = Scale(isLogarithmic: false, low: 0, high: 4, start: 0, end: 500)
      .ticks(.decimal, label: { "\(Int($0))" }) { $1.position - $0.position < 20 }
    #expect(alike.map(\.label) == ["0", "1", "2", "3", "4"])
  }

  @Test("Any range has 3 to 7 ascending ticks within it", arguments: 0..<20)
  func property(seed: UInt64) {
    var source = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let isLogarithmic = Bool.random(using: &source)
      let steps: Axis.Steps = Bool.random(using: &source) ? .decimal : .doubling
      let magnitude = pow(10, Double.random(in: -200...200, using: &source))
      let low = isLogarithmic ? magnitude : magnitude * .random(in: -1...1, using: &source)
      let high =
        isLogarithmic
        ? low * pow(10, .random(in: 0.05...60, using: &source))
        : low + magnitude * .random(in: 0.001...3, using: &source)
      let found = ticks(low, high, isLogarithmic, steps)
      #expect((3...7).contains(found.count), "\(low) to \(high), \(isLogarithmic), \(steps): \(found)")
      #expect(zip(found, found.dropFirst()).allSatisfy(<))
      let slack = (high - low) * 1e-6
      #expect(found.allSatisfy { $0 >= low - slack && $0 <= high + slack })
    }
  }
}
