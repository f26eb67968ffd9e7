// Two cells of a scenario, compared round by round.
package import Harness
internal import Instruments
package import BatchmarkEngine
internal import Statistics

/// How one cell's time compares with another's.
package struct Comparison: Sendable, Hashable {
  package enum Verdict: String, Codable, Sendable, Hashable {
    case slower, faster
    /// No difference is visible given all other claims.
    case indistinguishable
    /// Too few rounds.
    case undecided

    /// The verdict with the two cells exchanged.
    package var reversed: Verdict { self == .slower ? .faster : self == .faster ? .slower : self }

    /// The verdict, or indistinguishable if the interval of the ratio includes 1.
    func within(_ ratio: Estimate) -> Verdict {
      switch self {
      case .slower: (ratio.low ?? 0) > 1 ? .slower : .indistinguishable
      case .faster: (ratio.high ?? .infinity) < 1 ? .faster : .indistinguishable
      case .indistinguishable, .undecided: self
      }
    }
  }

  /// The first cell's time divided by the second's, with its own interval.
  package let ratio: Estimate
  /// The claim about it that is possible given all other claims.
  package let verdict: Verdict

  package init(ratio: Estimate, verdict: Verdict) { (self.ratio, self.verdict) = (ratio, verdict) }
}

extension ScenarioReport {
  /// The timed rounds without valid times.
  package var setAside: SetAsideRounds {
    SetAsideRounds(failures: cells.flatMap(\.failures), samples: cells.flatMap(\.samples))
  }

  /// One cell's time divided by another's.
  ///
  /// The result is the median of the ratios in all rounds with both times, and its interval: noise that lasts longer
  /// than a sample cancels out in the ratio of adjacent samples. Without common rounds, the two medians are divided,
  /// and there is no interval.
  package func ratio(of cell: CellReport, to other: CellReport, _ time: ComparedTime = .operation) -> Estimate? {
    if let ratio = Estimate(ratioOf: walls(of: cell, time), to: walls(of: other, time)) { return ratio }
    guard time == .operation, let wall = cell.main.wall.figure, let otherWall = other.main.wall.figure,
      otherWall.median > 0
    else {
      return nil
    }
    return Estimate(median: wall.median / otherWall.median)
  }

  /// The wall time of a cell's main phase by timed round.
  package func mainWalls(of cell: CellReport) -> [Int: Double] { rounds(of: cell, \.wallSeconds) }

  /// A figure of a cell's main phase for each timed round with valid times.
  package func rounds(of cell: CellReport, _ figure: (PhaseMeasurement) -> Double?) -> [Int: Double] {
    let setAside = SetAsideRounds(of: cell, in: cells)
    var figures: [Int: Double] = [:]
    for sample in cell.samples where sample.pass == .timing && !setAside.contains(sample) {
      figures[sample.round] = sample.phases.first { $0.phase == cell.mainPhase }.flatMap(figure)
    }
    return figures
  }
}

extension ScenarioReport {
  /// Wall time of these phases together, if the cell has them, for each timed round with valid times.
  package func walls(of cell: CellReport, in phases: Set<Phase>) -> [Int: Double] {
    cell.walls(in: phases, setAside: SetAsideRounds(of: cell, in: cells))
  }
}

extension Phase {
  /// The phases that a user waits for: the operation, its repetition if there is one, and notifying observers; not the
  /// preparation and what follows.
  package static let waitedFor = Set(Phase.allCases).subtracting([.load, .prepare, .checkpoint, .verify])
}

/// Comparisons of a scenario's cells, each with its possible claim.
package struct Comparisons {
  package let scenario: ScenarioReport
  let claims: ClaimFamily

  /// `nil` if the two share no round and have no times.
  ///
  /// A difference is claimed only if the family's test and the ratio's own interval agree, because a claim would
  /// contradict an interval next to it that includes 1. This makes fewer claims, so it adds no false ones.
  package func comparison(
    of cell: CellReport, to other: CellReport, _ time: ComparedTime = .operation
  ) -> Comparison? {
    let claim = Claim(cell.cell.id, other.cell.id, time)
    let verdict = claims.verdict(of: claim)
    return scenario.ratio(of: cell, to: other, time).map { Comparison(ratio: $0, verdict: verdict.within($0)) }
  }
}
