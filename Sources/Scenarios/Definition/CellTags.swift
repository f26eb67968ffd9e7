// Tags: words of the author's own, by which cells are selected.

/// The tags of a scenario's cells.
public struct CellTags: Sendable, Hashable {
  /// Those of every cell.
  public var common: [String]
  /// Those of some cells, by id.
  public var own: [String: [String]]

  public init(common: [String] = [], own: [String: [String]] = [:]) {
    self.common = common
    self.own = own
  }

  /// The tags of a cell, the scenario's first.
  public subscript(cell: Cell) -> [String] { common + (own[cell.id] ?? []) }
}
