// The key `link`: which relationships the rows get, and whether every engine can store them.
import BatchmarkEngine
import CoreDataModel

extension ScenarioVariant {
  /// Reads the links of the rows; `entity` is the entity of the source's rows.
  func readLinks(_ node: YAMLNode, of entity: EntityReading, among entities: [EntityReading]) -> [Link] {
    let expected = "a mapping of relationships and the attributes that say where they lead, such as {network: net}"
    guard let entries = entries(node, expected: expected) else { return [] }
    if entries.isEmpty { diagnose(node.place, found: "no relationship", expected: expected) }
    var links: [Link] = []
    for entry in entries {
      let attribute = nameAttribute(entry.value, of: entity)
      guard let relationship = linkable(entry, of: entity) else { continue }
      let name = relationship.destinationEntityName
      // If the destination has mistakes, they have been reported already.
      guard let destination = entities.first(where: { $0.description.name == name }),
        let key = checkDestination(destination, of: relationship, at: entry.keyPlace, from: entity, among: entities),
        let attribute
      else { continue }
      if let other = links.first(where: { $0.destinationEntityName == name }) {
        diagnose(
          entry.keyPlace,
          found:
            "the relationship \(shown(relationship.name)), which leads to \(name) as \(shown(other.relationship)) does",
          expected: "another entity for each link")
      } else {
        links.append(Link(relationship.name, by: attribute, to: name, named: key))
      }
    }
    return links
  }

  /// The attribute with the name of a relationship's destination.
  private func nameAttribute(_ node: YAMLNode, of entity: EntityReading) -> String? {
    guard let word = text(node, expected: "the name of an attribute") else { return nil }
    guard let attribute = entity.description.attribute(named: word) else {
      // If the attribute has a mistake, it has been reported already.
      if !entity.attributeNames.contains(word) {
        diagnose(
          node.place, found: "the attribute \(shown(word))", word: word,
          words: entity.description.attributes.map(\.name))
      }
      return nil
    }
    guard attribute.type == .string else {
      diagnose(
        node.place, found: "the attribute \(shown(word)), which is of type \(attribute.type.rawValue)",
        expected: "an attribute of type string, whose values name objects")
      return nil
    }
    return word
  }

  /// The relationship, if a row can be linked without changing the link of another row.
  private func linkable(_ entry: YAMLNode.Entry, of entity: EntityReading) -> RelationshipDescription? {
    let name = entity.description.name
    guard let relationship = entity.description.relationship(named: entry.key) else {
      if entity.relationshipNames.isEmpty {
        diagnose(
          entry.keyPlace, found: "the relationship \(shown(entry.key)), while \(name) has none",
          expected: "relationships: in \(name), such as {\(entry.key): {to: Network, inverse: null}}")
      } else if !entity.relationshipNames.contains(entry.key) {
        diagnose(
          entry.keyPlace, found: "the relationship \(shown(entry.key))", word: entry.key,
          words: entity.relationshipNames)
      }
      return nil
    }
    if relationship.isToMany {
      diagnose(
        entry.keyPlace, found: "the relationship \(shown(entry.key)), which is to-many",
        expected: "a to-one relationship of \(name)")
      return nil
    }
    return relationship
  }

  /// Reports anything that would keep engines from making the same destination rows, and returns the attribute that
  /// names them.
  private func checkDestination(
    _ destination: EntityReading, of relationship: RelationshipDescription, at place: SourceLocation,
    from entity: EntityReading,
    among entities: [EntityReading]
  ) -> String? {
    let description = destination.description
    let name = shown(description.name)
    func refuse(_ found: String, _ expected: String) -> String? {
      diagnose(place, found: "the relationship \(shown(relationship.name)) to \(name), " + found, expected: expected)
      return nil
    }
    if description.name == entity.description.name {
      return refuse("whose rows the source gives", "a relationship to another entity, which has a row for each name")
    }
    let hasChildren = entities.contains { $0.description.superentityName == description.name }
    if description.isAbstract || description.superentityName != nil || hasChildren {
      return refuse("which is part of an inheritance", "an entity without parent and children that is not abstract")
    }
    let inverse = relationship.inverseName.flatMap { description.relationship(named: $0) }
    if let inverse, !inverse.isToMany || inverse.isOrdered {
      return refuse(
        "whose \(shown(inverse.name)) is \(inverse.isToMany ? "ordered" : "to-one")",
        "an inverse that is to-many and without order, or inverse: null")
    }
    if let required = description.relationships.first(where: { !$0.isOptional }) {
      return refuse(
        "whose relationship \(shown(required.name)) is required",
        "optional: true, since rows are stored before they are linked")
    }
    // If its attributes or constraints have mistakes, they have been reported already.
    if destination.hasWrongConstraints || destination.attributeNames.count != description.attributes.count {
      return nil
    }
    guard description.attributes.count == 1, let key = description.attributes.first, key.type == .string,
      !key.isTransient, description.uniquenessConstraints == [[key.name]]
    else {
      return refuse(
        "which a name alone does not make a row of",
        "an entity of one attribute, a string that is unique: attributes: {code: {type: string}} and unique: [[code]]")
    }
    return key.name
  }

  /// Reports keys that conflict with linked rows, and parameters of relationships if there are none.
  func checkLinking(
    _ section: Section, source: SourceReading, repeats: Int, operation: Operation.Kind,
    cells: [PlacedCell]
  ) {
    guard let place = section["link"]?.place, operation == .insert else {
      // The rows of a store have their own relationships.
      if source.description.isGraph, source.entity == nil { return }
      for placed in cells {
        if placed.cell.parameters[ParameterKey.linkEvery.name] != nil {
          diagnose(
            placed.place, found: "the key '\(ParameterKey.linkEvery.name)' without the key 'link'",
            expected: "link: and what the rows are linked to, such as {network: net}, or no such key")
        }
        if placed.cell.parameters[ParameterKey.relationships.name] != nil {
          diagnose(
            placed.place, found: "the key '\(ParameterKey.relationships.name)' with rows of one entity",
            expected: "synthetic rows or those of a store, without an 'entity' in the source, or no such key")
        }
      }
      return
    }
    if source.duplicates > 0 {
      diagnose(
        source.duplicatesPlace ?? source.place,
        found: "duplicates of \(percentText(source.duplicates)) with the key 'link'",
        expected: "duplicates: 0%, so that every row is linked once")
    }
    if repeats > 1 {
      diagnose(
        section["repeat"]?.place ?? place, found: "a repeat of \(repeats) with the key 'link'",
        expected: "repeat: 1, so that every row is linked once")
    }
    for placed in cells { check(placed.cell, at: placed.place) }
  }

  /// Reports a cell that cannot link its rows.
  private func check(_ cell: Cell, at place: SourceLocation) {
    if cell[.merge] != .none {
      diagnose(
        place, found: "merge: \(cell[.merge].rawValue) of the cell \(cell.id) with the key 'link'",
        expected: "merge: none, since an observer is notified of the source's rows alone")
    }
    if cell.parameters[ParameterKey.relationships.name] != nil {
      diagnose(
        place, found: "the key '\(ParameterKey.relationships.name)' with the key 'link'",
        expected: "no such key, since the scenario links its rows")
    }
    guard schema.strategy(of: cell)?.relationships == RelationshipStorage.none else { return }
    let strategies = schema.engine(named: cell.engine)?.strategies(for: cell.operation) ?? []
    let others = strategies.filter { $0.relationships != .none }.map(\.name)
    let linking = schema.engines.first { $0.strategies.contains { $0.relationships != .none } }
    diagnose(
      place,
      found:
        "the strategy \(shown(cell.strategy)) of the engine \(cell.engine) with the key 'link', which it does not know",
      expected: others.isEmpty
        ? "an engine that links rows" + (linking.map { ", such as \($0.name)" } ?? "")
        : "one of " + others.joined(separator: ", "))
  }
}
