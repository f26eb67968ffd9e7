// The `model` and `entity` keys: entities, attributes, defaults and uniqueness.
import ObjectGraph

/// An entity and where its parts were written.
struct EntityReading {
  var description: EntityDescription
  var place: Place
  /// Whether a mistake was found in its uniqueness constraints.
  var hasWrongConstraints = false
  /// By attribute name: the places of its name and of its type.
  var attributePlaces: [String: (name: Place, type: Place)] = [:]
}

extension ScenarioReading {
  /// Reads the model's entities; those with mistakes are noted and left out.
  mutating func entities(_ node: YAMLNode) -> [EntityReading]? {
    let expected = "a mapping of entity names, such as Quake: {attributes: {code: {type: string}}}"
    guard let entries = entries(node, expected: expected) else { return nil }
    guard !entries.isEmpty else {
      complain(node.place, found: "a model without entities", expected: expected)
      return nil
    }
    var names = ColumnNames(what: "entity", shared: "table")
    return entries.compactMap { entry in
      check(name: entry.key, at: entry.keyPlace, against: &names)
      return entity(named: entry.key, entry.value, at: entry.keyPlace)
    }
  }

  /// Makes the model.
  ///
  /// Mistakes are noted at their own places before; this catches what only the model knows.
  mutating func model(of entities: [EntityReading], at place: Place) -> ManagedObjectModel? {
    do {
      return try ManagedObjectModel(entities: entities.map(\.description))
    } catch {
      for problem in error.problems { complain(place, found: problem.found, expected: problem.expected) }
      return nil
    }
  }

  /// The entity whose rows the source gives: the one named, or the only one.
  mutating func ingestedEntity(_ node: YAMLNode?, among entities: [EntityReading], model: Place) -> EntityReading? {
    let names = entities.map(\.description.name)
    guard let node else {
      if entities.count == 1 { return entities[0] }
      complain(
        model, found: "\(entities.count) entities and no key 'entity'",
        expected: "entity: and one of \(names.joined(separator: ", "))")
      return nil
    }
    guard let name = text(node, expected: "one of " + names.joined(separator: ", ")) else { return nil }
    if let entity = entities.first(where: { $0.description.name == name }) { return entity }
    complain(node.place, found: "the entity \(shown(name))", word: name, words: names)
    return nil
  }

  private mutating func entity(named name: String, _ node: YAMLNode, at place: Place) -> EntityReading? {
    let example = "attributes: {code: {type: string}}"
    guard let section = section(node, keys: ["attributes", "unique"]),
      let attributes = required("attributes", in: section, example: example),
      let entries = entries(attributes, expected: "a mapping of attribute names, such as {code: {type: string}}")
    else { return nil }
    if entries.isEmpty {
      complain(attributes.place, found: "no attribute", expected: "at least one, such as {code: {type: string}}")
    }
    var entity = EntityReading(description: EntityDescription(name, attributes: []), place: place)
    var names = ColumnNames(what: "attribute", shared: "column")
    for entry in entries {
      check(name: entry.key, at: entry.keyPlace, against: &names)
      guard let (attribute, type) = attribute(named: entry.key, entry.value) else { continue }
      entity.description.attributes.append(attribute)
      entity.attributePlaces[entry.key] = (entry.keyPlace, type)
    }
    if let unique = section["unique"] {
      let earlierErrors = errors.count
      entity.description.uniquenessConstraints = constraints(unique, attributes: entries.map(\.key))
      entity.hasWrongConstraints = errors.count > earlierErrors
    }
    return entity
  }

  private mutating func attribute(named name: String, _ node: YAMLNode) -> (AttributeDescription, Place)? {
    guard case .mapping = node.content else {
      let isType = node.text.map { AttributeType(rawValue: $0) != nil } ?? false
      complain(
        node.place, found: node.kind, expected: "a mapping such as {type: string, optional: true}",
        suggestion: isType ? "{type: \(node.text ?? "")}" : nil)
      return nil
    }
    guard let section = section(node, keys: ["type", "optional", "default"]),
      let typeNode = required("type", in: section, example: "type: string"),
      let word = text(typeNode, expected: "a type")
    else { return nil }
    guard let type = AttributeType(rawValue: word) else {
      complain(
        typeNode.place, found: "the type \(shown(word))", word: word, words: AttributeType.allCases.map(\.rawValue))
      return nil
    }
    var attribute = AttributeDescription(name, type)
    if let node = section["optional"] { attribute.isOptional = self.word(node, among: ["true", "false"]) == "true" }
    if let node = section["default"] { attribute.defaultValue = defaultValue(node, of: type) }
    return (attribute, typeNode.place)
  }

  private mutating func defaultValue(_ node: YAMLNode, of type: AttributeType) -> AttributeValue {
    if node.isNothing { return .null }
    if let text = node.text, let value = AttributeValue(text: text, type: type) { return value }
    complain(node.place, found: node.kind, expected: "a default that is \(AttributeValue.textForm(of: type))")
    return .null
  }

  private mutating func constraints(_ node: YAMLNode, attributes: [String]) -> [[String]] {
    let expected = "a list of lists of attribute names, such as [[\(attributes.first ?? "code")]]"
    guard let items = items(node, expected: expected) else { return [] }
    var constraints: [[String]] = []
    for item in items {
      guard let names = self.items(item, expected: expected) else { continue }
      if names.isEmpty { complain(item.place, found: "an empty list", expected: "the names of attributes") }
      var constraint: [String] = []
      for name in names {
        guard let word = text(name, expected: "the name of an attribute") else { continue }
        if !attributes.contains(word) {
          complain(name.place, found: "the attribute \(shown(word))", word: word, words: attributes)
        } else if constraint.contains(word) {
          complain(name.place, found: "the attribute \(shown(word)) again", expected: "each attribute once")
        }
        constraint.append(word)
      }
      if constraints.contains(constraint) {
        complain(item.place, found: "a constraint that is there already", expected: "each constraint once")
      }
      constraints.append(constraint)
    }
    return constraints
  }

  /// Notes a name that cannot be a table's or a column's, as the model would, with its place.
  private mutating func check(name: String, at place: Place, against names: inout ColumnNames) {
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
    let isValid =
      name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    if !isValid {
      complain(
        place, found: "the \(names.what) name \(shown(name))",
        expected: "ASCII letters, digits and underscores, a letter first")
    }
    if let other = names.taken.updateValue(name, forKey: name.uppercased()) {
      complain(
        place, found: "the \(names.what) \(shown(name)), which would share a \(names.shared) with \(shown(other))",
        expected: "names that differ in more than case")
    }
  }
}

/// Names whose tables or columns are taken: SQL takes upper and lower case as one.
private struct ColumnNames {
  let what: String
  let shared: String
  var taken: [String: String] = [:]
}
