// One entity of a model, with its attributes and relationships. `ModelSection+Names.swift` reads the references to
// other entities.
import CoreDataModel

extension ModelSection {
  /// Reads an entity; `nil` if it has no mapping of attributes.
  func readEntity(_ node: YAMLNode, named name: String, at place: SourceLocation) -> EntityReading? {
    guard let section = section(node, .entity) else { return nil }
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

  /// Reads the attributes; false if there is no mapping of them.
  private func read(_ node: YAMLNode, into entity: inout EntityReading, mayBeEmpty: Bool) -> Bool {
    guard let entries = entries(node, expected: "a mapping of attribute names, such as {code: {type: string}}") else {
      return false
    }
    if entries.isEmpty, !mayBeEmpty {
      diagnose(node.place, found: "no attribute", expected: "at least one, such as {code: {type: string}}")
    }
    for entry in entries {
      check(name: entry.key, of: "attribute", at: entry.keyPlace)
      entity.attributeNames.append(entry.key)
      guard let (attribute, type) = readAttribute(entry.value, named: entry.key)
      else {
        continue
      }
      entity.description.attributes.append(attribute)
      entity.attributePlaces[entry.key] = (entry.keyPlace, type)
    }
    return true
  }

  /// Reads relationships.
  ///
  /// Their destinations are resolved when all entities are known.
  private func readRelationships(_ node: YAMLNode, into entity: inout EntityReading) {
    let expected = "a mapping of relationship names, such as {pages: {to: Page, inverse: book, many: true}}"
    for entry in entries(node, expected: expected) ?? [] {
      check(name: entry.key, of: "relationship", at: entry.keyPlace)
      entity.relationshipNames.append(entry.key)
      if let relationship = readRelationship(entry.value, named: entry.key, at: entry.keyPlace) {
        entity.relationships.append(relationship)
      }
    }
  }

  /// Reads the relationship.
  ///
  /// Its destination is resolved when all entities are known.
  private func readRelationship(_ node: YAMLNode, named name: String, at place: SourceLocation) -> RelationshipReading?
  {
    guard let section = section(node, .relationship) else { return nil }
    let destination = required("to", in: section, example: "to: Page")
    let inverse = required("inverse", in: section, example: "inverse: book, or inverse: null for none")
    guard let destination, let inverse else { return nil }
    var relationship = RelationshipDescription(
      name, to: "", inverse: nil, isToMany: section["many"].map { isTrue($0) } ?? false)
    relationship.isOrdered = section["ordered"].map { isTrue($0) } ?? false
    if let node = section["optional"] { relationship.isOptional = isTrue(node) }
    if let node = section["min"], let count = count(node, of: .lengths) { relationship.minimumCount = count }
    if let node = section["max"], let count = count(node, of: .lengths) { relationship.maximumCount = count }
    if let rule = section["delete"].flatMap({ choice($0, of: DeleteRule.self) }) { relationship.deleteRule = rule }
    return RelationshipReading(
      description: relationship, place: place, destination: destination,
      inverse: inverse.text == "" || !inverse.isNothing ? inverse : nil)
  }
}
