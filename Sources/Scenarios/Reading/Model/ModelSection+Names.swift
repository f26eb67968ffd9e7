// References between parts of a model: parents, destinations, inverses, constraints and indexes.
import CoreDataModel

extension ModelSection {
  /// Resolves references to other entities and their properties: parents, destinations, inverses, constraints and
  /// indexes.
  func resolveNames(in entities: inout [EntityReading], entityNames: [String]) {
    let entityNames = Words(entityNames)
    for index in entities.indices {
      if let node = entities[index].parent {
        entities[index].description.superentityName = name(node, of: "entity", among: entityNames)
      }
    }
    // Entities that have been made already, and those with mistakes, have no index.
    let places = Dictionary(entities.indices.map { (entities[$0].description.name, $0) }) { first, _ in first }
    var inverses: [String: Words] = [:]
    for index in entities.indices {
      for relationship in entities[index].relationships.indices {
        let reading = entities[index].relationships[relationship]
        guard let destination = name(reading.destination, of: "entity", among: entityNames) else { continue }
        entities[index].relationships[relationship].description.destinationEntityName = destination
        guard let node = reading.inverse, places[destination] != nil else { continue }
        let names =
          inverses[destination]
          ?? Words(lineage(of: destination, in: entities, places).flatMap(\.relationshipNames))
        inverses[destination] = names
        entities[index].relationships[relationship].description.inverseName =
          inverse(node, in: destination, among: names)
      }
      entities[index].description.relationships = entities[index].relationships.map(\.description)
      guard entities[index].unique != nil || entities[index].indexes != nil else { continue }
      let lineage = lineage(of: entities[index].description.name, in: entities, places)
      let attributes = lineage.flatMap(\.attributeNames)
      if let node = entities[index].unique {
        let earlierErrors = diagnostics.count
        entities[index].description.uniquenessConstraints = constraints(node, attributes: Words(attributes))
        entities[index].hasWrongConstraints = diagnostics.count > earlierErrors
      }
      if let node = entities[index].indexes {
        let properties = Words(attributes + lineage.flatMap(\.relationshipNames))
        readIndexes(node, into: &entities[index], properties: properties)
      }
    }
  }

  private func inverse(_ node: YAMLNode, in destination: String, among names: Words) -> String? {
    guard names.list.isEmpty else { return name(node, of: "relationship", among: names) }
    diagnose(
      node.place, found: "an inverse in \(shown(destination)), which has no relationship",
      expected: "relationships: in \(destination) with one that leads back, or inverse: null")
    return nil
  }

  /// The entity and its known ancestors, at most as many as a model may have.
  private func lineage(of name: String, in entities: [EntityReading], _ places: [String: Int]) -> [EntityReading] {
    var lineage: [EntityReading] = []
    var known: Set<String> = []
    var next: String? = name
    while let name = next, let place = places[name], known.insert(name).inserted,
      lineage.count <= EntityHierarchy.mostLevels
    {
      lineage.append(entities[place])
      next = entities[place].description.superentityName
    }
    return lineage
  }

  /// Words for a lookup.
  private struct Words {
    let list: [String]
    let known: Set<String>

    init(_ list: [String]) {
      self.list = list
      known = Set(list)
    }
  }

  /// A name, if it is one of the given names.
  private func name(_ node: YAMLNode, of what: String, among names: Words) -> String? {
    guard let word = text(node, expected: "the name of \(what == "entity" ? "an" : "a") \(what)") else { return nil }
    if names.known.contains(word) { return word }
    diagnose(node.place, found: "the \(what) \(shown(word))", word: word, words: names.list)
    return nil
  }

  // MARK: - Constraints and indexes

  private func constraints(_ node: YAMLNode, attributes: Words) -> [[String]] {
    let expected = "a list of lists of attribute names, such as [[\(attributes.list.first ?? "code")]]"
    guard let items = items(node, expected: expected) else { return [] }
    var constraints: [[String]] = []
    var known: Set<[String]> = []
    for item in items {
      guard let constraint = names(item, of: "attribute", among: attributes, expected: expected) else { continue }
      if !known.insert(constraint).inserted {
        diagnose(item.place, found: "a constraint again", expected: "each constraint once")
      }
      constraints.append(constraint)
    }
    return constraints
  }

  private func readIndexes(_ node: YAMLNode, into entity: inout EntityReading, properties: Words) {
    let first = properties.list.first ?? "code"
    let example = "{by_\(first): [\(first)]}"
    guard let entries = entries(node, expected: "a mapping of index names, such as \(example)") else { return }
    for entry in entries {
      check(name: entry.key, of: "index", at: entry.keyPlace)
      entity.indexPlaces[entry.key] = entry.keyPlace
      let expected = "a list of property names, such as [\(first)]"
      if let names = names(entry.value, of: "property", among: properties, expected: expected) {
        entity.description.fetchIndexes.append(FetchIndexDescription(entry.key, on: names))
      }
    }
  }

  /// A list of names without duplicates.
  private func names(
    _ node: YAMLNode, of what: String, among words: Words, expected: String
  ) -> [String]? {
    guard let items = items(node, expected: expected) else { return nil }
    let plural = what == "property" ? "properties" : what + "s"
    if items.isEmpty { diagnose(node.place, found: "an empty list", expected: "the names of \(plural)") }
    var names: [String] = []
    var earlier: Set<String> = []
    for item in items {
      guard let word = text(item, expected: "the name of \(what == "attribute" ? "an" : "a") \(what)") else { continue }
      if !words.known.contains(word) {
        diagnose(item.place, found: "the \(what) \(shown(word))", word: word, words: words.list)
      } else if !earlier.insert(word).inserted {
        diagnose(item.place, found: "the \(what) \(shown(word)) again", expected: "each \(what) once")
      }
      names.append(word)
    }
    return names
  }
}
