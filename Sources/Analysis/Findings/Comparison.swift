// Two cells of a scenario, compared round by round.
internal import Harness
internal import Scenarios
internal import Statistics
package import Workloads

/// How the time of one cell relates to that of another.
package struct Comparison {
  package enum Verdict {
    case slower, faster
    /// The interval holds 1: no difference can be seen.
    case indistinguishable
    /// There is no interval: too few rounds.
    case undecided
  }

  /// The first cell's time divided by the second's.
  package let ratio: Estimate

  package init(ratio: Estimate) { self.ratio = ratio }

  package var verdict: Verdict {
    guard let low = ratio.low, let high = ratio.high else { return .undecided }
    return low > 1 ? .slower : high < 1 ? .faster : .indistinguishable
  }
}

extension ScenarioResults {
  /// The timed rounds whose times are not used: those in which a sample failed of a cell that works otherwise.
  ///
  /// The rule by which the summaries were made. A cell that never succeeded sets no round aside.
  package var roundsSetAside: Set<Int> {
    let working = cells.filter { cell in cell.samples.contains { $0.pass == .timing } }
    return Set(working.flatMap(\.failures).filter { $0.pass == .timing }.map(\.round))
  }

  /// The time of one cell's main phase divided by that of another's.
  ///
  /// The ratio is taken in each round that has both, and its median and interval over the rounds are what counts: noise
  /// that lasts longer than a sample falls out of a ratio of neighbours. Without common rounds the two medians are
  /// divided, and the interval is as wide as theirs allow, so that it leaves out 1 only when they do not overlap.
  package func comparison(of cell: CellResults, to other: CellResults) -> Comparison? {
    if let ratio = Estimate(ratioOf: mainWalls(of: cell), to: mainWalls(of: other)) { return Comparison(ratio: ratio) }
    guard let wall = cell.main?.wall, let otherWall = other.main?.wall, otherWall.median > 0 else { return nil }
    guard let low = wall.low, let high = wall.high, let otherLow = otherWall.low, let otherHigh = otherWall.high,
      otherLow > 0, otherHigh > 0
    else { return Comparison(ratio: Estimate(median: wall.median / otherWall.median)) }
    return Comparison(
      ratio: Estimate(median: wall.median / otherWall.median, low: low / otherHigh, high: high / otherLow))
  }

  /// Wall time of a cell's main phase by timed round.
  package func mainWalls(of cell: CellResults) -> [Int: Double] { rounds(of: cell, \.wallSeconds) }

  /// A figure of a cell's main phase by timed round, of the rounds whose times are used.
  package func rounds(of cell: CellResults, _ figure: (PhaseMeasurement) -> Double?) -> [Int: Double] {
    let setAside = roundsSetAside
    var figures: [Int: Double] = [:]
    for sample in cell.samples where sample.pass == .timing && !setAside.contains(sample.round) {
      figures[sample.round] = sample.phases.first { $0.phase == cell.mainPhase }.flatMap(figure)
    }
    return figures
  }
}

extension ScenarioResults {
  /// Wall time by timed round of those of the phases together that the cell has, of the rounds whose times are used.
  package func walls(of cell: CellResults, in phases: Set<Phase>) -> [Int: Double] {
    let setAside = roundsSetAside
    var walls: [Int: Double] = [:]
    for sample in cell.samples where sample.pass == .timing && !setAside.contains(sample.round) {
      let times = sample.phases.filter { phases.contains($0.phase) }.map(\.wallSeconds)
      let known = times.compactMap(\.self)
      if !times.isEmpty && known.count == times.count { walls[sample.round] = known.reduce(0, +) }
    }
    return walls
  }
}

extension Phase {
  /// What a user waits for: the operation, a second one where the scenario repeats, and telling others; not what comes
  /// before and after.
  package static let waitedFor = Set(Phase.allCases).subtracting([.load, .prepare, .checkpoint, .verify])
}

extension Estimate {
  /// The median of the differences in the rounds that both have, and its interval; nil without such rounds.
  package init?(differenceOf figures: [Int: Double], to others: [Int: Double]) {
    self.init(
      medianOf: figures.keys.sorted().compactMap { round in
        guard let figure = figures[round], let other = others[round] else { return nil }
        return figure - other
      })
  }

  /// The estimate in another unit.
  package func scaled(by factor: Double) -> Estimate {
    Estimate(median: median * factor, low: low.map { $0 * factor }, high: high.map { $0 * factor })
  }

  /// The median of the ratios in the rounds that both have, and its interval; nil without such rounds.
  package init?(ratioOf figures: [Int: Double], to others: [Int: Double]) {
    self.init(
      medianOf: figures.keys.sorted().compactMap { round in
        guard let figure = figures[round], let other = others[round], other > 0 else { return nil }
        return figure / other
      })
  }

  /// The median of values and its interval at 95 %; nil without values.
  package init?(medianOf values: [Double]) {
    guard let middle = Statistics.median(values) else { return nil }
    let interval = medianInterval(values, confidence: 0.95)
    self.init(median: middle, low: interval?.lowerBound, high: interval?.upperBound)
  }
}
