// Who may be compared with whom: cells that were given other rows did other work.
internal import Harness
internal import Scenarios

/// The cells of a scenario that did the same work.
package struct SameWork {
  /// What sets it apart, `rows=1000`; nil where all cells of the scenario did the same work.
  package let name: String?
  /// In the scenario's order.
  package let cells: [CellResults]
}

extension ScenarioResults {
  /// Parameters that change the work itself, and not how it is done.
  package static let workKeys = ["rows", "duplicates", "seed", "repeat", "where"]

  /// The cells by their work, those of fewer rows first; all of them without a name where no parameter changes the work.
  package var sameWork: [SameWork] {
    let keys = ScenarioResults.workKeys.filter { key in
      cells.contains { $0.cell.parameters[key] != nil } && Set(cells.map { setting(key, of: $0).text }).count > 1
    }
    if keys.isEmpty { return [SameWork(name: nil, cells: cells)] }
    var found: [(settings: [Setting], cells: [CellResults])] = []
    for cell in cells {
      let settings = keys.map { setting($0, of: cell) }
      if let known = found.firstIndex(where: { $0.settings == settings }) {
        found[known].cells.append(cell)
      } else {
        found.append((settings, [cell]))
      }
    }
    return found.enumerated()
      .sorted { first, second in
        let (order, other) = (first.element.settings.map(\.order), second.element.settings.map(\.order))
        return order == other ? first.offset < second.offset : order.lexicographicallyPrecedes(other)
      }
      .map(\.element)
      .map { settings, cells in
        SameWork(name: zip(keys, settings).map { "\($0)=\($1.text)" }.joined(separator: ","), cells: cells)
      }
  }
}
