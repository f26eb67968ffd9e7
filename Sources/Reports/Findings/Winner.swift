// Who is fastest, and who needs the least memory: of every number of rows where a scenario has several.
internal import Harness
internal import Scenarios
internal import Workloads

/// The ranking of the cells that did the same work.
struct Winner {
  struct Line {
    let work: SameWork
    let ranking: Ranking

    /// The compared cells that have the least heap at its peak, those that read alike together; empty where none has
    /// one, or all the same.
    var leanest: [CellResults] {
      let peaks = ranking.cells.compactMap { cell in cell.main?.metrics[.heapPeak].map { (cell: cell, bytes: $0) } }
      guard let least = peaks.map(\.bytes).min() else { return [] }
      let text = HumanUnits.bytes(least)
      let leanest = peaks.filter { HumanUnits.bytes($0.bytes) == text }.map(\.cell)
      return leanest.count < peaks.count ? leanest : []
    }
  }

  let lines: [Line]

  init(_ scenario: ScenarioResults) {
    lines = scenario.sameWork.map { Line(work: $0, ranking: Ranking(scenario, cells: $0.cells)) }
  }
}
