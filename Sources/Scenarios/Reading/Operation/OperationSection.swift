// The keys `operation` and `set`: what a scenario does with its rows.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

/// Reads what a scenario does with its rows.
struct OperationSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads which operation the scenario measures; the default is an insert.
  func kind(_ node: YAMLNode?) -> Operation.Kind {
    guard let node else { return .insert }
    return choice(node, of: Operation.Kind.self) ?? .insert
  }

  /// Reads the operation and its rows.
  ///
  /// - Parameters:
  ///   - section: The scenario's keys.
  ///   - kind: The kind of operation.
  ///   - entity: The entity of the rows.
  ///   - model: The model that the store is made with; `nil` if it has mistakes.
  /// - Returns: The operation; `nil` for an update that sets nothing, and for a migration without a version.
  func read(
    _ section: Section, _ kind: Operation.Kind, of entity: EntityReading, in model: ManagedObjectModel?
  ) -> Operation? {
    checkKeys(of: kind, in: section)
    let chosen = { chosenRows(section, of: entity) }
    func condition() -> RowCondition? {
      let rows = chosen()
      if rows.among != nil, let node = section["predicate"] {
        diagnose(
          node.place, found: "a list of values with the operation \(kind.rawValue)",
          expected: "operation: fetch, or a predicate that is written out")
      }
      return rows.condition
    }
    return switch kind {
    case .insert: .insert
    case .delete: .delete(where: condition())
    case .fetch: .fetch(query(section, chosen(), of: entity))
    case .update:
      required("set", in: section, example: "set: {magnitude: 5.5}").map {
        .update(assignments($0, to: entity), where: condition())
      }
    case .migrate:
      modelVersion(section, of: model, storing: entity).map { .migrate(to: $0) }
    }
  }

  /// Keys that apply only to some operations.
  private static let users: [(key: String, operations: [Operation.Kind])] = [
    ("where", [.update, .delete, .fetch]), ("predicates", [.update, .delete, .fetch]),
    ("predicate", [.update, .delete, .fetch]), ("set", [.update]), ("repeat", [.insert]), ("link", [.insert]),
    ("order", [.fetch]), ("descending", [.fetch]), ("offset", [.fetch]), ("limit", [.fetch]), ("page_cache", [.fetch]),
    ("follow", [.fetch]), ("group_by", [.fetch]), ("aggregates", [.fetch]), ("versions", [.migrate]),
    ("version", [.migrate]), ("beside", [.insert, .update, .delete, .fetch]),
    ("list", [.insert, .update, .delete, .fetch]), ("indexes", [.insert, .update, .delete, .fetch]),
  ]

  /// Keys that apply only to other operations.
  static func foreignKeys(of kind: Operation.Kind) -> [String] {
    users.filter { !$0.operations.contains(kind) }.map(\.key)
  }

  /// Reports keys that apply only to other operations.
  private func checkKeys(of kind: Operation.Kind, in section: Section) {
    for (key, operations) in OperationSection.users where !operations.contains(kind) {
      guard let node = section[key] else { continue }
      diagnose(
        node.place, found: "the key '\(key)' with the operation \(kind.rawValue)",
        expected: "operation: " + operations.map(\.rawValue).joined(separator: " or ") + ", or no such key")
    }
  }

  /// The order, offset and limit of a fetch.
  private func query(_ section: Section, _ rows: ChosenRows, of entity: EntityReading) -> FetchQuery {
    let order = section["order"].flatMap { uniqueAttribute($0, of: entity) }
    if section["order"] == nil {
      for key in ["descending", "offset", "limit"] {
        guard let node = section[key] else { continue }
        diagnose(
          node.place, found: "the key '\(key)' without the key 'order'",
          expected: "order: and a unique attribute, so that every engine finds the same rows")
      }
    }
    var query = FetchQuery(
      where: rows.condition, order: order, isAscending: !(section["descending"].map { isTrue($0) } ?? false),
      offset: section["offset"].flatMap { count($0, of: .offset) } ?? 0,
      limit: section["limit"].flatMap { count($0, of: .rowCount) },
      following: section["follow"].flatMap { path($0) } ?? [], grouping: grouping(section, of: entity))
    query.among = rows.among
    return query
  }

  private func uniqueAttribute(_ node: YAMLNode, of entity: EntityReading) -> String? {
    text(node, expected: "the name of an attribute").flatMap { uniqueAttribute($0, at: node.place, of: entity) }
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
      // If the attribute has a mistake, it has been reported already.
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
