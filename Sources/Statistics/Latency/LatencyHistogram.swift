// Latencies of operations as exact counts in buckets. Unlike percentiles, the histograms of rounds, processes and
// machines can be added to one of all operations.

/// Counts of durations in log-linear buckets, as in HdrHistogram.
///
/// Each duration below 256 ns has its own bucket. Above, each power of two is divided into 128 buckets of equal width,
/// so that a bucket is at most 1/128 of its durations wide. The counts and the longest duration are exact.
package struct LatencyHistogram: Sendable, Hashable {
  /// A bucket with at least one duration.
  package struct Bucket: Codable, Sendable, Hashable {
    /// Its index among all buckets, from 0.
    package let index: Int
    /// The number of durations in it, at least 1.
    package fileprivate(set) var count: Int
  }

  /// The buckets that are not empty, in order.
  package private(set) var buckets: [Bucket] = []
  /// The exact longest duration in nanoseconds; 0 without any.
  package private(set) var longest: UInt64 = 0

  package init() {}

  /// The histogram of some durations in nanoseconds.
  package init(of durations: some Sequence<UInt64>) {
    for duration in durations { record(duration) }
  }

  /// The number of durations.
  package var count: Int { buckets.reduce(0) { $0 + $1.count } }

  /// Adds one duration in nanoseconds.
  ///
  /// O(log b) for b buckets in use, O(b) for a bucket's first duration.
  package mutating func record(_ nanoseconds: UInt64) {
    longest = max(longest, nanoseconds)
    let index = LatencyHistogram.index(of: nanoseconds)
    let position = position(of: index)
    if position < buckets.count, buckets[position].index == index {
      buckets[position].count += 1
    } else {
      buckets.insert(Bucket(index: index, count: 1), at: position)
    }
  }

  /// The position of the first used bucket with at least this index.
  private func position(of index: Int) -> Int {
    var (low, high) = (0, buckets.count)
    while low < high {
      let middle = (low + high) / 2
      if buckets[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds every duration of another histogram.
  package mutating func merge(_ other: LatencyHistogram) {
    longest = max(longest, other.longest)
    var counts = Dictionary(uniqueKeysWithValues: buckets.map { ($0.index, $0.count) })
    for bucket in other.buckets { counts[bucket.index, default: 0] += bucket.count }
    buckets = counts.sorted { $0.key < $1.key }.map { Bucket(index: $0.key, count: $0.value) }
  }

  /// The histogram of all durations of several histograms.
  package static func pooled(_ histograms: some Sequence<LatencyHistogram>) -> LatencyHistogram {
    histograms.reduce(into: LatencyHistogram()) { $0.merge($1) }
  }

  /// The smallest duration that at least a share of the operations did not exceed (the nearest rank), in nanoseconds.
  ///
  /// It is the upper end of a bucket, so it is never below the exact duration, and exceeds it by at most 1/128.
  ///
  /// - Parameter perMille: The share in thousandths, from 0 to 1,000: 500 for the median, 999 for p99.9.
  /// - Returns: `nil` if there is no duration, or the share is out of range.
  package func percentile(perMille: Int) -> UInt64? {
    let total = count
    guard total > 0, (0...1_000).contains(perMille) else { return nil }
    // ⌈total · perMille / 1,000⌉ in integers, without rounding or overflow.
    let (thousands, rest) = total.quotientAndRemainder(dividingBy: 1_000)
    let rank = max(1, thousands * perMille + (rest * perMille + 999) / 1_000)
    var seen = 0
    for bucket in buckets {
      seen += bucket.count
      if seen >= rank { return min(LatencyHistogram.durations(in: bucket.index).upperBound, longest) }
    }
    return longest
  }
}

// MARK: - Buckets

extension LatencyHistogram {
  /// Each power of two has 2⁷ buckets.
  private static let precisionBits = 7
  /// The maximum number of durations in a decoded histogram, so that sums of many histograms cannot overflow.
  private static let mostCount = 1 << 44
  /// One more than the index of the bucket for the longest 64-bit duration.
  private static let bucketCount = index(of: .max) + 1

  /// The bucket of a duration.
  static func index(of nanoseconds: UInt64) -> Int {
    let significantBits = UInt64.bitWidth - nanoseconds.leadingZeroBitCount
    let shift = max(0, significantBits - precisionBits - 1)
    return shift << precisionBits + Int(nanoseconds >> UInt64(shift))
  }

  /// The range of durations of a bucket, in nanoseconds.
  package static func durations(in index: Int) -> ClosedRange<UInt64> {
    let shift = max(0, index >> precisionBits - 1)
    let lower = UInt64(index - shift << precisionBits) << UInt64(shift)
    return lower...(lower + (1 << UInt64(shift) - 1))
  }
}

// MARK: - Coding

/// JSON contains only the used buckets. Invalid histograms are errors.
extension LatencyHistogram: Codable {
  private enum CodingKeys: String, CodingKey {
    case longest = "longestNanoseconds"
    case buckets
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    longest = try values.decode(UInt64.self, forKey: .longest)
    buckets = try values.decode([Bucket].self, forKey: .buckets)
    let indices = buckets.map(\.index)
    guard zip(indices, indices.dropFirst()).allSatisfy(<),
      buckets.allSatisfy({ (0..<LatencyHistogram.bucketCount).contains($0.index) && $0.count > 0 }),
      buckets.allSatisfy({ $0.count <= LatencyHistogram.mostCount }), count <= LatencyHistogram.mostCount,
      (indices.last ?? 0) == LatencyHistogram.index(of: longest)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .buckets, in: values,
        debugDescription: "found buckets out of order, without a count or without the longest duration; expected a "
          + "histogram of latencies as a run writes it")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(longest, forKey: .longest)
    try values.encode(buckets, forKey: .buckets)
  }
}
