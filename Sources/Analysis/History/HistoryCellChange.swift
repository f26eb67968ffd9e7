// Which cells of a run have no counterpart in the run before it: their series begin or end there.

/// How the cells of a scenario differ between two runs of a history.
package struct HistoryCellChange: Sendable, Hashable {
  package let scenario: String
  /// Cells that the earlier run does not have, in the order of this run.
  package let added: [String]
  /// Cells of the earlier run that this one does not have.
  package let missing: [String]

  /// What it means, in a sentence without a full stop.
  package var description: String {
    let parts = [
      HistoryCellChange.words("new", added), HistoryCellChange.words("no longer there", missing),
    ].compactMap(\.self)
    return "the cells of \(scenario) are not those of the last run: " + parts.joined(separator: "; ")
      + "; their series begin or end here"
  }

  private static let mostNamed = 3

  private static func words(_ what: String, _ cells: [String]) -> String? {
    guard !cells.isEmpty else { return nil }
    let more = cells.count - mostNamed
    return "\(what): " + cells.prefix(mostNamed).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension HistoryRecord {
  /// What changed about the cells of each scenario since the last run of it among others; nothing for scenarios that are new.
  ///
  /// - Parameter records: The other runs, in any order.
  /// - Returns: A change for each scenario whose cells differ.
  package func cellChanges(since records: [HistoryRecord]) -> [HistoryCellChange] {
    let earlier = records.filter { $0.finished <= finished && $0.runID != runID }.sorted { $0.finished < $1.finished }
    return scenarios.compactMap { scenario in
      let before = earlier.reversed().lazy.flatMap(\.scenarios).first { $0.name == scenario.name }
      guard let before else { return nil }
      let (old, new) = (before.cells.map(\.id), scenario.cells.map(\.id))
      let change = HistoryCellChange(
        scenario: scenario.name, added: new.filter { !old.contains($0) }, missing: old.filter { !new.contains($0) })
      return change.added.isEmpty && change.missing.isEmpty ? nil : change
    }
  }
}
