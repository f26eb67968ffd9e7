// Reads the name of a metric of cells, as in budgets and gates: `save.merge.wall` is the time of a phase of a cell.
import BatchmarkEngine

/// An error in the text of a budget or of a rule, with its position.
struct MetricMistake: Error {
  /// The offset in Unicode scalars from the beginning.
  let offset: Int
  let found: String
  let expected: String
  var suggestion: String?
}

/// The cells and phases that a text may name.
struct MetricReader {
  let operation: Operation.Kind
  /// `nil` if some cells could not be read.
  let cells: [Cell]?
  /// Whether settings have renamed or removed cells, so that a valid name may match none.
  let mayNameOthers: Bool

  /// The phase used if none is named.
  var mainPhase: String { operation.phase.rawValue }

  var phases: [String] { Phase.allCases.filter { $0.operations.contains(operation) }.map(\.rawValue) }

  /// The cells that a text names, and the phase after them.
  ///
  /// Names of scenarios may contain dots too.
  func subject(_ token: BudgetToken) throws(MetricMistake) -> (cells: [String], phase: String) {
    let whole = ids(token.text)
    if !whole.isEmpty { return (whole, mainPhase) }
    let parts = token.parts
    guard let last = parts.last, parts.count > 1 else { return (try none(token), mainPhase) }
    let word = token.prefix(before: last)
    if phases.contains(last.text) {
      let selected = ids(word.text)
      return (selected.isEmpty ? try none(word) : selected, last.text)
    }
    guard !ids(word.text).isEmpty else { return (try none(token), mainPhase) }
    throw MetricMistake(
      offset: last.offset, found: "the phase \(shown(last.text))", expected: "one of " + phases.joined(separator: ", "),
      suggestion: nearestWord(to: last.text, among: phases))
  }

  private func ids(_ word: String) -> [String] { (cells ?? []).filter { $0.isSelected(by: word) }.map(\.id) }

  /// An empty result if it may be correct; otherwise an error.
  private func none(_ token: BudgetToken) throws(MetricMistake) -> [String] {
    guard let cells, !mayNameOthers else { return [] }
    throw MetricMistake(
      offset: token.offset, found: token.text.isEmpty ? "no cell" : "the cell \(shown(token.text))",
      expected: "a word that selects one of " + cells.map(\.id).joined(separator: ", "),
      suggestion: nearestWord(to: token.text, among: cells.flatMap(\.words)))
  }
}
