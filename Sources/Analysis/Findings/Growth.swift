// How time and memory grow with the number of rows, strategy by strategy.
internal import Harness
internal import Scenarios
package import Statistics
internal import Workloads

/// What a sweep over the number of rows shows of each strategy.
package struct Growth {
  /// How time grows.
  package enum Verdict {
    /// The interval of the exponent holds 1 and little else.
    case proportional
    case faster, slower
    /// The interval holds 1 and much else: no one exponent fits all sizes.
    case unclear
    /// There is no interval: too few rounds.
    case undecided
  }

  /// One strategy.
  package struct Line {
    package let series: Series
    /// The cells, those of fewer rows first.
    package let points: [Series.Point]
    /// That of time ∝ rowsᶜ over all sizes; nil where fewer than two have a time.
    package let exponent: ScalingExponent?
    /// The same between the two largest sizes that have a time, where a fixed cost counts least.
    package let tail: ScalingExponent?

    package var verdict: Verdict? {
      guard let exponent else { return nil }
      guard let interval = exponent.interval else { return .undecided }
      if interval.lowerBound > 1 { return .faster }
      if interval.upperBound < 1 { return .slower }
      return interval.lowerBound >= 0.9 && interval.upperBound <= 1.1 ? .proportional : .unclear
    }

    /// Heap at its peak with the most rows, less that with the fewest, and the rows between them.
    package var heap: (bytes: Int64, rows: Int)? {
      let known = points.compactMap { point in
        point.cell.main.flatMap { main in main.metrics[.heapPeak].map { (bytes: $0, rows: main.rows) } }
      }
      guard let first = known.first, let last = known.last, last.rows > first.rows else { return nil }
      return (last.bytes - first.bytes, last.rows - first.rows)
    }
  }

  package static let key = "rows"
  package static let confidence = 0.95

  package let lines: [Line]
  /// Every number of rows, in order.
  package let sizes: [Setting]

  /// Nil where no strategy was given different numbers of rows.
  package init?(_ scenario: ScenarioResults) {
    lines = scenario.series(by: Growth.key).filter { $0.amounts.count > 1 }.map { Line($0, in: scenario) }
    if lines.isEmpty { return nil }
    var known: Set<String> = []
    sizes = lines.flatMap { $0.points.map(\.setting) }.filter { known.insert($0.text).inserted }
      .sorted { $0.order < $1.order }
  }
}

extension Growth.Line {
  fileprivate init(_ series: Series, in scenario: ScenarioResults) {
    self.series = series
    points = series.amounts
    // Round by round, in order, so that the same samples always give the same sums.
    let timed = points.compactMap { point -> [(size: Double, time: Double)]? in
      let walls = scenario.mainWalls(of: point.cell).sorted { $0.key < $1.key }.map(\.value).filter { $0 > 0 }
      return walls.isEmpty ? nil : walls.map { (point.setting.order, $0) }
    }
    exponent = scalingExponent(of: timed.flatMap(\.self), confidence: Growth.confidence)
    tail = scalingExponent(of: timed.suffix(2).flatMap(\.self), confidence: Growth.confidence)
  }
}
