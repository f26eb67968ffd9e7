// The `model` and `entity` keys: entities with their inheritance, and which of them the source's rows go into.
import ObjectGraph

/// An entity and where its parts were written.
struct EntityReading {
  var description: EntityDescription
  var place: Place
  /// Whether a mistake was found in its uniqueness constraints.
  var hasWrongConstraints = false
  /// All attribute names, also those of attributes with mistakes.
  var attributeNames: [String] = []
  /// By attribute name: the places of its name and of its type.
  var attributePlaces: [String: (name: Place, type: Place)] = [:]
  /// All relationship names, also those of relationships with mistakes.
  var relationshipNames: [String] = []
  var relationships: [RelationshipReading] = []
  /// What names other entities and their properties, which is read when all of them are known.
  var parent: YAMLNode?
  var unique: YAMLNode?
  var indexes: YAMLNode?
  var indexPlaces: [String: Place] = [:]

  /// Where a part of the entity was written.
  func place(of part: ModelProblem.Part?) -> Place {
    switch part {
    case .attribute(let name): attributePlaces[name]?.name ?? place
    case .relationship(let name): relationships.first { $0.description.name == name }?.place ?? place
    case .uniquenessConstraint: unique?.place ?? place
    case .fetchIndex(let name): indexPlaces[name] ?? place
    case nil: place
    }
  }
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
    var names: [String: String] = [:]
    var entities = entries.compactMap { entry in
      check(name: entry.key, of: "entity", at: entry.keyPlace)
      if let other = names.updateValue(entry.key, forKey: entry.key.uppercased()) {
        complain(clashOf: entry.key, with: other, at: entry.keyPlace, what: "entity", shared: "table")
      }
      return entity(named: entry.key, entry.value, at: entry.keyPlace)
    }
    resolveNames(in: &entities, entityNames: entries.map(\.key))
    return entities
  }

  /// Makes the model.
  ///
  /// Most mistakes are noted at their own places before; this catches what only the model knows.
  mutating func model(of entities: [EntityReading], at place: Place) -> ManagedObjectModel? {
    do {
      return try ManagedObjectModel(entities: entities.map(\.description))
    } catch {
      for problem in error.problems {
        let entity = entities.first { $0.description.name == problem.entityName }
        complain(entity?.place(of: problem.part) ?? place, found: problem.found, expected: problem.expected)
      }
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

  /// Checks that every engine can insert into the entity: each writes a table of its own rows, column by column.
  mutating func checkIngestion(into entity: EntityReading, at place: Place) {
    let name = shown(entity.description.name)
    if entity.description.isAbstract {
      complain(place, found: "the abstract entity \(name)", expected: "an entity that has rows of its own")
    }
    if let parent = entity.description.superentityName {
      complain(
        place, found: "the entity \(name), whose parent is \(shown(parent))",
        expected: "an entity without parent, whose table every engine knows")
    }
    var names: [String: String] = [:]
    for attribute in entity.description.attributes {
      let place = entity.place(of: .attribute(attribute.name))
      if attribute.isTransient {
        complain(
          place, found: "the transient attribute \(shown(attribute.name)) in the entity that the source fills",
          expected: "attributes that are stored")
      }
      if let other = names.updateValue(attribute.name, forKey: attribute.name.uppercased()) {
        complain(clashOf: attribute.name, with: other, at: place, what: "attribute", shared: "column")
      }
    }
    for relationship in entity.relationships where !relationship.description.isOptional {
      complain(
        relationship.place,
        found: "the required relationship \(shown(relationship.description.name)) in the entity that the source fills",
        expected: "optional: true, because a source has no objects for it")
    }
  }

  private mutating func entity(named name: String, _ node: YAMLNode, at place: Place) -> EntityReading? {
    let keys = ["attributes", "relationships", "unique", "indexes", "parent", "abstract"]
    guard let section = section(node, keys: keys) else { return nil }
    var entity = EntityReading(description: EntityDescription(name), place: place)
    entity.description.isAbstract = section["abstract"].map { isTrue($0) } ?? false
    entity.parent = section["parent"]
    entity.unique = section["unique"]
    entity.indexes = section["indexes"]
    let mayBeBare = ["parent", "relationships"].contains { section[$0] != nil } || entity.description.isAbstract
    if section["attributes"] != nil || !mayBeBare {
      guard
        let attributes = required("attributes", in: section, example: "attributes: {code: {type: string}}"),
        read(attributes, into: &entity, mayBeEmpty: mayBeBare)
      else { return nil }
    }
    if let relationships = section["relationships"] { readRelationships(relationships, into: &entity) }
    return entity
  }

  /// Reads the attributes; false when there is no mapping of them.
  private mutating func read(_ node: YAMLNode, into entity: inout EntityReading, mayBeEmpty: Bool) -> Bool {
    guard let entries = entries(node, expected: "a mapping of attribute names, such as {code: {type: string}}") else {
      return false
    }
    if entries.isEmpty, !mayBeEmpty {
      complain(node.place, found: "no attribute", expected: "at least one, such as {code: {type: string}}")
    }
    for entry in entries {
      check(name: entry.key, of: "attribute", at: entry.keyPlace)
      entity.attributeNames.append(entry.key)
      guard let (attribute, type) = attribute(named: entry.key, entry.value) else { continue }
      entity.description.attributes.append(attribute)
      entity.attributePlaces[entry.key] = (entry.keyPlace, type)
    }
    return true
  }

  /// Notes a name that cannot be a table's or a column's, as the model would, with its place.
  mutating func check(name: String, of what: String, at place: Place) {
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
    let isValid =
      name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    if !isValid {
      complain(
        place, found: "the \(what) name \(shown(name))",
        expected: "ASCII letters, digits and underscores, a letter first")
    }
  }

  private mutating func complain(
    clashOf name: String, with other: String, at place: Place, what: String, shared: String
  ) {
    complain(
      place, found: "the \(what) \(shown(name)), which would share a \(shared) with \(shown(other))",
      expected: "names that differ in more than case")
  }
}
