// Finds change points in many series, with a bound on how often a series without a change raises an alarm.

/// Finds the points where the levels of series change.
///
/// It scans the ranks of each series for the split into the two most different parts, and for the window that differs
/// most from its surroundings. The p-value is that of the whole search, from random orders of the same values
/// (``ScanDistribution``), with nearly all of the level spent on splits. It is adjusted over all series with the method
/// of Benjamini and Hochberg. The parts of a series with a change are searched in the same way, with the parts of each
/// series as a separate family (Yekutieli, "Hierarchical false discovery rate-controlling methodology", Journal of the
/// American Statistical Association 103, 2008).
///
/// If the values of every series are exchangeable, like those of independent runs without a change, a search raises any
/// alarm with a probability of at most the level, for any distribution of the values. Autocorrelated values raise more
/// alarms: Documentation/Validation.md has figures.
///
/// The same series give the same results on every machine.
package struct ChangePointSearch {
  /// A point where the level changes.
  package struct Change: Sendable, Hashable {
    /// The first point of the new level.
    package let index: Int
    /// The range of points that may be the first of the new level.
    package let range: ClosedRange<Int>
    /// The p-value of the whole search, adjusted for the family of series or parts.
    package let adjustedP: Double
  }

  /// The result for a series.
  package struct Series: Sendable, Hashable {
    /// The p-value of the search in this series alone.
    package let p: Double
    /// The same, adjusted for all series.
    package let adjustedP: Double
    /// The most different position, whether or not it is a change.
    package let suspect: Int
    /// Ordered by time.
    package let changes: [Change]
  }

  /// The minimum number of points for a series to be judged.
  package static let leastPoints = RankScan.split.leastPoints
  /// The share of the level that is spent on windows.
  private static let windowShare = 0.02

  private let level: Double
  private let seed: UInt64
  /// The drawn distributions, by the ranks that were permuted.
  private var distributions: [Key: ScanDistribution] = [:]

  private struct Key: Hashable {
    let scan: RankScan
    let sorted: [Int]
  }

  /// - Parameters:
  ///   - level: The probability of any alarm if nothing changes, and the share of alarms that may be false.
  ///   - seed: The seed of the random orders.
  package init(level: Double = 0.005, seed: UInt64 = 0) {
    self.level = level
    self.seed = seed
  }

  /// Judges series together.
  ///
  /// O(n log n) for each series, and the draws: 100 / p, at most 100 · series / level, each of O(n), shared by series
  /// of the same length.
  ///
  /// - Parameter series: The series, each ordered by time.
  /// - Returns: The results in the same order, `nil` for a series with fewer than ``leastPoints``; `nil` as a whole if
  ///   a value is not finite.
  package mutating func search(_ series: [[Double]]) -> [Series?]? {
    guard series.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { return nil }
    let judged = series.indices.filter { series[$0].count >= ChangePointSearch.leastPoints }
    let found = find(judged.map { series[$0] })
    var results = [Series?](repeating: nil, count: series.count)
    for (index, place) in zip(judged, found) {
      let values = series[index]
      let changes = place.adjustedP <= level ? changes(at: place, in: values) : []
      results[index] = Series(
        p: place.p, adjustedP: place.adjustedP, suspect: place.points[0], changes: changes)
    }
    return results
  }

  /// The result for one series of a family.
  private struct Place {
    /// The first points of new levels: one for a split, two for a window.
    var points: [Int]
    var p: Double
    var adjustedP: Double
  }

  /// The results for series that are all long enough, with p-values adjusted for all of them.
  private mutating func find(_ family: [[Double]]) -> [Place] {
    var places = family.map { place(in: $0, family: family.count) }
    let adjusted = benjaminiHochbergAdjusted(places.map(\.p)) ?? []
    for (index, p) in adjusted.enumerated() { places[index].adjustedP = p }
    return places
  }

  /// The position where one of this many series differs most.
  private mutating func place(in values: [Double], family: Int) -> Place {
    let scores = RankScores(values).scores
    let sorted = scores.sorted()
    var best = Place(points: [RankScan.leastPart], p: 1, adjustedP: 1)
    for scan in [RankScan.split, .window] {
      let share = scan == .split ? 1 - Self.windowShare : Self.windowShare
      let (enough, draws) = effort(scan, points: values.count, family: family)
      guard best.p > 1 / (share * Double(draws + 1)), let peak = scan.peak(of: scores) else { continue }
      let key = Key(scan: scan, sorted: sorted)
      let p = distributions[
        key, default: ScanDistribution(of: scan, scores: sorted, seed: seed &+ UInt64(values.count))
      ].p(of: peak.statistic, draws: draws, enough: enough)
      let points = scan == .split ? [peak.part.upperBound] : [peak.part.lowerBound, peak.part.upperBound]
      if p / share < best.p { best = Place(points: points, p: p / share, adjustedP: 1) }
    }
    return best
  }

  /// How many draws must reach a statistic, and after how many draws it is rare enough for one series of this many.
  private func effort(_ scan: RankScan, points: Int, family: Int) -> (enough: Int, draws: Int) {
    // The p-values of short series are discrete and must be known more precisely. A window that is found is far from
    // the limit.
    let enough = scan == .window ? 20 : points <= 30 ? 400 : 100
    let most = (scan == .window ? 2 / Self.windowShare : Double(enough)) * Double(family) / level
    return (enough, Int(min(max(most, 10_000), 4_000_000)))
  }

  /// The changes of a series that has at least one, and those of its parts.
  private mutating func changes(at place: Place, in values: [Double]) -> [Change] {
    var found: [(index: Int, p: Double)] = []
    var open = [(place: place, start: 0, end: values.count)]
    while let (place, start, end) = open.popLast() {
      found += place.points.map { (start + $0, place.adjustedP) }
      let bounds = [start] + place.points.map { start + $0 } + [end]
      let parts = zip(bounds, bounds.dropFirst()).filter { $1 - $0 >= ChangePointSearch.leastPoints }
      let places = find(parts.map { Array(values[$0..<$1]) })
      for (part, place) in zip(parts, places) where place.adjustedP <= level { open.append((place, part.0, part.1)) }
    }
    found.sort { $0.index < $1.index }
    return ChangePlacing(values).placed(found.map(\.index)).enumerated().map { number, placed in
      Change(index: placed.index, range: placed.range, adjustedP: found[number].p)
    }
  }
}

/// The ranks of a series, centered at zero and slightly compressed.
///
/// Each value's score is d^0.9 with the sign of d, where d = 2r − (n + 1) and r is its rank among n; equal values share
/// the mean of their scores. With plain ranks, many splits are equal, so the p-values are coarse: for 20 points, the
/// level of 30 series is just below one of them, and a step of 5 % would be found in 44 of 100 cases; with these scores
/// it is found in 46 of them. Scores are whole multiples of 2⁻¹⁶, so that sums are the same in any order, and their sum
/// is zero except for rounding.
struct RankScores: Hashable {
  let scores: [Int]

  /// O(n log n).
  ///
  /// - Parameter values: Finite values, ordered by time.
  init(_ values: [Double]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    let ranked = RankScores.ranked(values.count)
    var scores = [Int](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      let mean = ranked[start..<end].reduce(0, +) / Double(end - start)
      for position in start..<end { scores[order[position]] = Int(mean.rounded()) }
      start = end
    }
    self.scores = scores
  }

  /// The scores of different values, in ascending order.
  private static func ranked(_ count: Int) -> [Double] {
    (1...max(count, 1)).map { rank in
      let distance = Double(2 * rank - (count + 1))
      if distance == 0 { return 0 }
      let size = (exponential(0.9 * naturalLogarithm(abs(distance))) * 0x1p16).rounded()
      return distance < 0 ? -size : size
    }
  }
}

/// The p-values of a family, adjusted so that at most a share q of those at or below q is expected to be false.
///
/// If there is nothing to find, the probability of any alarm is at most q. In descending order, the jth smallest of m
/// is multiplied by m / j, and none may exceed the next larger one. Benjamini and Hochberg, "Controlling the false
/// discovery rate: a practical and powerful approach to multiple testing", Journal of the Royal Statistical Society B
/// 57 (1995). It applies to independent and to positively dependent values (Benjamini and Yekutieli, Annals of
/// Statistics 29, 2001).
///
/// - Returns: The adjusted values in the same order, each at most 1; `nil` if a value is not from 0 to 1. O(m log m).
package func benjaminiHochbergAdjusted(_ pValues: [Double]) -> [Double]? {
  guard pValues.allSatisfy({ (0...1).contains($0) }) else { return nil }
  var adjusted = pValues
  var least = 1.0
  let ascending = pValues.indices.sorted { pValues[$0] < pValues[$1] }
  for (position, index) in ascending.enumerated().reversed() {
    least = min(least, pValues[index] * Double(pValues.count) / Double(position + 1))
    adjusted[index] = least
  }
  return adjusted
}
