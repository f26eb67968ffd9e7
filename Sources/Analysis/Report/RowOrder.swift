// The order of the cells in a scenario's tables, and whether a reader may take it for a mistake.
package import BatchmarkEngine

/// How the cells of a table follow one another.
package struct RowOrder: Sendable, Hashable {
  /// The figure of the main phase that decides; nil for wall time.
  package let figure: MetricID?
  /// Whether cells of several kinds of work follow one another, each kind in its own order.
  package let isByWork: Bool
  /// Whether some ratio to the reference is smaller than that of a faster cell: a median of ratios need not follow medians.
  package let leavesRatios: Bool

  /// Ratios that differ by less look alike in three digits.
  fileprivate static let alike = 1.005
}

extension ScenarioReport {
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
