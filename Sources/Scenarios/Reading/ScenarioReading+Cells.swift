// The `cells` key: engines, strategies and parameters, checked against what the linked engines know.

extension ScenarioReading {
  /// The engine meant when a cell names none.
  static let defaultEngine = "objectgraph"

  /// Reads the cells, as often as the sweep multiplies them; two with one id are a mistake.
  ///
  /// The section's own `merge`, `history` and `reader` are those of every cell that knows the key and does not say
  /// otherwise. Cells with the same conditions of a sweep stand together.
  mutating func cells(
    _ node: YAMLNode, in section: Section, scenario: String, operation: ScenarioOperation, sweep: [SweepAxis] = []
  ) -> [(cell: Cell, place: Place)] {
    let expected = "a list of cells, such as [{strategy: save}]"
    guard let items = items(node, expected: expected) else { return [] }
    if items.isEmpty { complain(node.place, found: "no cell", expected: expected) }
    var cells: [(cell: Cell, place: Place)] = []
    var common: [String: YAMLNode] = [:]
    for key in ScenarioReading.cellKeys { common[key] = section[key] }
    checkUse(of: common, in: items, operation: operation)
    check(sweep, in: items, operation: operation)
    guard isWithinLimit(sweep, items) else { return [] }
    var ids: Set<String> = []
    let keys = sweep.filter { $0.subject != .parameter }.map(\.key).sorted()
    for conditions in SweepCombination.all(of: sweep.filter { $0.subject == .condition }) {
      for item in items {
        let known = words(ofStrategyIn: item, operation: operation)?.parameters
        let own = sweep.filter { $0.subject != .condition && known?[$0.key] != nil }
        for combination in SweepCombination.all(of: own) {
          var swept = item
          for value in combination.values { swept.set([value.axis.key], to: value.node) }
          guard var cell = cell(swept, common, scenario: scenario, operation: operation) else { continue }
          cell.parameters.merge(conditions.conditions) { $1 }
          cell.conditionKeys = keys
          if !ids.insert(cell.id).inserted {
            complain(
              item.place, found: "the cell \(cell.id) again",
              expected: "cells that differ in engine, strategy or a parameter that is not its default")
          }
          cells.append((cell, item.place))
        }
      }
    }
    return cells
  }

  /// Notes what is swept and in no cell, or what a cell says itself.
  private mutating func check(_ sweep: [SweepAxis], in items: [YAMLNode], operation: ScenarioOperation) {
    for axis in sweep where axis.subject != .condition && !items.isEmpty {
      if !items.contains(where: { words(ofStrategyIn: $0, operation: operation)?.parameters[axis.key] != nil }) {
        complain(
          axis.keyPlace, found: "the key '\(axis.key)' in the sweep, which no cell of the scenario has",
          expected: "a key of source, store or scenario, or a parameter of one of its strategies")
      }
      for item in items {
        guard case .mapping(let entries) = item.content, let entry = entries.first(where: { $0.key == axis.key }) else {
          continue
        }
        complain(
          entry.keyPlace, found: "the key '\(axis.key)' of a cell, which is swept as well",
          expected: "it here or in the sweep")
      }
    }
  }

  /// Whether the sweep makes no more cells than anybody waits for.
  private mutating func isWithinLimit(_ sweep: [SweepAxis], _ items: [YAMLNode]) -> Bool {
    var count = items.count
    for axis in sweep {
      count = count.multipliedReportingOverflow(by: axis.values.count).partialValue
      guard count > SweepAxis.mostCells else { continue }
      complain(
        axis.keyPlace, found: "a sweep that makes more than \(SweepAxis.mostCells) cells",
        expected: "fewer keys, fewer values, or another scenario for some of them")
      return false
    }
    return true
  }

  /// Keys of a scenario that are settings of its cells.
  static let cellKeys = ["merge", "history", "reader"]

  /// Notes settings that no cell has.
  private mutating func checkUse(
    of common: [String: YAMLNode], in items: [YAMLNode], operation: ScenarioOperation
  ) {
    for key in ScenarioReading.cellKeys {
      guard let node = common[key] else { continue }
      let isKnown = items.contains { words(ofStrategyIn: $0, operation: operation)?.parameters[key] != nil }
      if !isKnown && !items.isEmpty {
        complain(
          node.place, found: "the key '\(key)', which no cell of the scenario has",
          expected: "a cell of the engine \(ScenarioReading.defaultEngine), or no such key")
      }
    }
  }

  /// The words of the strategy that a cell names, as far as it names one.
  func words(ofStrategyIn cell: YAMLNode, operation: ScenarioOperation) -> StrategySchema? {
    let engine = cell["engine"]?.text ?? ScenarioReading.defaultEngine
    return schema.engine(named: engine)?.strategies(for: operation).first { $0.name == cell["strategy"]?.text }
  }

  private mutating func cell(
    _ node: YAMLNode, _ common: [String: YAMLNode], scenario: String, operation: ScenarioOperation
  ) -> Cell? {
    guard let entries = entries(node, expected: "a cell, such as {engine: sqlite, strategy: insert}") else {
      return nil
    }
    let section = Section(entries, at: node.place)
    guard let engine = engine(section["engine"], of: node.place),
      let node = required(
        "strategy", in: section, example: "strategy: \(engine.strategies(for: operation).first?.name ?? "insert")"),
      let strategy = strategy(node, of: engine, operation: operation)
    else { return nil }
    var cell = Cell(
      scenario: scenario, engine: engine.name, strategy: strategy.name, operation: operation, role: strategy.role)
    cell.defaults = strategy.parameters.mapValues(\.standard)
    let known = strategy.parameters.keys.sorted()
    for entry in entries where !["engine", "strategy"].contains(entry.key) {
      guard let parameter = strategy.parameters[entry.key] else {
        complain(
          entry.keyPlace, found: "the key \(shown(entry.key)) for the strategy \(strategy.name)", word: entry.key,
          words: ["engine", "strategy"] + known)
        continue
      }
      if let value = value(entry.value, of: parameter), value != parameter.standard {
        cell.parameters[entry.key] = value
      }
    }
    for (key, node) in common.sorted(by: { $0.key < $1.key }) where section[key] == nil {
      guard let parameter = strategy.parameters[key] else { continue }
      if let value = value(node, of: parameter), value != parameter.standard { cell.parameters[key] = value }
    }
    return cell
  }

  private mutating func engine(_ node: YAMLNode?, of cell: Place) -> EngineSchema? {
    let names = schema.engines.map(\.name)
    guard let node else {
      if let engine = schema.engine(named: ScenarioReading.defaultEngine) { return engine }
      complain(
        cell, found: "a cell without an engine, and no engine '\(ScenarioReading.defaultEngine)' here",
        expected: "engine: and one of \(names.joined(separator: ", "))")
      return nil
    }
    guard let name = text(node, expected: "one of " + names.joined(separator: ", ")) else { return nil }
    if let engine = schema.engine(named: name) { return engine }
    complain(node.place, found: "the engine \(shown(name))", word: name, words: names)
    return nil
  }

  private mutating func strategy(
    _ node: YAMLNode, of engine: EngineSchema, operation: ScenarioOperation
  ) -> StrategySchema? {
    let strategies = engine.strategies(for: operation)
    let names = strategies.map(\.name)
    let expected =
      names.isEmpty ? "an engine with strategies for this operation" : "one of " + names.joined(separator: ", ")
    guard let name = text(node, expected: expected) else { return nil }
    if let strategy = strategies.first(where: { $0.name == name }) { return strategy }
    // The right strategy of another engine is a commoner slip than a misspelt one of this.
    let other = schema.engines.first { $0.strategies(for: operation).contains { $0.name == name } }
    complain(
      node.place,
      found: "the strategy \(shown(name)) of the engine \(engine.name)"
        + (operation == .insert ? "" : " for the operation \(operation.rawValue)"),
      expected: expected,
      suggestion: other.map { "engine: \($0.name), strategy: \(name)" } ?? nearestWord(to: name, among: names))
    return nil
  }

  private mutating func value(_ node: YAMLNode, of parameter: Parameter) -> ParameterValue? {
    switch parameter.domain {
    case .rows: rows(node)
    case .bytes: bytes(node)
    case .words(let words):
      parameter.domain == Switch.domain ? isOn(node).map { .word($0) } : word(node, among: words).map { .word($0) }
    }
  }

  /// A positive number of rows, or `all`.
  private mutating func rows(_ node: YAMLNode) -> ParameterValue? {
    if node.text == "all" { return .all }
    if case .scalar(let text, isQuoted: false) = node.content, wholeNumberDigits(text) != nil {
      return wholeNumber(node, in: 1...mostRows, of: " of rows").map(ParameterValue.count)
    }
    complain(
      node.place, found: node.kind, expected: "a whole number of rows from 1 to \(mostRows), or all",
      suggestion: node.text.flatMap { nearestWord(to: $0, among: ["all"]) })
    return nil
  }

  /// A size with its unit, or `none`.
  private mutating func bytes(_ node: YAMLNode) -> ParameterValue? {
    if node.text == "none" { return .word("none") }
    if let bytes = node.text.flatMap(ByteSize.bytes) { return .bytes(bytes) }
    let isNumber = node.text.flatMap(wholeNumberDigits) != nil
    complain(
      node.place, found: node.kind, expected: "a size such as 16 MiB (B, KiB, MiB and GiB are units), or none",
      suggestion: isNumber ? node.text.map { "\($0) B" } : nil)
    return nil
  }

  /// `on` or `off`, as YAML authors write them.
  private mutating func isOn(_ node: YAMLNode) -> String? {
    switch node.text?.lowercased() {
    case "true", "yes": "on"
    case "false", "no": "off"
    default: word(node, among: ["on", "off"])
    }
  }
}
