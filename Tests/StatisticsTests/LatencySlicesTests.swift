// Latencies by slices of time: where an operation counts, how slices are joined, and their maximum number.
import Foundation
import MissionTags
@testable import Statistics
import Testing

@Suite("A15 · latencies over time", .tags(.a15))
struct LatencySlicesTests {
  private let millisecond: UInt64 = 1_000_000

  /// An operation every 5 ms for this many seconds.
  ///
  /// Each takes 1 ms, except for one of 300 ms that was due at 700 ms.
  private func slices(seconds: Int) -> LatencySlices {
    var slices = LatencySlices()
    for start in stride(from: 0, to: UInt64(seconds) * 1_000, by: 5) {
      slices.record((start == 700 ? 300 : 1) * millisecond, dueAfter: start * millisecond)
    }
    return slices
  }

  @Test("An operation counts only in the slice in which it was due")
  func place() {
    let found = slices(seconds: 2).slices
    #expect(found.count == 200 && found.allSatisfy { $0.count == 2 })
    #expect(found.indices.filter { found[$0].longest == 300 * millisecond } == [70])
    #expect(found.filter { $0.longest == millisecond }.count == 199)
  }

  @Test("Joined slices have the operations of their parts; the last may have fewer parts")
  func joined() {
    let all = slices(seconds: 2)
    for count in [1, 2, 5, 10, 7, 1_000] {
      let joined = all.joined(by: count)
      #expect(joined.slices.count == (200 + count - 1) / count)
      #expect(LatencyHistogram.pooled(joined.slices) == .pooled(all.slices))
      #expect(joined.slices.firstIndex { $0.longest == 300 * millisecond } == 70 / count)
    }
  }

  @Test("Slices of two processes add up, even if one ran longer, and are stored unchanged")
  func merged() throws {
    var sum = slices(seconds: 1)
    sum.merge(slices(seconds: 3))
    #expect(sum.slices.count == 300)
    #expect(sum.slices.map(\.count) == Array(repeating: 4, count: 100) + Array(repeating: 2, count: 200))
    #expect(try JSONDecoder().decode(LatencySlices.self, from: try JSONEncoder().encode(sum)) == sum)
  }

  @Test("There are at most 100 slices of a round width, whatever the length of the phase")
  func joining() {
    let known: [(seconds: Double, count: Int)] = [
      (0, 1), (0.5, 1), (1, 1), (1.01, 2), (2, 2), (2.5, 5), (5, 5), (7, 10), (60, 100), (3_600, 5_000),
    ]
    for (seconds, count) in known {
      #expect(LatencySlices.joining(UInt64(seconds * 1e9)) == count, "\(seconds) s")
    }
    #expect(LatencySlices.joining(.max) > 0)
  }
}
