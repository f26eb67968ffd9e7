// What cannot be together with linked rows, and parameters of linking where nothing is linked.
import BatchmarkEngine

/// Checks a scenario that links its rows, or says how to without doing so.
struct LinkingCheck: NodeReading {
  let diagnostics: Diagnostics
  let schema: ScenarioSchema

  /// Notes what cannot be together with linked rows, and parameters of linking where nothing is linked.
  func check(
    _ section: Section, source: SourceReading, repeats: Int, operation: Operation.Kind,
    cells: [PlacedCell]
  ) {
    guard let place = section["link"]?.place, operation == .insert else {
      // The rows of a store have their own relationships.
      if source.description.isGraph, source.entity == nil { return }
      for parameter in [ParameterKey.linkEvery.name, ParameterKey.relationships.name] {
        for placed in cells where placed.cell.parameters[parameter] != nil {
          diagnose(
            placed.place, found: "the key '\(parameter)' without the key 'link'",
            expected: "link: and what the rows are linked to, such as {network: net}, or no such key")
        }
      }
      return
    }
    if source.duplicates > 0 {
      diagnose(
        source.duplicatesPlace ?? source.place,
        found: "duplicates of \(percentText(source.duplicates)) with the key 'link'",
        expected: "duplicates: 0%, so that every row is linked once")
    }
    if repeats > 1 {
      diagnose(
        section["repeat"]?.place ?? place, found: "a repeat of \(repeats) with the key 'link'",
        expected: "repeat: 1, so that every row is linked once")
    }
    for placed in cells { check(placed.cell, at: placed.place) }
  }

  /// Notes a cell that cannot link its rows.
  private func check(_ cell: Cell, at place: SourceLocation) {
    if cell[.merge] != .none {
      diagnose(
        place, found: "merge: \(cell[.merge].rawValue) of the cell \(cell.id) with the key 'link'",
        expected: "merge: none, since an observer is notified of the source's rows alone")
    }
    guard schema.strategy(of: cell)?.relationships == RelationshipStorage.none else { return }
    let strategies = schema.engine(named: cell.engine)?.strategies(for: cell.operation) ?? []
    let others = strategies.filter { $0.relationships != .none }.map(\.name)
    let linking = schema.engines.first { $0.strategies.contains { $0.relationships != .none } }
    diagnose(
      place,
      found:
        "the strategy \(shown(cell.strategy)) of the engine \(cell.engine) with the key 'link', which it does not know",
      expected: others.isEmpty
        ? "an engine that links rows" + (linking.map { ", such as \($0.name)" } ?? "")
        : "one of " + others.joined(separator: ", "))
  }
}
