// The share of each phase in a cell's time.
internal import Instruments
package import BatchmarkEngine
internal import Harness

/// The phases of a user's import, from parsing to an empty WAL, as shares of their sum in each round.
package struct PhaseShares {
  package struct Part {
    package let phase: Phase
    package let time: Estimate
    package let share: Estimate
  }

  package struct Line {
    package let cell: CellReport
    /// All phases together.
    package let whole: Estimate
    package let parts: [Part]

    package func part(_ phase: Phase) -> Part? { parts.first { $0.phase == phase } }
  }

  /// Every phase except those in which the harness fills and reads the store.
  private static let shown = Phase.allCases.filter { ![.prepare, .verify].contains($0) }

  /// The cells grouped by kind of work, the shortest first.
  package let lines: [Line]
  /// The phases that any cell has, in order.
  package let phases: [Phase]

  /// `nil` if no cell has times of two phases.
  init?(_ scenario: ScenarioReport, groups: [ComparableGroup]) {
    let found = scenario.measured.compactMap { cell -> Line? in
      let whole = scenario.walls(of: cell, in: Set(PhaseShares.shown))
      let parts = PhaseShares.shown.compactMap { phase -> Part? in
        let walls = scenario.walls(of: cell, in: [phase])
        guard let time = Estimate(medianOf: walls.sorted { $0.key < $1.key }.map(\.value)),
          let share = Estimate(ratioOf: walls, to: whole)
        else { return nil }
        return Part(phase: phase, time: time, share: share)
      }
      guard parts.count > 1, let sum = Estimate(medianOf: whole.sorted { $0.key < $1.key }.map(\.value)) else {
        return nil
      }
      return Line(cell: cell, whole: sum, parts: parts)
    }
    if found.isEmpty { return nil }
    lines = groups.flatMap { group in
      found.filter { group.cells.contains($0.cell.cell.id) }.sorted { $0.whole.median < $1.whole.median }
    }
    phases = PhaseShares.shown.filter { phase in found.contains { $0.part(phase) != nil } }
  }
}

extension PhaseShares {
  /// The cells in which each phase has its smallest and its largest share.
  var findings: [Finding] {
    phases.compactMap { phase in
      let known = lines.compactMap { line in line.part(phase).map { (id: line.cell.cell.id, share: $0.share) } }
      guard let most = known.max(by: { $0.share.median < $1.share.median }),
        let least = known.min(by: { $0.share.median < $1.share.median })
      else { return nil }
      let ends = known.count == 1 ? [least] : [least, most]
      return Finding(.share(of: phase), ends.map(\.id), ends.map(\.share), .estimated)
    }
  }
}
