// Which share of a cell's time each of its phases has.
internal import Harness
internal import Workloads

/// The phases of a user's import, from parsing to an empty WAL, as shares of their sum in each round.
struct PhaseShares {
  struct Part {
    let phase: Phase
    let time: Estimate
    let share: Estimate
  }

  struct Line {
    let cell: CellResults
    /// All phases together.
    let whole: Estimate
    let parts: [Part]

    func part(_ phase: Phase) -> Part? { parts.first { $0.phase == phase } }
  }

  /// Every phase but those in which the harness fills and reads the store.
  private static let told = Phase.allCases.filter { ![.prepare, .verify].contains($0) }

  let lines: [Line]
  /// The phases that any cell has, in the order in which they follow one another.
  let phases: [Phase]

  /// Nil where no cell has times of two phases.
  init?(_ scenario: ScenarioResults) {
    let found = scenario.measured.compactMap { cell -> Line? in
      let whole = scenario.walls(of: cell, in: Set(PhaseShares.told))
      let parts = PhaseShares.told.compactMap { phase -> Part? in
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
    lines = found
    phases = PhaseShares.told.filter { phase in found.contains { $0.part(phase) != nil } }
  }
}
