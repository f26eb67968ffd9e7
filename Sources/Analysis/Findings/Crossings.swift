// The number of rows from which one strategy is faster than another.
internal import BatchmarkEngine
internal import Harness
package import Statistics

/// Strategies compared at each of several numbers of rows.
package struct Crossings {
  /// The two at one size.
  package struct Point {
    package let setting: Setting
    package let first: CellReport
    package let second: CellReport
    /// The second strategy's time divided by the first's; `nil` if they share no round.
    package let ratio: Estimate?
    /// The verdict on the two; undecided until all claims are tested.
    package fileprivate(set) var verdict: Comparison.Verdict = .undecided
  }

  /// Two strategies.
  package struct Pair {
    package let first: Series
    package let second: Series
    package fileprivate(set) var points: [Point]
    /// `nil` if they do not cross over, or cross over more than once.
    package let crossover: Crossover?

    /// The sizes with a verdict: where one of the two is faster, or why neither is.
    package func sizes(with verdict: Comparison.Verdict) -> [Setting] {
      points.filter { $0.verdict == verdict }.map(\.setting)
    }

    /// Whether the winners at both bounds of the crossover are certain together with all other claims.
    ///
    /// The intervals there are separate ones.
    package var isCrossoverCertain: Bool {
      guard let crossover else { return false }
      let ends: [(size: Double, winsSecond: Bool)] = [
        (crossover.interval.lowerBound, !crossover.secondWinsAbove),
        (crossover.interval.upperBound, crossover.secondWinsAbove),
      ]
      return ends.allSatisfy { end in
        points.first { $0.setting.order == end.size }?.verdict == (end.winsSecond ? .faster : .slower)
      }
    }
  }

  /// Object by object compared with each batch of the same engine, and other pairs that cross over.
  package fileprivate(set) var pairs: [Pair]

  /// `nil` if there are no two such strategies with two common sizes.
  init?(_ scenario: ScenarioReport) {
    let series = scenario.series(by: Scaling.key).filter { $0.amounts.count > 1 }
    // Compute the times of each cell only once: n strategies make about n² pairs.
    let walls = series.flatMap(\.amounts).reduce(into: [CellID: [Int: Double]]()) { walls, point in
      walls[point.cell.cell.id] = scenario.mainWalls(of: point.cell)
    }
    let found: [Pair] = series.indices.flatMap { first in
      series[(first + 1)...].compactMap { Pair(series[first], $0, walls: walls) }
    }
    pairs = found.filter { pair in
      let (first, second) = (pair.first.common, pair.second.common)
      return pair.crossover != nil
        || first.engine == second.engine && (first.isSave && second.isBatch || first.isBatch && second.isSave)
    }
    if pairs.isEmpty { return nil }
  }

  /// The claims about who is faster at each size.
  var claims: [Claim] {
    pairs.flatMap(\.points).map { Claim($0.second.cell.id, $0.first.cell.id, .operation) }
  }

  /// The same with verdicts for the claims.
  func judged(by comparisons: Comparisons) -> Crossings {
    var judged = self
    for pair in pairs.indices {
      for point in pairs[pair].points.indices {
        let points = pairs[pair].points[point]
        let comparison = comparisons.comparison(of: points.second, to: points.first)
        judged.pairs[pair].points[point].verdict = comparison?.verdict ?? .undecided
      }
    }
    return judged
  }

  /// The pairs that cross over.
  ///
  /// Without any, the fastest at each size says enough.
  var findings: [Finding] {
    pairs.compactMap { pair in
      guard let crossover = pair.crossover else { return nil }
      let (below, above) = crossover.secondWinsAbove ? (pair.first, pair.second) : (pair.second, pair.first)
      let size = Estimate(
        median: crossover.size, low: crossover.interval.lowerBound, high: crossover.interval.upperBound)
      return Finding(
        .crossover, (below.amounts + above.amounts).map(\.cell.cell.id), [size],
        pair.isCrossoverCertain ? .estimated : .undecided)
    }
  }

  /// The order of the others.
  var orders: [Finding] {
    pairs.compactMap { pair in
      if pair.crossover != nil { return nil }
      // Ratios of the second strategy's time to the first's.
      let (firstWins, secondWins) = (pair.sizes(with: .slower).count, pair.sizes(with: .faster).count)
      let (first, second) = (pair.first.amounts.map(\.cell.cell.id), pair.second.amounts.map(\.cell.cell.id))
      let ids = firstWins == 0 && secondWins > 0 ? second + first : first + second
      let wins = max(firstWins, secondWins)
      if firstWins > 0 && secondWins > 0 { return Finding(.noCrossover(.changesOften), ids, [], .certain) }
      if wins == pair.points.count { return Finding(.noCrossover(.fasterAtEverySize), ids, [], .certain) }
      let (noisy, few) = (pair.sizes(with: .indistinguishable), pair.sizes(with: .undecided))
      if wins > 0 {
        let order: FindingKind.Order =
          few.isEmpty ? .fasterAtSome : noisy.isEmpty ? .fasterAtSomeFewRounds : .fasterAtSomeUnranked
        return Finding(.noCrossover(order), ids, [], .certain)
      }
      if noisy.isEmpty { return Finding(.noCrossover(.tooFewRounds), ids, [], .tooFewRounds) }
      return Finding(.noCrossover(few.isEmpty ? .tooNoisy : .unranked), ids, [], .undecided)
    }
  }
}

extension Crossings.Pair {
  /// `walls` are the times of all cells by round.
  fileprivate init?(_ first: Series, _ second: Series, walls: [CellID: [Int: Double]]) {
    let candidates = second.amounts
    var points: [Crossings.Point] = []
    var sweep: [(size: Double, first: [Double], second: [Double])] = []
    for point in first.amounts {
      guard let other = candidates.first(where: { $0.setting.order == point.setting.order }),
        FinalStoreState(point.cell.samples) == FinalStoreState(other.cell.samples),
        let own = walls[point.cell.cell.id], let others = walls[other.cell.cell.id]
      else { continue }
      let rounds = own.keys.filter { others[$0] != nil }.sorted()
      let times = (rounds.compactMap { own[$0] }, rounds.compactMap { others[$0] })
      let ratios = zip(times.0, times.1).compactMap { logRatio($1, to: $0) }
      points.append(
        Crossings.Point(
          setting: point.setting, first: point.cell, second: other.cell, ratio: Estimate(ofLogRatios: ratios)))
      sweep.append((point.setting.order, times.0, times.1))
    }
    if points.count < 2 { return nil }
    self.first = first
    self.second = second
    self.points = points
    crossover = Statistics.crossover(of: sweep, confidence: Scaling.confidence)
  }
}

extension Estimate {
  /// The Hodges-Lehmann estimate of a ratio and its interval, which decides crossovers and knees; `nil` without values.
  init?(ofLogRatios ratios: [Double]) {
    guard let middle = hodgesLehmann(ratios) else { return nil }
    let interval = hodgesLehmannInterval(ratios, confidence: Scaling.confidence)
    self.init(
      median: ratio(fromLog: middle), low: interval.map { ratio(fromLog: $0.lowerBound) },
      high: interval.map { ratio(fromLog: $0.upperBound) })
  }
}
