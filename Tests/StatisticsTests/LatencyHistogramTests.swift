// Histograms of latencies compared with the sorted durations, and invalid histograms.
import Foundation
import MissionTags
@testable import Statistics
import Support
import Testing

@Suite("A15 · latency histogram", .tags(.a15))
struct LatencyHistogramTests {
  /// Durations from nanoseconds to minutes; each power of two is equally frequent.
  private static func durations(_ count: Int, seed: UInt64) -> [UInt64] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in generator.next() >> (28 + generator.next() % 36) }
  }

  /// The smallest duration that at least this many thousandths do not exceed.
  private static func nearestRank(_ sorted: [UInt64], perMille: Int) -> UInt64 {
    sorted[max(0, (sorted.count * perMille + 999) / 1_000 - 1)]
  }

  @Test("Every duration is in the bucket with the right bounds, and buckets join without a gap")
  func buckets() {
    for duration in LatencyHistogramTests.durations(2_000, seed: 1) + [0, 255, 256, 257, 511, 512, .max] {
      let bounds = LatencyHistogram.durations(in: LatencyHistogram.index(of: duration))
      #expect(bounds.contains(duration))
      #expect((bounds.upperBound - bounds.lowerBound) <= duration / 128)
    }
    for index in 0..<4_000 {
      let (one, next) = (LatencyHistogram.durations(in: index), LatencyHistogram.durations(in: index + 1))
      #expect(one.upperBound + 1 == next.lowerBound)
    }
  }

  @Test(
    "Percentiles equal those of the sorted durations, or exceed them by at most 1/128",
    arguments: [1, 2, 3, 7, 10, 99, 100, 101, 999, 1_000, 1_001, 5_000])
  func percentiles(count: Int) throws {
    let durations = LatencyHistogramTests.durations(count, seed: UInt64(count))
    let histogram = LatencyHistogram(of: durations)
    let sorted = durations.sorted()
    #expect(histogram.count == count)
    #expect(histogram.longest == sorted.last)
    for perMille in [0, 1, 500, 900, 990, 999, 1_000] {
      let exact = LatencyHistogramTests.nearestRank(sorted, perMille: perMille)
      let found = try #require(histogram.percentile(perMille: perMille))
      #expect(found >= exact)
      #expect(found - exact <= exact / 128)
    }
    #expect(histogram.percentile(perMille: 1_000) == sorted.last)
  }

  @Test("For 1 to 1,000 µs the median is 500 µs, p99 990 µs and p99.9 999 µs")
  func knownAnswers() throws {
    let histogram = LatencyHistogram(of: (1...1_000).map { UInt64($0) * 1_000 }.shuffled())
    for (perMille, microseconds) in [(500, 500.0), (900, 900), (990, 990), (999, 999), (1_000, 1_000)] {
      let found = Double(try #require(histogram.percentile(perMille: perMille))) / 1_000
      #expect((microseconds...microseconds * (1 + 1.0 / 128)).contains(found))
    }
  }

  @Test("Merged histograms equal the histogram of all operations, in any order and parts", arguments: 1...20)
  func merging(seed: UInt64) {
    let durations = LatencyHistogramTests.durations(300 + Int(seed) * 17, seed: seed)
    let cut = durations.count * Int(seed) / 21
    let parts = [Array(durations[..<cut]), Array(durations[cut...]), []].map { LatencyHistogram(of: $0) }
    let whole = LatencyHistogram(of: durations)
    #expect(LatencyHistogram.pooled(parts) == whole)
    #expect(LatencyHistogram.pooled(parts.reversed()) == whole)
  }

  @Test("One operation of 300 ms among 1,000 short ones changes the maximum and p99.9, and no other percentile")
  func oneStall() throws {
    let stall: UInt64 = 300_000_000
    let histogram = LatencyHistogram(of: Array(repeating: 40_000, count: 998) + [stall, stall])
    #expect(histogram.longest == stall)
    #expect(try #require(histogram.percentile(perMille: 999)) == stall)
    for perMille in [500, 900, 990] { #expect(try #require(histogram.percentile(perMille: perMille)) < 41_000) }
  }

  @Test("Without a duration there is no percentile, and no percentile outside of 0 to 100 %")
  func edges() {
    #expect(LatencyHistogram().percentile(perMille: 500) == nil)
    let one = LatencyHistogram(of: [7])
    #expect(one.percentile(perMille: 0) == 7)
    #expect(one.percentile(perMille: 1_001) == nil)
    #expect(one.percentile(perMille: -1) == nil)
  }

  @Test("JSON has only the used buckets, and gives the same histogram back")
  func coding() throws {
    for count in [0, 1, 500] {
      let histogram = LatencyHistogram(of: LatencyHistogramTests.durations(count, seed: 9))
      let data = try JSONEncoder().encode(histogram)
      #expect(try JSONDecoder().decode(LatencyHistogram.self, from: data) == histogram)
      #expect(data.count < 60 + 40 * histogram.buckets.count)
    }
  }

  @Test(
    "Text that is not a histogram is refused",
    arguments: [
      #"{"longestNanoseconds": 5, "buckets": [{"index": 5, "count": 0}]}"#,
      #"{"longestNanoseconds": 5, "buckets": [{"index": 5, "count": 1}, {"index": 4, "count": 1}]}"#,
      #"{"longestNanoseconds": 5, "buckets": [{"index": 5, "count": 1}, {"index": 5, "count": 1}]}"#,
      #"{"longestNanoseconds": 5, "buckets": [{"index": -1, "count": 1}, {"index": 5, "count": 1}]}"#,
      #"{"longestNanoseconds": 5, "buckets": [{"index": 9999999, "count": 1}]}"#,
      #"{"longestNanoseconds": 5, "buckets": [{"index": 6, "count": 1}]}"#,
      #"{"longestNanoseconds": 5, "buckets": []}"#,
      #"{"longestNanoseconds": 5, "buckets": [{"index": 4, "count": 9223372036854775807}, {"index": 5, "count": 1}]}"#,
    ])
  func refused(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LatencyHistogram.self, from: Data(json.utf8))
    }
  }
}
