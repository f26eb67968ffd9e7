// The order of cells as far as the tests show it: which cells are certainly faster than which, and which cannot be
// ranked.

/// Cells in tiers, fastest first, and those that fit no tier.
///
/// Every cell of a tier is certainly faster than every cell of a later tier. Two cells of one tier cannot be
/// distinguished. A cell that is too noisy for this is listed separately, so that it hides nothing known about the
/// others.
package struct PartialOrder: Codable, Sendable, Hashable {
  /// A cell that cannot be distinguished from the cells of several tiers.
  package struct Unplaced: Codable, Sendable, Hashable {
    package var cell: CellID
    /// The first and the last tier it may belong to, from 0, for other programs that read `results.json`.
    package var firstTier: Int
    package var lastTier: Int
  }

  package var tiers: [[CellID]]
  package var unplaced: [Unplaced]
  /// The cells that no cell is certainly faster than, the shortest median first; empty if some cells form a cycle in
  /// which each is faster than the next.
  package var undominated: [CellID]

  /// Orders cells.
  ///
  /// - Parameters:
  ///   - cells: The cells, the shortest median first.
  ///   - isFaster: Whether the first is certainly faster than the second.
  /// - Complexity: O(n³) in the worst case, if no tier can be found; O(n²) if the cells are ordered.
  package init(_ cells: [CellID], isFaster: (CellID, CellID) -> Bool) {
    let given = cells.map { cell in cells.map { isFaster(cell, $0) } }
    let positions = PartialOrder.positions(by: given)
    let cells = positions.map { cells[$0] }
    let known = positions.map { one in positions.map { given[one][$0] } }
    undominated = cells.indices.filter { cell in !known.contains { $0[cell] } }.map { cells[$0] }
    func isOpen(_ one: Int, _ other: Int) -> Bool { one != other && !known[one][other] && !known[other][one] }
    var placed = Array(cells.indices)
    var apart: [Int] = []
    var tiers = PartialOrder.segments(of: placed, known)
    while let mixed = tiers.first(where: { tier in tier.contains { one in tier.contains { known[one][$0] } } }) {
      // The cell that can be distinguished from the fewest others; the slowest one if there are several.
      let worst = mixed.enumerated().max { one, other in
        let counts = [one, other].map { entry in mixed.count { isOpen(entry.element, $0) } }
        return counts[0] == counts[1] ? one.offset < other.offset : counts[0] < counts[1]
      }
      guard let worst else { break }
      apart.append(worst.element)
      placed.removeAll { $0 == worst.element }
      tiers = PartialOrder.segments(of: placed, known)
    }
    self.tiers = tiers.map { $0.map { cells[$0] } }
    unplaced = apart.sorted().map { cell in
      let behind = tiers.prefix { tier in tier.allSatisfy { known[$0][cell] } }.count
      let before = tiers.reversed().prefix { tier in tier.allSatisfy { known[cell][$0] } }.count
      return Unplaced(
        cell: cells[cell], firstTier: min(behind, tiers.count - 1), lastTier: max(tiers.count - 1 - before, 0))
    }
  }

  /// The cells in their own order, but none before a faster one: the medians of two cells may disagree with their
  /// ratios in single rounds.
  private static func positions(by isFaster: [[Bool]]) -> [Int] {
    var rest = Array(isFaster.indices)
    var positions: [Int] = []
    while !rest.isEmpty {
      let next = rest.firstIndex { cell in !rest.contains { isFaster[$0][cell] } } ?? 0
      positions.append(rest.remove(at: next))
    }
    return positions
  }

  /// Splits the cells wherever all cells before the split are faster than all after it.
  private static func segments(of cells: [Int], _ known: [[Bool]]) -> [[Int]] {
    var segments: [[Int]] = []
    for (index, cell) in cells.enumerated() {
      let rest = cells[index...]
      let isCut = cells[..<index].allSatisfy { earlier in rest.allSatisfy { known[earlier][$0] } }
      if isCut { segments.append([cell]) } else { segments[segments.count - 1].append(cell) }
    }
    return segments
  }
}
