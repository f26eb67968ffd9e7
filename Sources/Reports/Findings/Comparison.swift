// Two cells of a scenario, compared round by round.
internal import Harness
internal import Scenarios
internal import Statistics
internal import Workloads

/// How the time of one cell relates to that of another.
struct Comparison {
  enum Verdict {
    case slower, faster
    /// The interval holds 1: no difference can be seen.
    case indistinguishable
    /// There is no interval: too few rounds.
    case undecided
  }

  /// The first cell's time divided by the second's.
  let ratio: Estimate

  var verdict: Verdict {
    guard let low = ratio.low, let high = ratio.high else { return .undecided }
    return low > 1 ? .slower : high < 1 ? .faster : .indistinguishable
  }

  /// `2.31 times as long`, with the interval where there is one.
  var wording: String {
    [Digits.significant(ratio.median) + " times as long", HumanUnits.ratioInterval(ratio)]
      .compactMap(\.self).joined(separator: " ")
  }
}

extension ScenarioResults {
  /// The timed rounds whose times are not used: those in which a sample failed of a cell that works otherwise.
  ///
  /// The rule by which the summaries were made. A cell that never succeeded sets no round aside.
  var roundsSetAside: Set<Int> {
    let working = cells.filter { cell in cell.samples.contains { $0.pass == .timing } }
    return Set(working.flatMap(\.failures).filter { $0.pass == .timing }.map(\.round))
  }

  /// The time of one cell's main phase divided by that of another's.
  ///
  /// The ratio is taken in each round that has both, and its median and interval over the rounds are what counts: noise
  /// that lasts longer than a sample falls out of a ratio of neighbours. Without common rounds the two medians are
  /// divided, and the interval is as wide as theirs allow, so that it leaves out 1 only when they do not overlap.
  func comparison(of cell: CellResults, to other: CellResults) -> Comparison? {
    let setAside = roundsSetAside
    let walls = cell.mainWalls(without: setAside)
    let otherWalls = other.mainWalls(without: setAside)
    let ratios = walls.keys.sorted().compactMap { round -> Double? in
      guard let wall = walls[round], let otherWall = otherWalls[round], otherWall > 0 else { return nil }
      return wall / otherWall
    }
    if let middle = median(ratios) {
      let interval = medianInterval(ratios, confidence: ScenarioResults.confidence)
      return Comparison(
        ratio: Estimate(median: middle, low: interval?.lowerBound, high: interval?.upperBound))
    }
    guard let wall = cell.main?.wall, let otherWall = other.main?.wall, otherWall.median > 0 else { return nil }
    guard let low = wall.low, let high = wall.high, let otherLow = otherWall.low, let otherHigh = otherWall.high,
      otherLow > 0, otherHigh > 0
    else { return Comparison(ratio: Estimate(median: wall.median / otherWall.median)) }
    return Comparison(
      ratio: Estimate(median: wall.median / otherWall.median, low: low / otherHigh, high: high / otherLow))
  }

  /// The probability with which an interval covers what it estimates.
  private static var confidence: Double { 0.95 }
}

extension CellResults {
  /// Wall time of the main phase by timed round.
  fileprivate func mainWalls(without setAside: Set<Int>) -> [Int: Double] {
    var walls: [Int: Double] = [:]
    for sample in samples where sample.pass == .timing && !setAside.contains(sample.round) {
      walls[sample.round] = sample.phases.first { $0.phase == mainPhase }?.wallSeconds
    }
    return walls
  }
}
