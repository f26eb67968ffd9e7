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

  /// Reads what is done to which rows.
  ///
  /// - Parameters:
  ///   - section: The scenario's keys.
  ///   - kind: Which operation it names.
  ///   - entity: The entity that the rows go into.
  ///   - model: The model that the store is made with; nil where it has mistakes.
  /// - Returns: The operation; nil for an update that does not say what it sets, and for a migration to no version.
  func read(
    _ section: Section, _ kind: Operation.Kind, of entity: EntityReading, in model: ManagedObjectModel?
  ) -> Operation? {
    checkKeys(of: kind, in: section)
    let chosen = { ConditionSection(diagnostics: diagnostics).read(section, of: entity) }
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
      VersionsSection(diagnostics: diagnostics).read(section, of: model, storing: entity).map { .migrate(to: $0) }
    }
  }

  /// Keys that say something about some operations alone.
  private static let users: [(key: String, operations: [Operation.Kind])] = [
    ("where", [.update, .delete, .fetch]), ("predicates", [.update, .delete, .fetch]),
    ("predicate", [.update, .delete, .fetch]), ("set", [.update]), ("repeat", [.insert]), ("link", [.insert]),
    ("order", [.fetch]), ("descending", [.fetch]), ("offset", [.fetch]), ("limit", [.fetch]), ("page_cache", [.fetch]),
    ("follow", [.fetch]), ("group_by", [.fetch]), ("aggregates", [.fetch]), ("versions", [.migrate]),
    ("version", [.migrate]), ("beside", [.insert, .update, .delete, .fetch]),
    ("list", [.insert, .update, .delete, .fetch]), ("indexes", [.insert, .update, .delete, .fetch]),
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

  /// The order and part of a fetch.
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
    let reading = QueryReachReading(diagnostics: diagnostics)
    var query = FetchQuery(
      where: rows.condition, order: order, isAscending: !(section["descending"].map { isTrue($0) } ?? false),
      offset: section["offset"].flatMap { count($0, of: .offset) } ?? 0,
      limit: section["limit"].flatMap { count($0, of: .rowCount) },
      following: section["follow"].flatMap { reading.path($0) } ?? [], grouping: reading.grouping(section, of: entity))
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

extension NodeReading {
  /// An attribute whose values differ in all rows.
  fileprivate func uniqueAttribute(_ word: String, at place: SourceLocation, of entity: EntityReading) -> String? {
    let description = entity.description
    guard let attribute = description.attribute(named: word) else {
      // One with a mistake of its own has been reported already.
      if !entity.attributeNames.contains(word) {
        diagnose(
          place, found: "the attribute \(shown(word))", word: word, words: description.attributes.map(\.name))
      }
      return nil
    }
    let isUnique = description.uniquenessConstraints.contains([word])
    guard isUnique, !attribute.isOptional, attribute.type.hasRange || attribute.type == .string else {
      let found =
        !isUnique ? "which is not unique" : attribute.isOptional ? "which is optional" : "whose values have no order"
      diagnose(
        place, found: "the attribute \(shown(word)), \(found)",
        expected:
          "a required attribute that is unique by itself and has an order, so that every engine finds the same rows")
      return nil
    }
    return word
  }
}

/// Which rows are meant.
struct ChosenRows {
  var condition: RowCondition?
  /// A list that is given by its length.
  var among: ValueList?
}

/// Reads which rows are meant, by `where` or by one of several named predicates.
struct ConditionSection: NodeReading {
  let diagnostics: Diagnostics

  /// The rows; all of them for a mistake.
  func read(_ section: Section, of entity: EntityReading) -> ChosenRows {
    let reading = WhereSection(diagnostics: diagnostics)
    var named: [String: ChosenRows] = [:]
    if let node = section["predicates"] {
      let expected = "a mapping of names and predicates, such as {strong: magnitude >= 6}"
      // All are read, so that a mistake is found whichever is chosen.
      for entry in entries(node, expected: expected) ?? [] {
        if case .mapping(let lists) = entry.value.content {
          named[entry.key] = ChosenRows(among: list(lists, at: entry.value.place, of: entity))
        } else {
          named[entry.key] = ChosenRows(condition: reading.read(entry.value, on: entity))
        }
      }
    }
    if let node = section["where"] {
      if let other = section["predicate"] {
        diagnose(other.place, found: "the key 'predicate' with the key 'where'", expected: "one of the two")
      }
      return ChosenRows(condition: reading.read(node, on: entity))
    }
    guard let node = section["predicate"] else {
      if let node = section["predicates"] {
        diagnose(
          node.place, found: "the key 'predicates' without the key 'predicate'",
          expected: "predicate: and one of their names, or several in the sweep")
      }
      return ChosenRows()
    }
    guard case .word(let name)? = value(node, of: .name) else { return ChosenRows() }
    guard let rows = named[name] else {
      diagnose(node.place, found: "the predicate \(shown(name))", word: name, words: named.keys.sorted())
      return ChosenRows()
    }
    return rows
  }

  /// Reads a unique attribute and how many of its values are looked for.
  private func list(_ lists: [YAMLNode.Entry], at place: SourceLocation, of entity: EntityReading) -> ValueList? {
    guard lists.count == 1, let entry = lists.first else {
      diagnose(
        place, found: "a mapping of \(lists.count) keys",
        expected: "a predicate, or a unique attribute and a number of its values, such as {code: 1_000}")
      return nil
    }
    guard let count = count(entry.value, of: .listedValues),
      let attribute = uniqueAttribute(entry.key, at: entry.keyPlace, of: entity),
      let type = entity.description.attribute(named: attribute)?.type
    else { return nil }
    guard [.string, .int16, .int32, .int64].contains(type) else {
      diagnose(
        entry.keyPlace, found: "the attribute \(shown(attribute)) of type \(type.rawValue)",
        expected: "one that is a string or a whole number, which identifies rows")
      return nil
    }
    return ValueList(of: attribute, count: count)
  }
}

/// Reads a predicate.
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
