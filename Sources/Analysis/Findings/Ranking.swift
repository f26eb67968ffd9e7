// Who is fastest, and whether that can be told.
internal import Harness
internal import Scenarios

/// The cells a report compares first, by the time of their main phase.
///
/// These are the object-graph strategies; without any, all cells but the reference; without those, all cells. Cells
/// that are there to show what the harness costs are compared in a section of their own.
package struct Ranking {
  /// A cell behind the first, and its time against that of the first.
  package struct Follower {
    package let cell: CellResults
    package let comparison: Comparison
  }

  /// What the compared cells are called, in the singular.
  package let noun: String
  /// The compared cells, in the scenario's order, with or without a time.
  package let cells: [CellResults]
  /// The cell with the shortest median; nil when none has a time.
  package let first: CellResults?
  /// The others that have a time, fastest first.
  package let followers: [Follower]

  /// Ranks cells of a scenario that did the same work; all of its cells where none are given.
  package init(_ scenario: ScenarioResults, cells among: [CellResults]? = nil) {
    let given = among ?? scenario.cells
    let candidates = given.filter { !$0.cell.showsHarnessCost }
    let objectGraph = candidates.filter { $0.cell.isObjectGraph }
    let others = candidates.filter { !$0.cell.isReference }
    noun = objectGraph.isEmpty ? "cell" : "object-graph strategy"
    cells =
      !objectGraph.isEmpty ? objectGraph : !others.isEmpty ? others : !candidates.isEmpty ? candidates : given

    let timed = cells.compactMap { cell in cell.main?.wall.map { (cell: cell, median: $0.median) } }
      .sorted { ($0.median, $0.cell.cell.id) < ($1.median, $1.cell.cell.id) }
    let fastest = timed.first?.cell
    first = fastest
    followers = timed.dropFirst().compactMap { entry in
      guard let fastest else { return nil }
      return scenario.comparison(of: entry.cell, to: fastest).map { Follower(cell: entry.cell, comparison: $0) }
    }
  }

  /// The fastest cell, when there are others and every one is slower beyond doubt.
  package var winner: CellResults? {
    !followers.isEmpty && followers.allSatisfy { $0.comparison.verdict == .slower } ? first : nil
  }

  /// The followers that cannot be told from the first.
  package var tied: [Follower] { followers.filter { [.indistinguishable, .faster].contains($0.comparison.verdict) } }

  /// The followers of which there are too few rounds to tell: those of cells that were stopped early, or all.
  package var undecided: [Follower] { followers.filter { $0.comparison.verdict == .undecided } }

  /// The fastest cell of those that have rounds enough, when every other one of them is slower beyond doubt.
  package var winnerOfDecided: CellResults? {
    let told = followers.filter { $0.comparison.verdict != .undecided }
    return !told.isEmpty && told.allSatisfy { $0.comparison.verdict == .slower } ? first : nil
  }

  /// Whether too few rounds were made to say anything.
  package var isUndecided: Bool { followers.contains { $0.comparison.verdict == .undecided } }
}
