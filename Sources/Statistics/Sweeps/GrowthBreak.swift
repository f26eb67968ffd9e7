// A break in growth: up to some size a row takes one time, and above it at least twice as long, as when a cache is full.

/// The size above which each row takes longer, by a factor that then stays.
package struct GrowthBreak: Sendable, Hashable {
  /// The largest size below the break.
  package let after: Double
  /// The smallest size above it.
  package let before: Double
  /// The time of a row above the break, divided by that below: the Hodges-Lehmann estimate over the rounds.
  package let ratio: Double
  /// nil when there are too few rounds for the confidence.
  package let interval: ClosedRange<Double>?

  /// The ratio from which on a break is one.
  package static let leastRatio = 2.0
  /// On each side of a break, the greatest median time of a row is below this many times the least.
  package static let flatness = 1.3
  /// What the interval of the ratio has to lie above when the rounds do not all agree.
  package static let clearRatio = 1.5
  /// Rounds below which a few stalls could look like a break.
  package static let leastRounds = 3
}

/// Finds the break of a sweep in ascending order of different sizes, all with the same number of rounds.
///
/// Between two neighboring sizes there is a break when the sizes above are flat; those below do not rise, and the longest
/// flat run that ends at the break is their level, since a fixed cost makes the rows of small sizes look slow; the ratio
/// of the levels is at least 2; in every round the ratio is above 1, or its interval is above 1.5; and two
/// levels fit the sizes better than a power law does, by the sum of the absolute deviations of logarithms. At most
/// one place is like that: a second would lie within a flat run, where ratios stay below 1.3². O(sizes⁴ + sizes · rounds²).
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

/// Whether a row at some size takes much longer than at a smaller one.
private func rises(_ levels: ArraySlice<Level>) -> Bool {
  var least = Double.infinity
  for level in levels {
    least = min(least, level.median)
    if level.median >= least * GrowthBreak.flatness { return true }
  }
  return false
}

/// Whether two levels lie nearer to the sizes than any line through logarithms of sizes and times does.
///
/// A line with the least sum of absolute deviations passes through two of the points (Bloomfield and Steiger, "Least absolute
/// deviations", 1983, 1.3), so that all pairs are all there is to try. Two points lie on a line, and show no break.
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
