// The keys `follow`, `group_by` and `aggregates`: what a fetch reads in addition to its rows, or instead of them.
import BatchmarkEngine
import CoreDataModel

extension OperationSection {
  private static let pathExample = "relationships one after the other, such as tracks.artist"
  private static let aggregatesExample = "a list of aggregates, such as [count, max(magnitude)]"

  /// Reads a path; ``ScenarioVariant`` checks it against the model.
  func path(_ node: YAMLNode) -> [String]? {
    guard let word = text(node, expected: OperationSection.pathExample) else { return nil }
    let keys = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if !keys.contains("") { return keys }
    diagnose(node.place, found: "the path \(shown(word))", expected: OperationSection.pathExample)
    return nil
  }

  /// Reads the grouping of an entity's rows; `nil` without one, or if it has a mistake.
  func grouping(_ section: Section, of entity: EntityReading) -> RowGrouping? {
    guard let by = section["group_by"] else {
      if let node = section["aggregates"] {
        diagnose(
          node.place, found: "the key 'aggregates' without the key 'group_by'",
          expected: "group_by: and an attribute, or no such key")
      }
      return nil
    }
    for key in ["order", "limit", "offset", "descending", "follow"] {
      guard let node = section[key] else { continue }
      diagnose(
        node.place, found: "the key '\(key)' with the key 'group_by'",
        expected: "one of the two, since groups are read whole and have no order")
    }
    guard
      let name = attribute(
        by, of: entity, expected: "an attribute that is a string, a whole number or a truth value",
        if: { [.string, .boolean, .int16, .int32, .int64].contains($0.type) }),
      let list = required("aggregates", in: section, example: "aggregates: [count, max(magnitude)]"),
      let items = items(list, expected: OperationSection.aggregatesExample)
    else { return nil }
    if items.isEmpty { diagnose(list.place, found: "no aggregate", expected: OperationSection.aggregatesExample) }
    let aggregates = items.compactMap { aggregate($0, of: entity) }
    return aggregates.count == items.count ? RowGrouping(by: name, aggregates) : nil
  }

  private func aggregate(_ node: YAMLNode, of entity: EntityReading) -> Aggregate? {
    let expected = "count, or count, sum, min or max with an attribute, such as max(magnitude)"
    guard let word = text(node, expected: expected) else { return nil }
    let parts = word.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false).map {
      $0.trimmingSpaces
    }
    guard let function = Aggregate.Function(rawValue: parts[0]) else {
      diagnose(
        node.place, found: "the aggregate \(shown(word))", expected: expected,
        suggestion: nearest(to: parts[0], among: Aggregate.Function.allCases.map(\.rawValue)))
      return nil
    }
    if parts.count == 1, function == .count { return Aggregate(.count) }
    guard parts.count == 2, parts[1].hasSuffix(")") else {
      diagnose(node.place, found: "the aggregate \(shown(word))", expected: expected)
      return nil
    }
    let name = String(parts[1].dropLast()).trimmingSpaces
    let attribute = attribute(
      name, at: node.place, of: entity,
      expected: function == .sum
        ? "a required attribute that is a whole number, since the sum of others depends on their order"
        : "an attribute that is a number or a time",
      if: {
        switch function {
        case .count: true
        case .sum: [.int16, .int32, .int64].contains($0.type) && !$0.isOptional
        case .minimum, .maximum: $0.type.hasRange
        }
      })
    return attribute.map { Aggregate(function, of: $0) }
  }

  private func attribute(
    _ node: YAMLNode, of entity: EntityReading, expected: String, if isRight: (AttributeDescription) -> Bool
  ) -> String? {
    text(node, expected: expected).flatMap {
      attribute($0, at: node.place, of: entity, expected: expected, if: isRight)
    }
  }

  private func attribute(
    _ name: String, at place: SourceLocation, of entity: EntityReading, expected: String,
    if isRight: (AttributeDescription) -> Bool
  ) -> String? {
    let description = entity.description
    guard let attribute = description.attribute(named: name) else {
      // If the attribute has a mistake, it has been reported already.
      if !entity.attributeNames.contains(name) {
        diagnose(place, found: "the attribute \(shown(name))", word: name, words: description.attributes.map(\.name))
      }
      return nil
    }
    if isRight(attribute) { return name }
    diagnose(
      place,
      found:
        "the\(attribute.isOptional ? " optional" : "") attribute \(shown(name)) of type \(attribute.type.rawValue)",
      expected: expected)
    return nil
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
