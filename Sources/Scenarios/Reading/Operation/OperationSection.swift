// The keys `operation`, `where` and `set`: what a scenario does with its rows.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

/// Reads what a scenario does with its rows.
struct OperationSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads which operation the scenario measures: inserting, unless it says otherwise.
  func kind(_ node: YAMLNode?) -> Operation.Kind {
    guard let node else { return .insert }
    return choice(node, of: Operation.Kind.self) ?? .insert
  }

  /// Reads what is done to which rows; nil for an update that does not say what it sets.
  func read(_ section: Section, _ kind: Operation.Kind, of entity: EntityReading) -> Operation? {
    checkKeys(of: kind, in: section)
    func condition() -> RowCondition? {
      section["where"].flatMap { WhereSection(diagnostics: diagnostics).read($0, on: entity) }
    }
    return switch kind {
    case .insert: .insert
    case .delete: .delete(where: condition())
    case .fetch: .fetch(where: condition())
    case .update:
      required("set", in: section, example: "set: {magnitude: 5.5}").map {
        .update(assignments($0, to: entity), where: condition())
      }
    }
  }

  /// Keys that say something about some operations alone.
  private static let users: [(key: String, operations: [Operation.Kind])] = [
    ("where", [.update, .delete, .fetch]), ("set", [.update]), ("repeat", [.insert]), ("link", [.insert]),
  ]

  /// Keys that say something about other operations.
  static func foreignKeys(of kind: Operation.Kind) -> [String] {
    users.filter { !$0.operations.contains(kind) }.map(\.key)
  }

  /// Notes keys that say something about another operation.
  private func checkKeys(of kind: Operation.Kind, in section: Section) {
    for (key, operations) in OperationSection.users where !operations.contains(kind) {
      guard let node = section[key] else { continue }
      diagnose(
        node.place, found: "the key '\(key)' with the operation \(kind.rawValue)",
        expected: "operation: " + operations.map(\.rawValue).joined(separator: " or ") + ", or no such key")
    }
  }

  private func assignments(_ node: YAMLNode, to entity: EntityReading) -> [Assignment] {
    let expected = "a mapping of attributes and their new values, such as {magnitude: 5.5}"
    guard let entries = entries(node, expected: expected) else { return [] }
    if entries.isEmpty { diagnose(node.place, found: "no attribute", expected: expected) }
    return entries.compactMap { assignment($0, to: entity) }
  }

  private func assignment(_ entry: YAMLNode.Entry, to entity: EntityReading) -> Assignment? {
    let description = entity.description
    guard let attribute = description.attribute(named: entry.key) else {
      // An attribute with a mistake of its own has been reported already.
      if !entity.attributeNames.contains(entry.key) {
        diagnose(
          entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key,
          words: description.attributes.map(\.name))
      }
      return nil
    }
    if description.uniquenessConstraints.contains(where: { $0.contains(attribute.name) }) {
      diagnose(
        entry.keyPlace, found: "the attribute \(shown(entry.key)), which is unique, in an update of many rows",
        expected: "attributes that may be alike in all of them")
      return nil
    }
    let value = value(entry.value, of: attribute.type, what: "a value")
    if entry.value.isNothing, !attribute.isOptional {
      diagnose(
        entry.value.place, found: "nothing for the attribute \(shown(entry.key)), which is required",
        expected: "a value that is \(AttributeValue.textForm(of: attribute.type))")
    }
    for rule in compiledRules(of: attribute) {
      guard let breach = breach(of: [rule], by: value, attribute.type, at: entry.value.place) else { continue }
      diagnose(entry.value.place, found: "the value \(breach.found)", expected: breach.expected)
    }
    return Assignment(attribute.name, value)
  }
}

/// Reads which rows are meant.
struct WhereSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads a predicate on the entity's attributes.
  func read(_ node: YAMLNode, on entity: EntityReading) -> RowCondition? {
    guard let format = text(node, expected: "a predicate, such as magnitude >= 5") else { return nil }
    do {
      return try ConditionReading(entity: entity.description).condition(try FetchPredicate(format: format))
    } catch let error as ConditionMismatch {
      // An attribute with a mistake of its own has been reported already.
      if let name = error.attribute, entity.attributeNames.contains(name) { return nil }
      diagnose(node.place, found: error.found, expected: error.expected, suggestion: error.suggestion)
    } catch let error as FetchPredicateError {
      diagnose(node.place, error)
    } catch {
      diagnose(node.place, found: "\(error)", expected: "a predicate")
    }
    return nil
  }

  private func diagnose(_ place: SourceLocation, _ error: FetchPredicateError) {
    switch error {
    case .syntax(_, let column, let found, let expected, let suggestion):
      diagnose(
        place, found: "\(found) at character \(column) of the predicate", expected: expected, suggestion: suggestion)
    default:
      diagnose(place, found: "a predicate that cannot be read (\(error))", expected: "one such as magnitude >= 5")
    }
  }
}
