// The keys `cells`, which lists what is compared and is multiplied by the sweep, and `tags`.
import BatchmarkEngine

extension ScenarioSections {
  /// Reads the cells, multiplied by the sweep.
  ///
  /// Two cells with the same id are a mistake, unless a setting made them equal; then one is dropped.
  ///
  /// The section's own `merge`, `history` and `reader` apply to every cell that knows the key and does not set it.
  /// Cells with the same conditions of a sweep are grouped together.
  func readCells(
    _ node: YAMLNode, in section: Section, scenario: String, operation: Operation.Kind, sweep: [SweepAxis] = []
  ) -> [PlacedCell] {
    let expected = "a list of cells, such as [{strategy: \(schema.exampleStrategy)}]"
    guard let items = items(node, expected: expected) else { return [] }
    if items.isEmpty { diagnose(node.place, found: "no cell", expected: expected) }
    var cells: [PlacedCell] = []
    var common: [String: YAMLNode] = [:]
    for key in ScenarioKey.commonParameters { common[key] = section[key] }
    if let node = section["beside"]?[ParameterKey.reader.name] {
      if common[ParameterKey.reader.name] != nil {
        diagnose(node.place, found: "the key 'reader' in beside and at the top", expected: "it in one of them")
      }
      common[ParameterKey.reader.name] = node
    }
    guard isWithinLimit(sweep, items) else { return [] }
    checkUse(of: common, in: items, operation: operation)
    check(sweep, in: items, operation: operation)
    let tags = items.map { readTags($0["tags"]) }
    var ids: Set<String> = []
    let keys = sweep.filter { $0.subject != .parameter }.map(\.name).sorted()
    for conditions in SweepCombination.all(of: sweep.filter { $0.subject == .condition }) {
      for (item, tags) in zip(items, tags) {
        let known = schema.strategy(in: item, for: operation)?.parametersByName
        let own = sweep.filter { $0.subject != .condition && known?[$0.name] != nil }
        for combination in SweepCombination.all(of: own) {
          var swept = item
          for value in combination.values { swept.set([value.axis.name], to: value.node) }
          guard var cell = readCell(swept, common, scenario: scenario, operation: operation) else { continue }
          cell.parameters.merge(conditions.conditions) { $1 }
          cell.conditionKeys = keys
          if !ids.insert(cell.id).inserted {
            if changes.hasRenamedCells { continue }
            diagnose(
              item.place, found: "the cell \(cell.id) again",
              expected: "cells that differ in engine, strategy or a parameter that is not its default")
          }
          cells.append(PlacedCell(cell: cell, place: item.place, tags: tags))
        }
      }
    }
    return cells
  }

  /// Reports swept values that no cell has, or that a cell sets itself.
  private func check(_ sweep: [SweepAxis], in items: [YAMLNode], operation: Operation.Kind) {
    for axis in sweep where axis.subject != .condition && !items.isEmpty {
      if !changes.leavesOutCells,
        !items.contains(where: { schema.strategy(in: $0, for: operation)?.parametersByName[axis.name] != nil })
      {
        diagnose(
          axis.place, found: "the key '\(axis.name)' in the sweep, which no cell of the scenario has",
          expected: "a key of source, store or scenario, or a parameter of one of its strategies")
      }
      for item in items {
        guard case .mapping(let entries) = item.content, let entry = entries.first(where: { $0.key == axis.name })
        else {
          continue
        }
        diagnose(
          entry.keyPlace, found: "the key '\(axis.name)' of a cell, which is swept as well",
          expected: "it here or in the sweep")
      }
    }
  }

  /// Whether the number of cells, as written and as multiplied by the sweep, is within the limit.
  private func isWithinLimit(_ sweep: [SweepAxis], _ items: [YAMLNode]) -> Bool {
    var count = items.count
    if let first = items.dropFirst(SweepAxis.mostCells).first {
      diagnose(
        first.place, found: "\(items.count) cells", expected: "at most \(SweepAxis.mostCells), or several scenarios")
      return false
    }
    for axis in sweep {
      count = count.multipliedReportingOverflow(by: axis.values.count).partialValue
      guard count > SweepAxis.mostCells else { continue }
      diagnose(
        axis.place, found: "a sweep that makes more than \(SweepAxis.mostCells) cells",
        expected: "fewer keys, fewer values, or another scenario for some of them")
      return false
    }
    return true
  }

  /// Reports common settings that no cell uses.
  private func checkUse(
    of common: [String: YAMLNode], in items: [YAMLNode], operation: Operation.Kind
  ) {
    for key in ScenarioKey.commonParameters {
      guard let node = common[key] else { continue }
      let isKnown = items.contains { schema.strategy(in: $0, for: operation)?.parametersByName[key] != nil }
      if !isKnown && !items.isEmpty && !changes.leavesOutCells {
        diagnose(
          node.place, found: "the key '\(key)', which no cell of the scenario has",
          expected: "a cell of the engine \(schema.engine(knowing: key)?.name ?? "that knows it"), or no such key")
      }
    }
  }

  /// The tags in the file's order, without duplicates; empty without the key.
  func readTags(_ node: YAMLNode?) -> [String] {
    guard let node, let items = items(node, expected: "a list of words, such as [nightly]") else { return [] }
    let expected = "a word of ASCII letters, digits, '-', '_' and '.'"
    var tags: [String] = []
    var earlier: Set<String> = []
    for item in items {
      guard let tag = text(item, expected: expected) else { continue }
      guard isName(tag) else {
        diagnose(item.place, found: "the tag \(shown(tag))", expected: expected)
        continue
      }
      if !earlier.insert(tag).inserted {
        diagnose(item.place, found: "the tag \(shown(tag)) again", expected: "each tag once")
      }
      tags.append(tag)
    }
    return tags
  }
}

extension ScenarioSchema {
  /// The strategy that a cell names, if it names a known one.
  func strategy(in cell: YAMLNode, for operation: Operation.Kind) -> Strategy? {
    let engine = cell["engine"]?.text.map { self.engine(named: $0) } ?? defaultEngine
    return engine?.strategies(for: operation).first { $0.name == cell["strategy"]?.text }
  }
}
