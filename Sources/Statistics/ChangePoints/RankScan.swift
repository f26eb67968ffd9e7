// Scans a series for a change of its level: every split into two parts, and every window that differs from its
// surroundings.

/// What to search for in a series.
enum RankScan: Hashable {
  /// Two parts, one before and one after.
  case split
  /// A window and its surroundings, as if a change is reverted later.
  case window

  /// The minimum number of points in each part.
  static let leastPart = 5

  /// The minimum number of points in a series.
  var leastPoints: Int { (self == .split ? 2 : 3) * RankScan.leastPart }

  /// The most extreme position of a scan.
  struct Peak: Hashable {
    /// S² / (k(n − k)), where S is the sum of the scores of a part with k of n points: the square of the standardized
    /// rank sum, except for a factor common to all orders of the same values.
    var statistic: Double
    /// The part that is compared with the rest.
    var part: Range<Int>
  }

  /// The greatest statistic of all positions, and the first position that has it; `nil` if the series is too short.
  ///
  /// The rank sum is Wilcoxon's, and its largest over all splits is the statistic of Pettitt, "A non-parametric
  /// approach to the change-point problem", Applied Statistics 28 (1979), here standardized at every split, as Miller
  /// and Siegmund do with χ², "Maximally selected chi square statistics", Biometrics 38 (1982); windows are those of
  /// Levin and Kline, "The cusum test of homogeneity with an application in spontaneous abortion epidemiology",
  /// Statistics in Medicine 4 (1985). O(n) for splits, O(n log n) for windows, with lengths that grow by a quarter.
  func peak(of scores: [Int]) -> Peak? {
    let count = scores.count
    guard count >= leastPoints else { return nil }
    var sums = [Int](repeating: 0, count: count + 1)
    for index in 0..<count { sums[index + 1] = sums[index] + scores[index] }
    let weights = RankScan.weights(count)
    let lengths = lengths(count)
    let greatest = sums.withUnsafeBufferPointer { self.greatest($0, weights: weights, lengths: lengths) }
    let place = places(count, lengths).first { part in
      let sum = Double(sums[part.upperBound] - sums[part.lowerBound])
      return sum * sum * weights[part.count] == greatest
    }
    return Peak(statistic: greatest, part: place ?? 0..<RankScan.leastPart)
  }

  /// The greatest statistic from the cumulative sums of the scores: the inner loop of all draws.
  func greatest(_ sums: UnsafeBufferPointer<Int>, weights: [Double], lengths: [Int]) -> Double {
    let least = RankScan.leastPart
    let count = sums.count - 1
    var greatest = 0.0
    switch self {
    case .split:
      for end in least...(count - least) {
        let sum = Double(sums[end])
        greatest = max(greatest, sum * sum * weights[end])
      }
    case .window:
      for length in lengths {
        var most = 0
        for start in least...(count - least - length) { most = max(most, abs(sums[start + length] - sums[start])) }
        greatest = max(greatest, Double(most) * Double(most) * weights[length])
      }
    }
    return greatest
  }

  /// Every part that is compared with the rest.
  private func places(_ count: Int, _ lengths: [Int]) -> [Range<Int>] {
    let least = RankScan.leastPart
    return switch self {
    case .split: (least...(count - least)).map { 0..<$0 }
    case .window: lengths.flatMap { length in (least...(count - least - length)).map { $0..<($0 + length) } }
    }
  }

  /// 1 / (k(n − k)) for every k.
  static func weights(_ count: Int) -> [Double] {
    (0...count).map { $0 > 0 && $0 < count ? 1 / (Double($0) * Double(count - $0)) : 0 }
  }

  /// The lengths of windows to try.
  func lengths(_ count: Int) -> [Int] {
    guard self == .window else { return [] }
    var lengths: [Int] = []
    var length = RankScan.leastPart
    while length <= count - 2 * RankScan.leastPart {
      lengths.append(length)
      length += max(1, length / 4)
    }
    return lengths
  }
}
