// The order of the cells in a scenario's tables, and whether it may look like a mistake.
package import BatchmarkEngine

/// How the cells of a table are ordered.
package struct RowOrder: Sendable, Hashable {
  /// The metric of the main phase that determines the order; `nil` for wall time.
  package let figure: MetricID?
  /// Whether cells are grouped by kind of work, each group with its own order.
  package let isByWork: Bool
  /// Whether some ratio to the reference is smaller than that of a faster cell: median ratios may have another order
  /// than medians.
  package let leavesRatios: Bool

  /// Ratios with a smaller difference look equal in three digits.
  fileprivate static let alike = 1.005
}

extension ScenarioReport {
  /// The cells grouped by kind of work, fastest first; those without a time come last.
  package var fastestFirst: [CellReport] { leastFirst { $0.main.wall.figure?.median } }

  /// The cells grouped by kind of work, the smallest figure first; those without a figure come last.
  package func leastFirst(_ figure: (CellReport) -> Double?) -> [CellReport] {
    groups.flatMap { group in
      let own = cells.filter { group.cells.contains($0.cell.id) }
      let known = own.compactMap { cell in figure(cell).map { (cell: cell, figure: $0) } }
      // Use the scenario's order for equal figures.
      let sorted = known.enumerated().sorted { ($0.element.figure, $0.offset) < ($1.element.figure, $1.offset) }
      return sorted.map(\.element.cell) + own.filter { figure($0) == nil }
    }
  }

  /// The cells in the order that answers the question: by time, or by the metric in question.
  package var bestFirst: [CellReport] {
    about.map { leastFirst($0) } ?? fastestFirst
  }

  /// The same, by a count of the main phase.
  package func leastFirst(_ metric: MetricID) -> [CellReport] {
    leastFirst { $0.main[metric].figure.map(Double.init) }
  }

  /// The order of ``bestFirst``.
  package var rowOrder: RowOrder {
    let cells = bestFirst
    let leavesRatios = groups.contains { group in
      let ratios = cells.filter { group.cells.contains($0.cell.id) }.compactMap(\.main.timesReference.figure?.median)
      return zip(ratios, ratios.dropFirst()).contains { $0 > $1 * RowOrder.alike }
    }
    return RowOrder(figure: about, isByWork: groups.count > 1, leavesRatios: about == nil && leavesRatios)
  }
}
