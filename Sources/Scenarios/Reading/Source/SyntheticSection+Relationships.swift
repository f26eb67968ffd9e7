// The key `relationships` of a synthetic entity: how many rows have how many destinations, and whether that is
// possible.
import BatchmarkEngine
internal import CoreDataModel
import ObjectGraph

extension SyntheticSection {
  /// Reads the destinations of an entity's rows into its profile.
  func readRelationship(
    _ entry: YAMLNode.Entry, into entity: inout DataProfile.Entity, in reading: inout ProfileReading
  ) {
    let known = reading.model.relationships(of: entity.name)
    guard let relationship = known.first(where: { $0.name == entry.key }) else {
      return diagnose(
        entry.keyPlace, found: "the relationship \(shown(entry.key))", word: entry.key, words: known.map(\.name))
    }
    let inverse = relationship.inverseName.flatMap { name in
      reading.model[relationship.destinationEntityName]?.relationship(named: name)
    }
    if relationship.isInverse(of: inverse) {
      return diagnose(
        entry.keyPlace, found: "the relationship \(shown(entry.key)), which is its own inverse",
        expected: "one that is not, or none")
    }
    if let inverse {
      reading.described.insert([inverse.destinationEntityName, relationship.name])
      if reading.described.contains([relationship.destinationEntityName, inverse.name]) {
        diagnose(
          entry.keyPlace,
          found: "the relationship \(shown(entry.key)), whose inverse \(shown(inverse.name)) is given too",
          expected: "one of them, since it describes both")
      }
    }
    let destinations = reading.entities.map(\.name).filter {
      reading.model.entity($0, isKindOf: relationship.destinationEntityName)
    }
    let example = destinations.first ?? relationship.destinationEntityName
    let expected = "a mapping of the entities it leads to, such as {\(example): {}}"
    for entry in entries(entry.value, expected: expected) ?? [] {
      guard destinations.contains(entry.key) else {
        diagnose(entry.keyPlace, found: "the entity \(shown(entry.key))", word: entry.key, words: destinations)
        continue
      }
      guard let section = section(entry.value, .syntheticRelationship) else { continue }
      guard section["per_row"] != nil || section["per_destination"] != nil else {
        LinkRecipeSection(diagnostics: diagnostics, relationship: relationship, inverse: inverse)
          .read(section, to: entry, into: &entity, in: &reading)
        continue
      }
      let others = section.values.keys.filter { !$0.hasPrefix("per_") }.sorted()
      if let other = others.first {
        diagnose(
          section[other]?.place ?? section.place, found: "the key '\(other)' beside counts of pairs",
          expected: "neither per_row nor per_destination, or no such key")
        continue
      }
      guard let row = required("per_row", in: section, example: "per_row: {1: 300}"),
        let destination = required("per_destination", in: section, example: "per_destination: {3: 100}"),
        let perRow = distribution(row, of: "counts", in: 1...(relationship.isToMany ? mostRows : 1)),
        let perDestination = distribution(
          destination, of: "counts", in: 1...(inverse.map(\.isToMany) == false ? 1 : mostRows))
      else { continue }
      let profile = DataProfile.Relationship(
        name: relationship.name, destination: entry.key, perRow: perRow, perDestination: perDestination)
      if let problem = profile.problem(rows: entity.rows) {
        diagnose(entry.value.place, found: problem.found, expected: problem.expected)
      }
      reading.destinationPlaces.append((profile, entry.keyPlace))
      entity.relationships.append(profile)
    }
  }

  /// Checks that relationships match the number of their destination rows, and that no row has too few or too many.
  func checkDestinations(_ reading: ProfileReading) {
    for (relationship, place) in reading.destinationPlaces {
      let rows = reading.rows(of: relationship.destination)
      guard relationship.perDestination.count > rows else { continue }
      diagnose(
        place, found: "\(relationship.perDestination.count) destinations among \(rows) rows",
        expected: "rows of \(relationship.destination) for all of them")
    }
    for (link, entity, place) in reading.linkPlaces {
      LinkRecipeSection.check(link, of: entity, at: place, in: reading, diagnostics: diagnostics)
    }
    for entity in reading.profile.entities {
      for relationship in reading.model.relationships(of: entity.name) {
        let count = reading.profile.rows(of: entity, with: relationship, in: reading.model)
        let isTooFew = !relationship.isOptional && count < entity.rows
        guard isTooFew || !relationship.isToMany && count > entity.rows else { continue }
        diagnose(
          reading.places[entity.name] ?? .wholeFile,
          found: "\(count) of \(entity.rows) rows with \(shown(relationship.name)), which is "
            + (isTooFew ? "required" : "to-one"),
          expected: isTooFew
            ? "every row, such as relationships: {\(relationship.name): {\(relationship.destinationEntityName): {}}}, "
              + "or optional: true in the model" : "each row once")
      }
    }
  }
}

extension DataProfile.Relationship {
  /// Why there cannot be that many different pairs.
  fileprivate func problem(rows: Int) -> (found: String, expected: String)? {
    // These sums cannot overflow: they have at most 10⁸ numbers of at most 10⁸.
    if perRow.sum != perDestination.sum || perRow.sum > mostRows {
      return (
        "\(perRow.sum) pairs by row and \(perDestination.sum) by destination", "the same number, at most \(mostRows)"
      )
    }
    if perRow.count > rows { return ("\(perRow.count) rows that lead somewhere, of \(rows)", "no more than there are") }
    if perRow.greatest > perDestination.count || perDestination.greatest > perRow.count {
      return (
        "up to \(perRow.greatest) of \(perDestination.count) destinations for a row, and up to "
          + "\(perDestination.greatest) of \(perRow.count) rows for a destination", "no more than there are"
      )
    }
    return nil
  }
}
