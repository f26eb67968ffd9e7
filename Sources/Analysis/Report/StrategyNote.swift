// What strategies do and give up, and engines' notes on their cells' figures.
internal import BatchmarkEngine
internal import Harness

extension ScenarioReport {
  /// Engines' notes on their cells' figures, such as that a library has no faster way.
  ///
  /// Each clause occurs once, with all of its cells in order.
  package var caveats: [(text: String, cells: [CellID])] {
    var found: [(text: String, cells: [CellID])] = []
    for cell in cells {
      for text in Set(cell.samples.flatMap { $0.engineNotes ?? [] }).sorted() {
        if let known = found.firstIndex(where: { $0.text == text }) {
          found[known].cells.append(cell.cell.id)
        } else {
          found.append((text, [cell.cell.id]))
        }
      }
    }
    return found
  }
}

/// What a strategy does, and what its users give up.
package struct StrategyNote: Sendable, Hashable {
  package var label: String
  package var summary: String
  /// What it does in at most ``mostOfGloss`` characters.
  package var gloss: String
  package var tradeoffs: [String]

  package static let mostOfGloss = 40

  /// One note per strategy, shared by cells that differ only in parameters.
  static func all(in scenario: ScenarioReport) -> [StrategyNote] {
    var known: Set<String> = []
    return scenario.cells.compactMap { cell in
      var strategy = cell.cell
      strategy.parameters = [:]
      strategy.conditionKeys = []
      guard known.insert(strategy.id).inserted else { return nil }
      return StrategyNote(
        label: strategy.label, summary: cell.summary, gloss: gloss(of: cell), tradeoffs: cell.tradeoffs)
    }
  }

  /// The strategy's gloss or its summary, up to the first comma if it is too long, and truncated if that is still too
  /// long.
  private static func gloss(of cell: CellReport) -> String {
    let summary = cell.summary.hasSuffix(".") ? cell.summary.dropLast() : cell.summary[...]
    let clause = summary.count <= mostOfGloss ? summary : summary.prefix { $0 != "," }
    let gloss = cell.gloss ?? String(clause)
    return gloss.count <= mostOfGloss ? gloss : gloss.prefix(mostOfGloss - 1) + "…"
  }
}
