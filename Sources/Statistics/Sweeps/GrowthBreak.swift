// A break in growth: the time per row is constant up to some size, and at least twice as long above it, for example
// because a cache is full.

/// A size above which each row takes longer by a constant factor.
package struct GrowthBreak: Sendable, Hashable {
  /// The largest size below the break.
  package let after: Double
  /// The smallest size above it.
  package let before: Double
  /// The time of a row above the break divided by that below: the Hodges-Lehmann estimate over the rounds.
  package let ratio: Double
  /// `nil` if there are too few rounds for the confidence.
  package let interval: ClosedRange<Double>?

  /// The minimum ratio of a break.
  package static let leastRatio = 2.0
  /// On each side of a break, the largest median time per row is less than this many times the smallest.
  package static let flatness = 1.3
  /// The minimum for the interval of the ratio if the rounds do not all agree.
  package static let clearRatio = 1.5
  /// With fewer rounds, a few stalls could look like a break.
  package static let leastRounds = 3
}

/// Finds the break of a sweep, in ascending order of different sizes with the same number of rounds each.
///
/// There is a break between two neighboring sizes under these conditions. The sizes above are flat. Those below do not
/// rise; their level is the longest flat run that ends at the break, because a fixed cost makes the rows of small sizes
/// look slow. The ratio of the levels is at least 2. The ratio is above 1 in every round, or its interval is above 1.5.
/// Two levels fit the sizes better than a power law does, by the sum of the absolute deviations of logarithms. At most
/// one position qualifies: a second one would be within a flat run, where ratios stay below 1.3². O(sizes⁴ + sizes ·
/// rounds²).
func growthBreak(of sweep: [(size: Double, times: [Double?])], confidence: Double) -> GrowthBreak? {
  let levels = sweep.compactMap { point -> Level? in
    let rows = point.times.map { time in time.map { $0 / point.size } }
    return median(rows.compactMap(\.self)).map { Level(size: point.size, rows: rows, median: $0) }
  }
  guard levels.count > 2 else { return nil }
  for split in 1..<levels.count {
    if let found = growthBreak(below: levels[..<split], above: levels[split...], confidence: confidence) {
      return found
    }
  }
  return nil
}

/// The times of one row at one size.
private struct Level {
  let size: Double
  /// By round.
  let rows: [Double?]
  let median: Double
}

private func growthBreak(
  below: ArraySlice<Level>, above: ArraySlice<Level>, confidence: Double
) -> GrowthBreak? {
  guard isFlat(above), !rises(below), let last = below.last, let first = above.first else { return nil }
  let starts = below.indices.filter { isFlat(below[$0...]) }
  let plateau = below[(starts.first ?? below.startIndex)...]
  guard isStepBetter(plateau, above) else { return nil }
  let ratios = last.rows.indices.compactMap { round -> Double? in
    guard let low = median(plateau.compactMap { $0.rows[round] }),
      let high = median(above.compactMap { $0.rows[round] })
    else { return nil }
    return logRatio(high, to: low)
  }
  guard ratios.count >= GrowthBreak.leastRounds, let estimate = hodgesLehmann(ratios) else { return nil }
  let interval = hodgesLehmannInterval(ratios, confidence: confidence).map {
    ratio(fromLog: $0.lowerBound)...ratio(fromLog: $0.upperBound)
  }
  let isAgreed = ratios.allSatisfy { $0 > 0 } || interval.map { $0.lowerBound > GrowthBreak.clearRatio } ?? false
  guard isAgreed, ratio(fromLog: estimate) >= GrowthBreak.leastRatio else { return nil }
  return GrowthBreak(after: last.size, before: first.size, ratio: ratio(fromLog: estimate), interval: interval)
}

private func isFlat(_ levels: ArraySlice<Level>) -> Bool {
  guard let least = levels.map(\.median).min(), let greatest = levels.map(\.median).max() else { return false }
  return greatest < least * GrowthBreak.flatness
}

/// Whether a row takes much longer at some size than at a smaller one.
private func rises(_ levels: ArraySlice<Level>) -> Bool {
  var least = Double.infinity
  for level in levels {
    least = min(least, level.median)
    if level.median >= least * GrowthBreak.flatness { return true }
  }
  return false
}

/// Whether two levels fit better than any line through the logarithms of sizes and times.
///
/// A line with the smallest sum of absolute deviations passes through two of the points (Bloomfield and Steiger, "Least
/// absolute deviations", 1983, 1.3), so it suffices to try all pairs. Two points are always on a line, so they show no
/// break.
private func isStepBetter(_ below: ArraySlice<Level>, _ above: ArraySlice<Level>) -> Bool {
  let points = (below + above).map { (x: naturalLogarithm($0.size), y: naturalLogarithm($0.median)) }
  guard points.count > 2 else { return false }
  let step = [below, above].reduce(0) { sum, side in
    let logs = side.map { naturalLogarithm($0.median) }
    let middle = median(logs) ?? 0
    return sum + logs.reduce(0) { $0 + abs($1 - middle) }
  }
  for (index, first) in points.enumerated() {
    for second in points[(index + 1)...] {
      let slope = (second.y - first.y) / (second.x - first.x)
      let line = points.reduce(0) { $0 + abs($1.y - first.y - slope * ($1.x - first.x)) }
      if line <= step { return false }
    }
  }
  return true
}
