// The order of some cells as far as the tests show it: which are faster than which for certain, and which cannot be placed.

/// Cells in tiers, fastest first, and those that fit no tier.
///
/// Every cell of a tier is certainly faster than every cell of a later tier. Two cells of one tier cannot be distinguished.
/// A cell that is too noisy for that is listed separately, so that it hides nothing that is known about the others.
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
  /// The cells that nothing is faster than for certain, the shortest median first; empty where each of some is faster than
  /// the next all around.
  package var undominated: [CellID]

  /// Orders cells.
  ///
  /// - Parameters:
  ///   - cells: Those to order, the shortest median first.
  ///   - isFaster: Whether the first is faster than the second for certain.
  /// - Complexity: O(n³) at worst, where no tier can be found; O(n²) where the cells are ordered.
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
      // The cell that can be distinguished from the fewest others; the slowest of several.
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

  /// The cells in their own order, but none before a faster one: the medians of two cells may disagree with their rounds one by
  /// one.
  private static func positions(by isFaster: [[Bool]]) -> [Int] {
    var rest = Array(isFaster.indices)
    var positions: [Int] = []
    while !rest.isEmpty {
      let next = rest.firstIndex { cell in !rest.contains { isFaster[$0][cell] } } ?? 0
      positions.append(rest.remove(at: next))
    }
    return positions
  }

  /// The cells cut wherever all before the cut are faster than all behind it.
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
