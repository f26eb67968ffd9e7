// A swept scenario's results taken apart by the rows they are about: times of other rows are no comparison.
internal import Harness
package import Scenarios

/// The cells of a scenario that were given the same rows, as a scenario of its own.
package struct ScenarioSlice: Sendable {
  /// What a sweep made of the source; empty where it left it alone.
  package var conditions: [String: ParameterValue]
  package var results: ScenarioResults
}

extension ScenarioResults {
  /// Keys of a sweep that decide which rows are stored; other keys decide how, and what that costs is compared.
  private static let sourceKeys: Set<String> = ["rows", "seed", "duplicates", "repeat"]

  /// What a sweep made of source, store and scenario; empty where it left them alone.
  package var sweptConditions: [SweptValues] { cells.map(\.cell).sweptConditions }

  /// The values that a sweep gave a key, in the order of the cells; nil for one that was not swept.
  package func sweptValues(of key: String) -> [ParameterValue]? { sweptConditions.first { $0.key == key }?.values }

  /// The cells by the rows they were given, in their order; a single slice, the scenario itself, where a sweep left the
  /// source alone.
  package var slices: [ScenarioSlice] {
    var slices: [ScenarioSlice] = []
    for cell in cells {
      let conditions = cell.cell.conditions.filter { ScenarioResults.sourceKeys.contains($0.key) }
      if let known = slices.firstIndex(where: { $0.conditions == conditions }) {
        slices[known].results.cells.append(cell)
      } else {
        var results = self
        results.cells = [cell]
        if case .count(let rows) = conditions["rows"] { results.rows = rows }
        if case .count(let repeats) = conditions["repeat"] { results.repeats = repeats }
        slices.append(ScenarioSlice(conditions: conditions, results: results))
      }
    }
    return slices
  }

  /// The cell that another's times are given as multiples of; nil where none was measured.
  package func reference(of cell: Cell) -> CellResults? { cells.first { $0.cell.isReference(of: cell) } }
}
