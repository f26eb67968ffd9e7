// The `cells` key: engines, strategies and parameters, checked against what the linked engines know.

extension ScenarioReading {
  /// The engine meant when a cell names none.
  static let defaultEngine = "objectgraph"

  /// Reads the cells; two with one id are a mistake.
  mutating func cells(
    _ node: YAMLNode, scenario: String, operation: ScenarioOperation
  ) -> [(cell: Cell, place: Place)] {
    let expected = "a list of cells, such as [{strategy: save}]"
    guard let items = items(node, expected: expected) else { return [] }
    if items.isEmpty { complain(node.place, found: "no cell", expected: expected) }
    var cells: [(cell: Cell, place: Place)] = []
    for item in items {
      guard let cell = cell(item, scenario: scenario, operation: operation) else { continue }
      if cells.contains(where: { $0.cell.id == cell.id }) {
        complain(
          item.place, found: "the cell \(cell.id) again",
          expected: "cells that differ in engine, strategy or a parameter that is not its default")
      }
      cells.append((cell, item.place))
    }
    return cells
  }

  private mutating func cell(_ node: YAMLNode, scenario: String, operation: ScenarioOperation) -> Cell? {
    guard let entries = entries(node, expected: "a cell, such as {engine: sqlite, strategy: insert}") else {
      return nil
    }
    let section = Section(entries, at: node.place)
    guard let engine = engine(section["engine"], of: node.place),
      let node = required(
        "strategy", in: section, example: "strategy: \(engine.strategies(for: operation).first?.name ?? "save")"),
      let strategy = strategy(node, of: engine, operation: operation)
    else { return nil }
    var cell = Cell(scenario: scenario, engine: engine.name, strategy: strategy.name, operation: operation)
    let known = strategy.parameters.keys.sorted()
    for entry in entries where !["engine", "strategy"].contains(entry.key) {
      guard let standard = strategy.parameters[entry.key] else {
        complain(
          entry.keyPlace, found: "the key \(shown(entry.key)) for the strategy \(strategy.name)", word: entry.key,
          words: ["engine", "strategy"] + known)
        continue
      }
      if let value = parameter(entry.value), value != standard { cell.parameters[entry.key] = value }
    }
    return cell
  }

  private mutating func engine(_ node: YAMLNode?, of cell: Place) -> EngineWords? {
    let names = vocabulary.engines.map(\.name)
    guard let node else {
      if let engine = vocabulary.engine(named: ScenarioReading.defaultEngine) { return engine }
      complain(
        cell, found: "a cell without an engine, and no engine '\(ScenarioReading.defaultEngine)' here",
        expected: "engine: and one of \(names.joined(separator: ", "))")
      return nil
    }
    guard let name = text(node, expected: "one of " + names.joined(separator: ", ")) else { return nil }
    if let engine = vocabulary.engine(named: name) { return engine }
    complain(node.place, found: "the engine \(shown(name))", word: name, words: names)
    return nil
  }

  private mutating func strategy(
    _ node: YAMLNode, of engine: EngineWords, operation: ScenarioOperation
  ) -> StrategyWords? {
    let strategies = engine.strategies(for: operation)
    let names = strategies.map(\.name)
    let expected =
      names.isEmpty ? "an engine with strategies for this operation" : "one of " + names.joined(separator: ", ")
    guard let name = text(node, expected: expected) else { return nil }
    if let strategy = strategies.first(where: { $0.name == name }) { return strategy }
    // The right strategy of another engine is a commoner slip than a misspelt one of this.
    let other = vocabulary.engines.first { $0.strategies(for: operation).contains { $0.name == name } }
    complain(
      node.place,
      found: "the strategy \(shown(name)) of the engine \(engine.name)"
        + (operation == .insert ? "" : " for the operation \(operation.rawValue)"),
      expected: expected,
      suggestion: other.map { "engine: \($0.name), strategy: \(name)" } ?? nearestWord(to: name, among: names))
    return nil
  }

  /// A positive number of rows, or `all`.
  private mutating func parameter(_ node: YAMLNode) -> ParameterValue? {
    if node.text == "all" { return .all }
    if case .scalar(let text, isQuoted: false) = node.content, wholeNumberDigits(text) != nil {
      return wholeNumber(node, in: 1...mostRows, of: " of rows").map(ParameterValue.count)
    }
    complain(
      node.place, found: node.kind, expected: "a whole number of rows from 1 to \(mostRows), or all",
      suggestion: node.text.flatMap { nearestWord(to: $0, among: ["all"]) })
    return nil
  }
}
