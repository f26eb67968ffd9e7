// How time and memory grow with the number of rows, strategy by strategy.
internal import Harness
internal import Instruments
internal import BatchmarkEngine
package import Statistics

/// What a sweep over the number of rows shows about each strategy.
package struct Scaling {
  /// One strategy.
  package struct Line {
    package let series: Series
    /// The cells, those with fewer rows first.
    package let points: [Series.Point]
    /// The growth of time over all sizes; `nil` if fewer than two have a time.
    package let shape: GrowthShape?
    /// The exponent between the two largest sizes with a time, where fixed costs matter least.
    package let tail: ScalingExponent?

    /// The heap peak with the most rows minus that with the fewest, and the difference in rows.
    package var heap: (bytes: Int64, rows: Int)? {
      guard let first = heapPeaks.first, let last = heapPeaks.last, last.rows > first.rows else { return nil }
      return (last.bytes - first.bytes, last.rows - first.rows)
    }

    /// The heap peak at each size where it is known.
    fileprivate var heapPeaks: [(bytes: Int64, rows: Int)] {
      points.compactMap { point in
        let main = point.cell.main
        return main.metrics[.heapPeak].map { (bytes: $0, rows: main.rows) }
      }
    }
  }

  package static let key = "rows"
  package static let confidence = 0.95
  /// The largest growth of the heap over the whole range that counts as none.
  private static let flat: Int64 = 64 << 10
  /// Up to this exponent, time hardly grows: a hundred times the rows take less than 1.6 times as long.
  fileprivate static let flatExponent = 0.1

  package let lines: [Line]
  /// Every number of rows, in ascending order.
  package let sizes: [Setting]

  /// `nil` if no strategy has different numbers of rows.
  package init?(_ scenario: ScenarioReport) {
    lines = scenario.series(by: Scaling.key).filter { $0.amounts.count > 1 }.map { Line($0, in: scenario) }
    if lines.isEmpty { return nil }
    var known: Set<String> = []
    sizes = lines.flatMap { $0.points.map(\.setting) }.filter { known.insert($0.text).inserted }
      .sorted { $0.order < $1.order }
  }
}

extension Scaling.Line {
  fileprivate init(_ series: Series, in scenario: ScenarioReport) {
    self.series = series
    points = series.amounts
    let walls = points.map { scenario.mainWalls(of: $0.cell).filter { $0.value > 0 } }
    let rounds = Set(walls.flatMap(\.keys)).sorted()
    let timed = zip(points, walls).filter { !$1.isEmpty }.map { point, walls in
      (size: point.setting.order, times: rounds.map { walls[$0] })
    }
    shape = growthShape(of: timed, confidence: Scaling.confidence)
    let tail = timed.suffix(2).flatMap { point in
      point.times.compactMap { time in time.map { (size: point.size, time: $0) } }
    }
    self.tail = scalingExponent(of: tail, confidence: Scaling.confidence)
  }

  fileprivate var ids: [CellID] { points.map(\.cell.cell.id) }
}

extension Scaling {
  /// The growth of time for each strategy, its distance from the reference at the most rows, the nearest first, and the
  /// heap growth per row.
  func findings(by comparisons: Comparisons) -> [Finding] {
    lines.compactMap(\.timeFinding) + referenceFindings(by: comparisons) + lines.compactMap(\.heapFinding)
  }

  private func referenceFindings(by comparisons: Comparisons) -> [Finding] {
    guard let most = sizes.last else { return [] }
    return lines.compactMap { line -> Finding? in
      guard let last = line.points.last, last.setting == most, !last.cell.cell.isReference,
        last.cell.main.timesReference.figure != nil, let reference = comparisons.scenario.reference(of: last.cell)
      else { return nil }
      return comparisons.scenario.ratio(of: last.cell, to: reference).map {
        Finding(
          .timesReference, [last.cell.cell.id, reference.cell.id], [$0], $0.low == nil ? .tooFewRounds : .estimated)
      }
    }.sorted { $0.estimates[0].timesApart < $1.estimates[0].timesApart }
  }
}

extension Scaling.Line {
  fileprivate var timeFinding: Finding? {
    guard let shape else { return nil }
    let exponent = Estimate(shape.exponent)
    func finding(_ verdict: FindingKind.GrowthVerdict, _ certainty: Certainty) -> Finding {
      Finding(.exponent(verdict), ids, [exponent], certainty)
    }
    switch shape.verdict {
    case .breaks:
      guard let found = shape.stepUp else { return nil }
      let ratio = Estimate(
        median: found.ratio, low: found.interval?.lowerBound, high: found.interval?.upperBound)
      return Finding(.breakInGrowth(after: found.after, before: found.before), ids, [ratio], .estimated)
    case .proportional: return finding(.proportional, .estimated)
    case .faster: return finding(.faster, .estimated)
    case .slower:
      let isFlat = exponent.high.map { $0 < Scaling.flatExponent } ?? false
      return finding(isFlat ? .hardly : .slower, .estimated)
    case .unclear: return finding(.unclear, .undecided)
    case .undecided: return finding(.unknown, .tooFewRounds)
    }
  }

  fileprivate var heapFinding: Finding? {
    let peaks = heapPeaks.map(\.bytes)
    guard let heap, let least = peaks.min(), let most = peaks.max() else { return nil }
    if most - least < Scaling.flat {
      return Finding(.heapIndependentOfRows, ids, [Estimate(median: Double(most))], .exact)
    }
    // A heap with its peak below the largest size is neither flat nor growing by a fixed amount per row.
    if heap.bytes < Scaling.flat { return nil }
    return Finding(.heapPerRow, ids, [Estimate(median: Double(heap.bytes) / Double(heap.rows))], .exact)
  }
}

extension Estimate {
  /// An exponent with its interval.
  package init(_ exponent: ScalingExponent) {
    self.init(median: exponent.exponent, low: exponent.interval?.lowerBound, high: exponent.interval?.upperBound)
  }
}
