// Tags: words of the author's own, by which cells are selected.

/// The tags of a scenario's cells.
package struct CellTags: Sendable, Hashable {
  /// Those of every cell.
  package var common: [String]
  /// Those of some cells, by id.
  package var own: [String: [String]]

  package init(common: [String] = [], own: [String: [String]] = [:]) {
    self.common = common
    self.own = own
  }

  /// The tags of a cell, the scenario's first.
  package subscript(cell: Cell) -> [String] { common + (own[cell.id] ?? []) }
}
