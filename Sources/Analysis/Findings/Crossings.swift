// From how many rows on one strategy wins over another.
internal import Harness
package import Statistics

/// Strategies compared at each of several numbers of rows.
package struct Crossings {
  /// The two at one size.
  package struct Point {
    package let setting: Setting
    /// The second strategy's time divided by the first's; nil where they share no round.
    package let ratio: Estimate?

    package var verdict: Comparison.Verdict? { ratio.map { Comparison(ratio: $0).verdict } }
  }

  /// Two strategies.
  package struct Pair {
    package let first: Series
    package let second: Series
    package let points: [Point]
    /// Nil where they do not change places, or do so more than once.
    package let crossover: Crossover?

    /// The sizes at which one of the two wins.
    package func sizes(wonBy verdict: Comparison.Verdict) -> [Setting] {
      points.filter { $0.verdict == verdict }.map(\.setting)
    }
  }

  /// Object by object against each batch, and whatever else changes places.
  package let pairs: [Pair]

  /// Nil where there are no such two with two sizes in common.
  package init?(_ scenario: ScenarioResults) {
    let all = scenario.series(by: Growth.key).filter { $0.amounts.count > 1 }
    let objectGraph = all.filter(\.common.isObjectGraph)
    let series = objectGraph.count > 1 ? objectGraph : all
    let found: [Pair] = series.indices.flatMap { first in
      series[(first + 1)...].compactMap { Pair(series[first], $0, in: scenario) }
    }
    pairs = found.filter { pair in
      pair.crossover != nil || (pair.first.common.isSave && pair.second.common.isBatch)
        || (pair.first.common.isBatch && pair.second.common.isSave)
    }
    if pairs.isEmpty { return nil }
  }
}

extension Crossings.Pair {
  fileprivate init?(_ first: Series, _ second: Series, in scenario: ScenarioResults) {
    var points: [Crossings.Point] = []
    var sweep: [(size: Double, logRatios: [Double])] = []
    for point in first.amounts {
      guard let other = second.amounts.first(where: { $0.setting.order == point.setting.order }) else { continue }
      let walls = scenario.mainWalls(of: point.cell)
      let others = scenario.mainWalls(of: other.cell)
      let rounds = walls.keys.filter { others[$0] != nil }.sorted()
      let ratios = rounds.compactMap { round -> Double? in
        guard let wall = walls[round], let otherWall = others[round] else { return nil }
        return logRatio(otherWall, to: wall)
      }
      points.append(Crossings.Point(setting: point.setting, ratio: Estimate(ofLogRatios: ratios)))
      sweep.append((point.setting.order, ratios))
    }
    if points.count < 2 { return nil }
    self.first = first
    self.second = second
    self.points = points
    crossover = Statistics.crossover(of: sweep, confidence: Growth.confidence)
  }
}

extension Estimate {
  /// The Hodges-Lehmann estimate of a ratio and its interval, by which crossovers are told; nil without values.
  package init?(ofLogRatios ratios: [Double]) {
    guard let middle = hodgesLehmann(ratios) else { return nil }
    let interval = hodgesLehmannInterval(ratios, confidence: Growth.confidence)
    self.init(
      median: ratio(fromLog: middle), low: interval.map { ratio(fromLog: $0.lowerBound) },
      high: interval.map { ratio(fromLog: $0.upperBound) })
  }
}
