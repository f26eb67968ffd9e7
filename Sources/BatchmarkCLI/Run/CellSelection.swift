// `--only`: which cells of the scenarios are measured.
internal import Harness
internal import Scenarios

/// The words of `--only`; without any, every cell is selected.
struct CellSelection {
  let words: [String]

  /// A message names no more cells than these.
  private static let mostNamed = 20

  func selects(_ cell: Cell) -> Bool { words.isEmpty || words.contains { cell.isSelected(by: $0) } }

  /// Refuses a word that selects none of the cells.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/usage``.
  func check(among cells: [Cell]) throws(CommandError) {
    guard let word = words.first(where: { word in !cells.contains { $0.isSelected(by: word) } }) else { return }
    var known: Set<String> = []
    let ids = cells.map(\.id).filter { known.insert($0).inserted }
    let named = ids.prefix(CellSelection.mostNamed).joined(separator: ", ")
    let others = ids.count > CellSelection.mostNamed ? " and \(ids.count - CellSelection.mostNamed) more" : ""
    throw CommandError(.usage, "--only \(word): found no such cell; the cells are \(named)\(others)")
  }
}
