// The keys `where`, `predicate` and `predicates`: which rows a scenario works on.
import BatchmarkEngine
import CoreDataModel

/// The rows that a scenario selects.
struct ChosenRows {
  var condition: RowCondition?
  /// A list that is given by its length.
  var among: ValueList?
}

extension OperationSection {
  /// The rows; all of them in case of a mistake.
  func chosenRows(_ section: Section, of entity: EntityReading) -> ChosenRows {
    let reading = WhereSection(diagnostics: diagnostics)
    var named: [String: ChosenRows] = [:]
    if let node = section["predicates"] {
      let expected = "a mapping of names and predicates, such as {strong: magnitude >= 6}"
      // Read all of them, so that a mistake is found whichever one is chosen.
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

  /// Reads a unique attribute and how many of its values to look for.
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

extension NodeReading {
  /// An attribute that has a different value in every row.
  func uniqueAttribute(_ word: String, at place: SourceLocation, of entity: EntityReading) -> String? {
    let description = entity.description
    guard let attribute = description.attribute(named: word) else {
      // If the attribute has a mistake, it has been reported already.
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
