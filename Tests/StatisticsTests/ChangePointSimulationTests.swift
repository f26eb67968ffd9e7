// How often whole checks raise a false alarm, and how often they find a step: the numbers in
// Documentation/Validation.md.
import Foundation
import MissionTags
import Support
import Testing

@testable import Statistics

/// The distribution of a history's values without a change.
enum HistoryNoise: String, CaseIterable, Sendable {
  /// Normal, 2 %.
  case normal
  /// Log-normal, skewed to large values.
  case skewed
  /// Normal, and ten times as wide at one in ten points.
  case outliers

  func series(_ points: Int, _ generator: inout SplitMix64) -> [Double] {
    (0..<points).map { _ in
      let normal = generator.nextNormal()
      return switch self {
      case .normal: 1 + 0.02 * normal
      case .skewed: 1 + 0.02 * exponential(normal)
      case .outliers: 1 + 0.02 * normal * (generator.next(below: 10) == 0 ? 10 : 1)
      }
    }
  }
}

@Suite("A11 · checks of histories, simulated", .tags(.a11))
struct ChangePointSimulationTests {
  private static let isThorough = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"
  private static let series = 30

  @Test(
    "At most one check in a hundred of 30 series without a change raises an alarm",
    arguments: HistoryNoise.allCases)
  func alarms(noise: HistoryNoise) throws {
    for points in Self.isThorough ? [20, 50, 100] : [20] {
      let checks = Self.isThorough ? 2_000 : 50
      var generator = SplitMix64(seed: 900 + UInt64(points))
      var search = ChangePointSearch()
      let alarms = try (0..<checks).count { _ in
        let family = (0..<Self.series).map { _ in noise.series(points, &generator) }
        return try search.results(family).contains { $0?.changes.isEmpty == false }
      }
      #expect(
        alarms <= (Self.isThorough ? checks / 100 : upperLimit(trials: checks, rate: 0.005)), "\(points): \(alarms)")
    }
  }

  @Test("Judging each series alone fails the check: the simulation detects alarms")
  func unadjusted() throws {
    var generator = SplitMix64(seed: 920)
    var search = ChangePointSearch()
    let alarms = try (0..<100).count { _ in
      try (0..<Self.series).contains { _ in
        let found = try search.results([HistoryNoise.normal.series(20, &generator)])
        return found[0]?.changes.isEmpty == false
      }
    }
    #expect(alarms > upperLimit(trials: 100, rate: 0.01), "\(alarms)")
  }

  @Test("Values that resemble earlier ones raise more alarms, which no test by order can distinguish from changes")
  func resembling() throws {
    let checks = Self.isThorough ? 2_000 : 20
    for (likeness, least, most) in [(0.2, 0.0, 0.15), (0.5, 0.1, 0.6)] {
      var generator = SplitMix64(seed: 940)
      var search = ChangePointSearch()
      let alarms = try (0..<checks).count { _ in
        let family = (0..<Self.series).map { _ in resembling(20, likeness, &generator) }
        return try search.results(family).contains { $0?.changes.isEmpty == false }
      }
      let share = Double(alarms) / Double(checks)
      #expect(share >= least && share <= most, "\(likeness): \(alarms) of \(checks)")
    }
  }

  /// Normal values, each with a part of the previous one.
  private func resembling(_ points: Int, _ likeness: Double, _ generator: inout SplitMix64) -> [Double] {
    var state = generator.nextNormal()
    return (0..<points).map { _ in
      state = likeness * state + (1 - likeness * likeness).squareRoot() * generator.nextNormal()
      return 1 + 0.02 * state
    }
  }

  @Test(
    "A step of 5 % in one of 30 series with 2 % noise is found within two points",
    arguments: isThorough ? [(50, 10...40, 0.94), (20, 8...12, 0.45)] : [(50, 10...40, 0.94)])
  func power(points: Int, places: ClosedRange<Int>, least: Double) throws {
    let checks = Self.isThorough ? 2_000 : 60
    var generator = SplitMix64(seed: 930)
    var search = ChangePointSearch()
    var (found, held) = (0, 0)
    for _ in 0..<checks {
      let place = places.lowerBound + Int(generator.next(below: UInt64(places.count)))
      var family = (0..<Self.series).map { _ in HistoryNoise.normal.series(points, &generator) }
      for index in place..<points { family[4][index] += 0.05 }
      let changes = try #require(try search.results(family)[4]).changes
      if changes.contains(where: { abs($0.index - place) <= 2 }) { found += 1 }
      if changes.contains(where: { $0.range.contains(place) }) { held += 1 }
    }
    #expect(found >= lowerLimit(trials: checks, rate: least), "\(found) of \(checks)")
    #expect(Double(held) >= 0.9 * Double(found), "\(held) of \(found)")
  }
}
