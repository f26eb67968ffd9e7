// The names that parts of a model have for each other: parents, destinations, inverses, constraints and indexes.
import CoreDataModel

/// Reads what entities say of each other, once all of them are known.
struct ModelNames: NodeReading {
  let complaints: Complaints

  /// Reads what names other entities and their properties: parents, destinations, inverses, constraints and indexes.
  func resolve(in entities: inout [EntityReading], entityNames: [String]) {
    for index in entities.indices {
      if let node = entities[index].parent {
        entities[index].description.superentityName = name(node, of: "entity", among: entityNames)
      }
    }
    for index in entities.indices {
      for relationship in entities[index].relationships.indices {
        resolve(relationship, of: index, in: &entities, entityNames: entityNames)
      }
      entities[index].description.relationships = entities[index].relationships.map(\.description)
      let lineage = lineage(of: entities[index].description.name, in: entities)
      let attributes = lineage.flatMap(\.attributeNames)
      if let node = entities[index].unique {
        let earlierErrors = complaints.count
        entities[index].description.uniquenessConstraints = constraints(node, attributes: attributes)
        entities[index].hasWrongConstraints = complaints.count > earlierErrors
      }
      if let node = entities[index].indexes {
        readIndexes(node, into: &entities[index], properties: attributes + lineage.flatMap(\.relationshipNames))
      }
    }
  }

  private func resolve(
    _ relationship: Int, of index: Int, in entities: inout [EntityReading], entityNames: [String]
  ) {
    let reading = entities[index].relationships[relationship]
    guard let destination = name(reading.destination, of: "entity", among: entityNames) else { return }
    entities[index].relationships[relationship].description.destinationEntityName = destination
    // An entity with mistakes of its own is not there to have relationships.
    guard let node = reading.inverse, entities.contains(where: { $0.description.name == destination }) else { return }
    let names = lineage(of: destination, in: entities).flatMap(\.relationshipNames)
    if names.isEmpty {
      complain(
        node.place, found: "an inverse in \(shown(destination)), which has no relationship",
        expected: "relationships: in \(destination) with one that leads back, or inverse: null")
    } else {
      entities[index].relationships[relationship].description.inverseName = name(
        node, of: "relationship", among: names)
    }
  }

  /// The entity and those it inherits from, as far as they are known; O(entities).
  private func lineage(of name: String, in entities: [EntityReading]) -> [EntityReading] {
    let places = Dictionary(entities.indices.map { (entities[$0].description.name, $0) }) { first, _ in first }
    var lineage: [EntityReading] = []
    var known: Set<String> = []
    var next: String? = name
    while let name = next, let place = places[name], known.insert(name).inserted {
      lineage.append(entities[place])
      next = entities[place].description.superentityName
    }
    return lineage
  }

  /// A name among those there are.
  private func name(_ node: YAMLNode, of what: String, among names: [String]) -> String? {
    guard let word = text(node, expected: "the name of \(what == "entity" ? "an" : "a") \(what)") else { return nil }
    if names.contains(word) { return word }
    complain(node.place, found: "the \(what) \(shown(word))", word: word, words: names)
    return nil
  }

  // MARK: - Constraints and indexes

  private func constraints(_ node: YAMLNode, attributes: [String]) -> [[String]] {
    let expected = "a list of lists of attribute names, such as [[\(attributes.first ?? "code")]]"
    guard let items = items(node, expected: expected) else { return [] }
    var constraints: [[String]] = []
    for item in items {
      guard let constraint = names(item, of: "attribute", among: attributes, expected: expected) else { continue }
      if constraints.contains(constraint) {
        complain(item.place, found: "a constraint that is there already", expected: "each constraint once")
      }
      constraints.append(constraint)
    }
    return constraints
  }

  private func readIndexes(_ node: YAMLNode, into entity: inout EntityReading, properties: [String]) {
    let example = "{by_\(properties.first ?? "code"): [\(properties.first ?? "code")]}"
    guard let entries = entries(node, expected: "a mapping of index names, such as \(example)") else { return }
    for entry in entries {
      check(name: entry.key, of: "index", at: entry.keyPlace)
      entity.indexPlaces[entry.key] = entry.keyPlace
      let expected = "a list of property names, such as [\(properties.first ?? "code")]"
      if let names = names(entry.value, of: "property", among: properties, expected: expected) {
        entity.description.fetchIndexes.append(FetchIndexDescription(entry.key, on: names))
      }
    }
  }

  /// A list of names, each there once.
  private func names(
    _ node: YAMLNode, of what: String, among words: [String], expected: String
  ) -> [String]? {
    guard let items = items(node, expected: expected) else { return nil }
    let plural = what == "property" ? "properties" : what + "s"
    if items.isEmpty { complain(node.place, found: "an empty list", expected: "the names of \(plural)") }
    var names: [String] = []
    for item in items {
      guard let word = text(item, expected: "the name of \(what == "attribute" ? "an" : "a") \(what)") else { continue }
      if !words.contains(word) {
        complain(item.place, found: "the \(what) \(shown(word))", word: word, words: words)
      } else if names.contains(word) {
        complain(item.place, found: "the \(what) \(shown(word)) again", expected: "each \(what) once")
      }
      names.append(word)
    }
    return names
  }
}
