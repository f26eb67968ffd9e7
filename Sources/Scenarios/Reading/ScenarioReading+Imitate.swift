// The key `imitate`: the profile of rows, checked against the model they are of.
import ObjectGraph

/// A profile while it is read: what is known so far of the entities whose rows it tells of.
private struct ProfileReading {
  let model: ManagedObjectModel
  let entities: [StoredEntity]
  var profile = RowProfile(entities: [])
  /// Where entities and what their relationships lead to were written.
  var places: [String: Place] = [:]
  var destinationPlaces: [(relationship: RowProfile.Relationship, place: Place)] = []
  /// Relationships that were told of, by the entity that declares them.
  var told: Set<[String]> = []

  init(_ model: ManagedObjectModel) {
    self.model = model
    entities = model.storedEntities
  }

  func rows(of entity: String) -> Int { profile.entities.first { $0.name == entity }?.rows ?? 0 }
}

extension ScenarioReading {
  /// Reads what rows are made after.
  mutating func imitation(_ node: YAMLNode, of model: ManagedObjectModel) -> Imitation? {
    guard let section = section(node, keys: Imitation.settings + ["entities"]),
      let list = required("entities", in: section, example: "entities: {Quake: {rows: 1_000}}"),
      let entries = entries(list, expected: "a mapping of entity names, such as {Quake: {rows: 1_000}}")
    else { return nil }
    var reading = ProfileReading(model)
    for entry in entries { readProfile(entry, into: &reading) }
    var imitation = Imitation(of: reading.profile)
    if let node = section["seed"], let seed = wholeNumber(node, in: UInt64.min...UInt64.max) { imitation.seed = seed }
    if let node = section["scale"], let scale = wholeNumber(node, in: 1...mostRows, of: " of times") {
      imitation.scale = scale
    }
    let (rows, isTooMany) = reading.profile.rows.multipliedReportingOverflow(by: imitation.scale)
    if isTooMany || !(1...mostRows).contains(rows) {
      complain(
        section["scale"]?.place ?? list.place, found: isTooMany ? "more than \(mostRows) rows" : "\(rows) rows in all",
        expected: "from 1 to \(mostRows)")
    }
    checkDestinations(reading)
    return imitation
  }

  private mutating func readProfile(_ entry: YAMLNode.Entry, into reading: inout ProfileReading) {
    guard let stored = reading.entities.first(where: { $0.name == entry.key }) else {
      return complain(
        entry.keyPlace, found: "the entity \(shown(entry.key)), which has no rows of its own", word: entry.key,
        words: reading.entities.map(\.name))
    }
    guard let section = section(entry.value, keys: ["rows", "attributes", "relationships"]),
      let rows = required("rows", in: section, example: "rows: 1_000").flatMap({
        wholeNumber($0, in: 0...mostRows, of: " of rows")
      })
    else { return }
    var entity = RowProfile.Entity(name: stored.name, rows: rows)
    let mistakes = errors.count
    if let node = section["attributes"] {
      for entry in entries(node, expected: "a mapping of attribute names") ?? [] {
        if let attribute = attributeProfile(entry, of: stored, rows: rows) { entity.attributes.append(attribute) }
      }
    }
    // One with a mistake is not there, and not missing either.
    if rows > 0, errors.count == mistakes {
      for attribute in stored.attributes where attribute.needsValue {
        if entity.attributes.contains(where: { $0.name == attribute.name }) { continue }
        complain(entry.keyPlace, missing: rows, of: attribute)
      }
    }
    if let node = section["relationships"] {
      for entry in entries(node, expected: "a mapping of relationship names") ?? [] {
        entity.relationships += relationshipProfiles(entry, of: entity, in: &reading)
      }
    }
    reading.places[stored.name] = entry.keyPlace
    reading.profile.entities.append(entity)
  }

  // MARK: - Attributes

  private mutating func attributeProfile(
    _ entry: YAMLNode.Entry, of entity: StoredEntity, rows: Int
  ) -> RowProfile.Attribute? {
    guard let attribute = entity.attributes.first(where: { $0.name == entry.key }) else {
      complain(
        entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key,
        words: entity.attributes.map(\.name))
      return nil
    }
    let place = entry.value.place
    guard let section = section(entry.value, keys: ["nulls", "distinct", "lengths"]),
      let lengthsNode = required("lengths", in: section, example: "lengths: {12: 300, 14: 144}"),
      let lengths = distribution(lengthsNode, of: "lengths", in: 0...1_000_000_000),
      let distinctNode = required("distinct", in: section, example: "distinct: \(lengths.count)"),
      let distinct = wholeNumber(distinctNode, in: 0...mostRows)
    else { return nil }
    var nulls = 0
    if let node = section["nulls"] {
      guard let count = wholeNumber(node, in: 0...mostRows) else { return nil }
      nulls = count
    }
    if let wrong = lengths.parts.first(where: { !ImitatedValues.allows($0.number, of: attribute.type) }) {
      let words = ImitatedValues.lengths(of: attribute.type).map(String.init).joined(separator: ", ")
      complain(
        lengthsNode.place, found: "the length \(wrong.number) of a value of type \(attribute.type.rawValue)",
        expected: words.isEmpty ? "lengths from 1" : "lengths among \(words)")
      return nil
    }
    if nulls + lengths.count != rows {
      complain(place, found: "\(nulls) nulls and \(lengths.count) values in \(rows) rows", expected: "\(rows) together")
    }
    if nulls > 0, attribute.needsValue { complain(place, missing: nulls, of: attribute) }
    let most = ImitatedValues.mostDistinct(of: attribute.type, lengths)
    if entity.uniquenessConstraints.contains([attribute.name]), distinct != lengths.count {
      complain(
        distinctNode.place, found: "\(distinct) different values of the unique attribute \(shown(attribute.name))",
        expected: "\(lengths.count), as many as there are values")
    } else if !(lengths.parts.count...max(most, lengths.parts.count)).contains(distinct) {
      complain(
        distinctNode.place, found: "\(distinct) different values of \(lengths.parts.count) lengths",
        expected: "from \(lengths.parts.count) to \(most)")
    }
    return RowProfile.Attribute(name: attribute.name, nulls: nulls, distinct: distinct, lengths: lengths)
  }

  private mutating func complain(_ place: Place, missing count: Int, of attribute: AttributeDescription) {
    complain(
      place,
      found: "\(count) rows without \(shown(attribute.name)), which "
        + (attribute.isOptional ? "has a default" : "is required"),
      expected: "a value in every row, or {optional: true} without a default in the model")
  }

  /// Numbers and how often each occurs.
  private mutating func distribution(
    _ node: YAMLNode, of what: String, in range: ClosedRange<Int>
  ) -> Distribution? {
    guard let entries = entries(node, expected: "a mapping of \(what) and how often each occurs, such as {12: 300}")
    else { return nil }
    var counts: [Int: Int] = [:]
    var total = 0
    for entry in entries {
      let key = YAMLNode(.scalar(entry.key, isQuoted: false), at: entry.keyPlace)
      guard let number = wholeNumber(key, in: range), let count = wholeNumber(entry.value, in: 1...mostRows) else {
        return nil
      }
      if counts.updateValue(count, forKey: number) != nil {
        complain(entry.keyPlace, found: "the number \(number) again", expected: "each once")
      }
      total += count
      guard total <= mostRows else {
        complain(entry.value.place, found: "more than \(mostRows) in all", expected: "at most so many")
        return nil
      }
    }
    return Distribution(counts)
  }

  // MARK: - Relationships

  private mutating func relationshipProfiles(
    _ entry: YAMLNode.Entry, of entity: RowProfile.Entity, in reading: inout ProfileReading
  ) -> [RowProfile.Relationship] {
    let known = reading.model.relationships(of: entity.name)
    guard let relationship = known.first(where: { $0.name == entry.key }) else {
      complain(
        entry.keyPlace, found: "the relationship \(shown(entry.key))", word: entry.key, words: known.map(\.name))
      return []
    }
    let inverse = relationship.inverseName.flatMap { name in
      reading.model[relationship.destinationEntityName]?.relationship(named: name)
    }
    if relationship.isInverse(of: inverse) {
      complain(
        entry.keyPlace, found: "the relationship \(shown(entry.key)), which is its own inverse",
        expected: "one that is not, or none")
      return []
    }
    if let inverse {
      reading.told.insert([inverse.destinationEntityName, relationship.name])
      if reading.told.contains([relationship.destinationEntityName, inverse.name]) {
        complain(
          entry.keyPlace,
          found: "the relationship \(shown(entry.key)), whose inverse \(shown(inverse.name)) is there already",
          expected: "one of them, since it tells of both")
      }
    }
    let destinations = reading.entities.map(\.name).filter {
      reading.model.entity($0, isKindOf: relationship.destinationEntityName)
    }
    var profiles: [RowProfile.Relationship] = []
    for entry in entries(entry.value, expected: "a mapping of entity names") ?? [] {
      guard destinations.contains(entry.key) else {
        complain(entry.keyPlace, found: "the entity \(shown(entry.key))", word: entry.key, words: destinations)
        continue
      }
      guard let section = section(entry.value, keys: ["per_row", "per_destination"]),
        let row = required("per_row", in: section, example: "per_row: {1: 300}"),
        let destination = required("per_destination", in: section, example: "per_destination: {3: 100}"),
        let perRow = distribution(row, of: "counts", in: 1...(relationship.isToMany ? mostRows : 1)),
        let perDestination = distribution(
          destination, of: "counts", in: 1...(inverse.map(\.isToMany) == false ? 1 : mostRows))
      else { continue }
      let profile = RowProfile.Relationship(
        name: relationship.name, destination: entry.key, perRow: perRow, perDestination: perDestination)
      if let problem = profile.problem(rows: entity.rows) {
        complain(entry.value.place, found: problem.found, expected: problem.expected)
      }
      reading.destinationPlaces.append((profile, entry.keyPlace))
      profiles.append(profile)
    }
    return profiles
  }

  /// Checks relationships against the rows they lead to, and that none has too few or too many.
  private mutating func checkDestinations(_ reading: ProfileReading) {
    for (relationship, place) in reading.destinationPlaces {
      let rows = reading.rows(of: relationship.destination)
      guard relationship.perDestination.count > rows else { continue }
      complain(
        place, found: "\(relationship.perDestination.count) destinations among \(rows) rows",
        expected: "rows of \(relationship.destination) for all of them")
    }
    for entity in reading.profile.entities {
      for relationship in reading.model.relationships(of: entity.name) {
        let count = reading.profile.rows(of: entity, with: relationship, in: reading.model)
        let isTooFew = !relationship.isOptional && count < entity.rows
        guard isTooFew || !relationship.isToMany && count > entity.rows else { continue }
        complain(
          reading.places[entity.name] ?? .wholeFile,
          found: "\(count) of \(entity.rows) rows with \(shown(relationship.name)), which is "
            + (isTooFew ? "required" : "to-one"),
          expected: isTooFew ? "every row, or optional: true in the model" : "each row once")
      }
    }
  }
}

extension RowProfile.Relationship {
  /// What cannot be true of pairs of which no two are the same.
  fileprivate func problem(rows: Int) -> (found: String, expected: String)? {
    // Sums of numbers this large cannot overflow: there are at most 10⁸ of at most 10⁸.
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

extension AttributeDescription {
  /// Whether a row without a value is none that is saved as it is.
  fileprivate var needsValue: Bool { !isOptional || !defaultValue.isNull }
}
