// Cells whose WAL grew in the same way: one line of a picture shows them all.

/// Cells that grew alike.
package struct AlikeGrowth {
  /// That of the first cell.
  package let growth: CellFigures.WALGrowth
  /// In the scenario's order.
  package fileprivate(set) var cells: [CellFigures]

  /// How far two may be apart, as a share of the highest point.
  package static let margin = 0.03

  fileprivate func holds(_ other: CellFigures.WALGrowth) -> Bool {
    guard growth.points.count == other.points.count else { return false }
    let limit = AlikeGrowth.margin * Double(max(growth.highest, other.highest))
    return zip(growth.points, other.points).allSatisfy { Double(($0 - $1).magnitude) <= limit }
  }
}

extension ScenarioReport {
  /// The cells whose WAL was watched, those that grew alike together.
  package var alikeGrowths: [AlikeGrowth] {
    var found: [AlikeGrowth] = []
    for cell in figures {
      guard let growth = cell.growth, !growth.points.isEmpty else { continue }
      if let known = found.firstIndex(where: { $0.holds(growth) }) {
        found[known].cells.append(cell)
      } else {
        found.append(AlikeGrowth(growth: growth, cells: [cell]))
      }
    }
    return found
  }
}
