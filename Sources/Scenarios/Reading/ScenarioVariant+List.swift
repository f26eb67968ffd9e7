// The key `list`: what an observing context shows, and in which cells.
import BatchmarkEngine
import CoreDataModel

extension ScenarioVariant {
  /// Reads the list, and checks that cells with results have what they need; `nil` without a list.
  func readList(_ node: YAMLNode?, of entity: EntityReading, cells: [PlacedCell]) -> ListDescription? {
    let list = node.flatMap { read($0, of: entity) }
    for placed in cells { check(placed.cell, at: placed.place, node) }
    if let node, !cells.isEmpty, !cells.contains(where: { $0.cell[.results] != .none }) {
      diagnose(
        node.place, found: "the key 'list', while no cell has results",
        expected: "a cell such as {strategy: save, merge: automatic, results: controller}, or no such key")
    }
    return list
  }

  private func read(_ node: YAMLNode, of entity: EntityReading) -> ListDescription? {
    guard let section = section(node, .list) else { return nil }
    let order = required("order", in: section, example: "order: time").flatMap { attribute($0, of: entity) }
    let group = section["section"].flatMap { attribute($0, of: entity) }
    let condition = section["matching"].flatMap { WhereSection(diagnostics: diagnostics).read($0, on: entity) }
    let isDescending = section["descending"].map { isTrue($0) } ?? false
    return order.map { ListDescription(order: $0, isAscending: !isDescending, section: group, condition: condition) }
  }

  private func attribute(_ node: YAMLNode, of entity: EntityReading) -> String? {
    guard let word = text(node, expected: "the name of an attribute") else { return nil }
    let description = entity.description
    if let attribute = description.attribute(named: word) {
      if attribute.type.hasRange || attribute.type == .string { return word }
      diagnose(
        node.place, found: "the attribute \(shown(word)), which is of type \(attribute.type.rawValue)",
        expected: "an attribute whose values have an order")
    } else if !entity.attributeNames.contains(word) {
      // If the attribute has a mistake, it has been reported already.
      diagnose(
        node.place, found: "the attribute \(shown(word))", word: word, words: description.attributes.map(\.name))
    }
    return nil
  }

  /// Reports a cell with results if there is no list, or if the list does not have them.
  private func check(_ cell: Cell, at place: SourceLocation, _ list: YAMLNode?) {
    let results = cell[.results]
    if results == .none { return }
    if cell[.merge] == .none {
      diagnose(
        place, found: "results: \(results.rawValue) of the cell \(cell.id) without a context that observes",
        expected: "merge: automatic, changes or history, or results: none")
    }
    guard let list else {
      diagnose(
        place, found: "results: \(results.rawValue) of the cell \(cell.id) without the key 'list'",
        expected: "list: and what it shows, such as {order: time}")
      return
    }
    for (needing, key, example) in [
      (ShownResults.sections, "section", "section: place"), (.matching, "matching", "matching: magnitude >= 5"),
    ] where results == needing && list[key] == nil {
      diagnose(
        place, found: "results: \(results.rawValue) of the cell \(cell.id), while the list has no key '\(key)'",
        expected: "list: {\(example), …}")
    }
  }
}
