// The value of a parameter above which a larger one hardly helps: rows per save, rows per request, pages of a cache.
internal import Instruments
internal import BatchmarkEngine
internal import Harness
package import Statistics

/// The knee of each strategy in a sweep over a parameter with at least three amounts.
package struct Knees {
  /// One strategy.
  package struct Line {
    package let series: Series
    /// The cells, the smallest amounts first.
    package let points: [Series.Point]
    /// The ratio of each point's time to the best one's, in the order of `points`; `nil` for a cell without a time.
    ///
    /// Judged cells are compared in their common rounds, other cells in the rounds they share with the best.
    package let ratios: [Estimate?]
    /// The common rounds of all judged cells.
    package let rounds: Int
    /// The cells with too few rounds to be judged, while others have enough.
    package let left: [Series.Point]
    /// `nil` without such rounds.
    package let knee: Knee?

    /// The same, with the reasons for gaps.
    package var shownRatios: [Measured<Estimate>] {
      zip(points, ratios).map { point, ratio in
        let cell = point.cell
        return Measured(
          ratio, or: cell.main.wall.reason ?? "the cells have no timed round in common")
      }
    }

    /// Whether there are enough rounds for an answer.
    package let isShown: Bool

    package func point(of amount: Double?) -> Series.Point? { points.first { $0.setting.amount == amount } }

    /// The largest amount, if it takes longer than the best by more than the margin.
    package var decline: (point: Series.Point, ratio: Estimate)? {
      guard let last = points.last, let ratio = ratios.last ?? nil, let low = ratio.low, low > 1 + Knees.margin else {
        return nil
      }
      return (last, ratio)
    }
  }

  /// How much longer than the best a time may be and still count as equally good, as a share.
  package static let margin = 0.05

  /// The minimum number of amounts with times.
  fileprivate static let fewest = 3

  package let key: String
  package let lines: [Line]

  /// `nil` if no strategy has three amounts of the parameter.
  init?(_ key: String, in scenario: ScenarioReport) {
    self.key = key
    lines = scenario.series(by: key).filter { $0.amounts.count >= Knees.fewest }.map { Line($0, in: scenario) }
    if lines.isEmpty { return nil }
  }
}

extension Knees.Line {
  fileprivate init(_ series: Series, in scenario: ScenarioReport) {
    let points = series.amounts
    let walls = points.map { scenario.walls(of: $0.cell, in: Phase.waitedFor) }
    // A cell that was stopped early because it is slow must not reduce the rounds of the others.
    let timed = walls.indices.filter { !walls[$0].isEmpty }
    let lasting = timed.filter { medianInterval(Array(walls[$0].values), confidence: Scaling.confidence) != nil }
    let judged = lasting.count < Knees.fewest ? timed : lasting
    let shared = judged.dropFirst().reduce(Set(judged.first.map { Array(walls[$0].keys) } ?? [])) {
      $0.intersection(walls[$1].keys)
    }
    let common = shared.sorted()
    rounds = judged.count < Knees.fewest ? 0 : common.count
    let sweep = judged.map { index in
      (size: points[index].setting.order, times: common.compactMap { walls[index][$0] })
    }
    let found =
      judged.count < Knees.fewest
      ? nil : Statistics.knee(of: sweep, margin: Knees.margin, confidence: Scaling.confidence)
    let best = found.flatMap { knee in points.firstIndex { $0.setting.order == knee.best } }
    ratios = walls.enumerated().map { index, own in
      guard let best else { return nil }
      let rounds = judged.contains(index) ? common : own.keys.filter { walls[best][$0] != nil }.sorted()
      return Estimate(
        ofLogRatios: rounds.compactMap { round in
          guard let wall = own[round], let other = walls[best][round] else { return nil }
          return logRatio(wall, to: other)
        })
    }
    left = points.indices.filter { !judged.contains($0) }.map { points[$0] }
    self.series = series
    self.points = points
    knee = found
    // Whatever the ratios are, an interval needs this many rounds.
    let ratiosOfRounds = [Double](repeating: 0, count: common.count)
    isShown = found != nil && hodgesLehmannInterval(ratiosOfRounds, confidence: Scaling.confidence) != nil
  }
}

extension Knees {
  /// How much of the parameter is enough with each strategy.
  var findings: [Finding] { lines.flatMap { $0.findings(key) } }
}

extension Knees.Line {
  fileprivate func findings(_ key: String) -> [Finding] {
    guard let knee, isShown, let best = point(of: knee.best), let first = point(of: knee.size),
      let earliest = point(of: knee.earliest),
      let last = points.last(where: { point in !left.contains { $0.cell.cell.id == point.cell.cell.id } })
    else {
      return [Finding(.noKnee(parameter: key, rounds: rounds), points.map(\.cell.cell.id), [], .tooFewRounds)]
    }
    if knee.latest > knee.best, let rival = points.firstIndex(where: { $0.setting.order == knee.latest }) {
      let ids = [first, best, earliest, points[rival]].map(\.cell.cell.id)
      let ratio = [ratios[rival]].compactMap(\.self)
      return [Finding(.knee(parameter: key, .undecided), ids, ratio, .undecided)] + tooShort(key)
    }
    let ids = [first, best, earliest, last].map(\.cell.cell.id)
    let isOfAll = (last.setting.amount ?? 0) >= Double(last.cell.summary(of: last.cell.mainPhase)?.rows ?? .max)
    let kind: FindingKind.Knee =
      if knee.size < knee.best { .found } else if knee.isStillGaining {
        isOfAll ? .all : .stillGaining
      } else if points
        .first?.setting == best.setting
      { .smallest } else if knee.earliest == knee.best { .needed } else { .best }
    let decline = decline.map { [$0.ratio] } ?? []
    return [Finding(.knee(parameter: key, kind), ids, decline, .estimated)] + tooShort(key)
  }

  /// The cells that are left out.
  private func tooShort(_ key: String) -> [Finding] {
    left.isEmpty ? [] : [Finding(.noKnee(parameter: key, rounds: 0), left.map(\.cell.cell.id), [], .tooFewRounds)]
  }
}
