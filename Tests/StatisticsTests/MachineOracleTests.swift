// Combined ratios of simulated machines, written for `scripts/oracles`, which computes the same with R.
import Foundation
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A12 · ratios of several machines compared with those of R", .tags(.a12))
struct MachineOracleTests {
  private static let file = ProcessInfo.processInfo.environment["BATCHMARK_MACHINES"]

  @Test("Each line has a confidence, the ratio, its interval, the spread and the log ratios", .enabled(if: file != nil))
  func lines() throws {
    var generator = SplitMix64(seed: 31)
    var lines: [String] = []
    for count in [3, 4, 5, 6, 7, 10, 11, 25, 40] {
      for (spread, noise) in [(0, 1.0...1), (0.03, 1...1), (0.03, 0.5...4), (0.1, 1...1), (0.1, 0.5...4), (2, 1...1)] {
        for confidence in [0.5, 0.8, 0.95, 0.99] {
          let machines = SimulatedMachines(count: count, spread: spread, noise: noise)
          let centers = machines.measure(naturalLogarithm(1.2), using: &generator).compactMap(meanLogRatio)
          let combined = try #require(CombinedRatio(logRatios: centers, confidence: confidence))
          let interval = try #require(combined.interval)
          let figures = [
            confidence, combined.ratio, interval.lowerBound, interval.upperBound, try #require(combined.spread),
          ]
          lines.append((figures + centers).map(\.description).joined(separator: " "))
        }
      }
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: try #require(Self.file)))
  }
}
