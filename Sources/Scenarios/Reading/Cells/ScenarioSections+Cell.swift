// Reads one cell: an engine, a strategy and parameters, checked against the linked engines.
import BatchmarkEngine

/// A cell and where it was written.
struct PlacedCell {
  var cell: Cell
  var place: SourceLocation
  /// Its own tags, without those of the scenario.
  var tags: [String] = []
}

extension ScenarioSections {
  /// Reads a cell; `common` has the keys that the cell does not set itself.
  func readCell(
    _ node: YAMLNode, _ common: [String: YAMLNode], scenario: String, operation: Operation.Kind
  ) -> Cell? {
    guard let entries = entries(node, expected: "a cell, such as \(schema.exampleCell)") else {
      return nil
    }
    let section = Section(entries, at: node.place)
    guard let engine = engine(section["engine"], of: node.place),
      let node = required(
        "strategy", in: section,
        example: "strategy: \(engine.strategies(for: operation).first?.name ?? schema.exampleStrategy)"),
      let strategy = strategy(node, of: engine, operation: operation)
    else { return nil }
    var cell = Cell(
      scenario: scenario, engine: engine.name, strategy: strategy.name, operation: operation, role: strategy.role)
    cell.isOfDefaultEngine = engine.name == schema.defaultEngine?.name
    if strategy.isStreamed { cell.isStreamed = true }
    cell.defaults = strategy.parametersByName.mapValues(\.standard)
    let fixed = ScenarioKey.names(in: .cell)
    for entry in entries where !fixed.contains(entry.key) {
      guard let parameter = strategy.parametersByName[entry.key] else {
        diagnose(
          entry.keyPlace, found: "the key \(shown(entry.key)) for the strategy \(strategy.name)", word: entry.key,
          words: fixed + strategy.parametersByName.keys.sorted())
        continue
      }
      if let value = value(entry.value, of: ValueDomain(parameter.domain)), value != parameter.standard {
        cell.parameters[entry.key] = value
      }
    }
    for (key, node) in common.sorted(by: { $0.key < $1.key }) where section[key] == nil {
      guard let parameter = strategy.parametersByName[key] else { continue }
      if let value = value(node, of: ValueDomain(parameter.domain)), value != parameter.standard {
        cell.parameters[key] = value
      }
    }
    return cell
  }

  private func engine(_ node: YAMLNode?, of cell: SourceLocation) -> (any Engine)? {
    let names = schema.engines.map(\.name)
    guard let node else {
      if let engine = schema.defaultEngine { return engine }
      diagnose(cell, found: "a cell, but no engine", expected: "an executable with an engine")
      return nil
    }
    guard let name = text(node, expected: "one of " + names.joined(separator: ", ")) else { return nil }
    if let engine = schema.engine(named: name) { return engine }
    diagnose(node.place, found: "the engine \(shown(name))", word: name, words: names)
    return nil
  }

  private func strategy(
    _ node: YAMLNode, of engine: any Engine, operation: Operation.Kind
  ) -> Strategy? {
    let strategies = engine.strategies(for: operation)
    let names = strategies.map(\.name)
    let expected =
      names.isEmpty ? "an engine with strategies for this operation" : "one of " + names.joined(separator: ", ")
    guard let name = text(node, expected: expected) else { return nil }
    if let strategy = strategies.first(where: { $0.name == name }) { return strategy }
    // A strategy of another engine is a more likely mistake than a misspelled one of this engine.
    let other = schema.engines.first { $0.strategies(for: operation).contains { $0.name == name } }
    diagnose(
      node.place,
      found: "the strategy \(shown(name)) of the engine \(engine.name)"
        + (operation == .insert ? "" : " for the operation \(operation.rawValue)"),
      expected: expected,
      suggestion: other.map { "engine: \($0.name), strategy: \(name)" } ?? nearestWord(to: name, among: names))
    return nil
  }
}
