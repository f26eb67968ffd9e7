// The words for a figure of cells, as budgets and gates have them: `save.merge.wall` is the time of a phase of a cell.
import BatchmarkEngine

/// What is wrong with the text of a budget or of a rule, and where in it.
struct FigureMistake: Error {
  /// In Unicode scalars from the beginning.
  let offset: Int
  let found: String
  let expected: String
  var suggestion: String?
}

/// The cells and phases that words may name.
struct FigureWords {
  let phases: [PhaseSchema]
  /// Nil where some could not be read.
  let cells: [Cell]?
  /// Whether settings may have renamed the cells that are named.
  let hasRenamedCells: Bool

  /// The phase that is meant where none is named.
  var mainPhase: String { phases.first(where: \.isMain)?.name ?? "" }

  /// The cells that a word means, and the phase behind it; names of scenarios may have dots too.
  func subject(_ token: BudgetToken) throws(FigureMistake) -> (cells: [String], phase: String) {
    let whole = ids(token.text)
    if !whole.isEmpty { return (whole, mainPhase) }
    let parts = token.parts
    guard let last = parts.last, parts.count > 1 else { return (try none(token), mainPhase) }
    let word = token.prefix(before: last)
    if phases.contains(where: { $0.name == last.text }) {
      let selected = ids(word.text)
      return (selected.isEmpty ? try none(word) : selected, last.text)
    }
    guard !ids(word.text).isEmpty else { return (try none(token), mainPhase) }
    let names = phases.map(\.name)
    throw FigureMistake(
      offset: last.offset, found: "the phase \(shown(last.text))", expected: "one of " + names.joined(separator: ", "),
      suggestion: nearestWord(to: last.text, among: names))
  }

  private func ids(_ word: String) -> [String] { (cells ?? []).filter { $0.isSelected(by: word) }.map(\.id) }

  /// Nothing, where that can be right: settings may have renamed the cells, or some could not be read.
  private func none(_ token: BudgetToken) throws(FigureMistake) -> [String] {
    guard let cells, !hasRenamedCells else { return [] }
    throw FigureMistake(
      offset: token.offset, found: token.text.isEmpty ? "no cell" : "the cell \(shown(token.text))",
      expected: "a word that selects one of " + cells.map(\.id).joined(separator: ", "),
      suggestion: nearestWord(to: token.text, among: cells.flatMap(\.words)))
  }
}
