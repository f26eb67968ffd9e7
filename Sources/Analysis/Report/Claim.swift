// The claims that a report may make about two cells' times, tested together: with more claims, stronger evidence is
// needed, because chance can make one of them look true.
internal import Harness
internal import BatchmarkEngine
internal import Statistics

/// Which time of a cell is compared.
package enum ComparedTime: String, Codable, Sendable, Hashable {
  /// The time of the operation.
  case operation
  /// The time that a user waits: for the operation, and for merging into observers.
  case waiting

  var phases: Set<Phase>? { self == .waiting ? Phase.waitedFor : nil }
}

/// The claim that two cells do not take the same time.
package struct Claim: Sendable, Hashable {
  package let cell: CellID
  package let other: CellID
  package let time: ComparedTime

  package init(_ cell: CellID, _ other: CellID, _ time: ComparedTime) {
    (self.cell, self.other, self.time) = (cell, other, time)
  }

  /// The same claim with the two cells exchanged.
  package var reversed: Claim { Claim(other, cell, time) }
}

/// All claims about one scenario, tested together by step-down max-T over sign flips of whole rounds (Westfall and Young).
package struct ClaimFamily: Sendable {
  /// The probability that any claim of the family is false.
  package static let level = 0.05
  /// The minimum number of rounds for claims.
  package static let leastRounds = StepDownMaxT.leastRounds

  private var verdicts: [Claim: Comparison.Verdict] = [:]

  /// Tests claims.
  ///
  /// If a claim occurs twice, or in both directions, the first one counts.
  init(_ claims: [Claim], in scenario: ScenarioReport) {
    var own: [Claim] = []
    var known: Set<Claim> = []
    for claim in claims where !known.contains(claim) && !known.contains(claim.reversed) {
      known.insert(claim)
      own.append(claim)
    }
    let walls = scenario.walls(of: own)
    let ratios = own.map { logRatios(of: $0, by: walls) }
    let rounds = Set(ratios.flatMap(\.keys)).sorted()
    let family = StepDownMaxT(ratios.map { ratios in rounds.map { ratios[$0] } })
    for (index, claim) in own.enumerated() {
      guard let tested = family?.claims[index] else {
        verdicts[claim] = .undecided
        continue
      }
      let isCertain = tested.isCertain(level: ClaimFamily.level)
      verdicts[claim] = isCertain ? (tested.side == .above ? .slower : .faster) : .indistinguishable
    }
  }

  /// The number of claims that were tested together.
  package var count: Int { verdicts.count }

  /// The verdict on a claim; undecided if it was not tested.
  func verdict(of claim: Claim) -> Comparison.Verdict {
    verdicts[claim] ?? verdicts[claim.reversed]?.reversed ?? .undecided
  }
}

/// A cell's times by round, for each kind of time.
private typealias ComparedWalls = [ComparedTime: [CellID: [Int: Double]]]

/// The logarithm of one cell's time over the other's, by round.
private func logRatios(of claim: Claim, by walls: ComparedWalls) -> [Int: Double] {
  guard let own = walls[claim.time]?[claim.cell], let others = walls[claim.time]?[claim.other] else { return [:] }
  return own.reduce(into: [:]) { ratios, entry in
    if let other = others[entry.key] { ratios[entry.key] = logRatio(entry.value, to: other) }
  }
}

extension ScenarioReport {
  /// The times that claims compare, each read only once: n cells may have n² claims.
  fileprivate func walls(of claims: [Claim]) -> ComparedWalls {
    Dictionary(grouping: claims, by: \.time).reduce(into: [:]) { walls, entry in
      let cells = results(of: Array(Set(entry.value.flatMap { [$0.cell, $0.other] })))
      walls[entry.key] = Dictionary(cells.map { ($0.cell.id, self.walls(of: $0, entry.key)) }) { first, _ in first }
    }
  }

  /// A cell's time for each round with valid times.
  package func walls(of cell: CellReport, _ time: ComparedTime) -> [Int: Double] {
    time.phases.map { walls(of: cell, in: $0) } ?? mainWalls(of: cell)
  }
}
