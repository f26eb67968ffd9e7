// Who is fastest, and who needs the least memory: of every number of rows where a scenario has several.
internal import Harness
internal import Scenarios
internal import Workloads

/// The ranking of the cells that did the same work.
package struct Winner {
  package struct Line {
    package let work: SameWork
    package let ranking: Ranking
  }

  package let lines: [Line]

  package init(_ scenario: ScenarioResults) {
    lines = scenario.sameWork.map { Line(work: $0, ranking: Ranking(scenario, cells: $0.cells)) }
  }
}
