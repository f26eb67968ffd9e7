// The key `synthetic`: the profile of rows, checked against the model they are of.
import BatchmarkEngine
import CoreDataModel

/// A profile while it is read: what is known so far about its entities.
struct ProfileReading {
  let model: ManagedObjectModel
  let entities: [StoredEntity]
  var profile = DataProfile(entities: [])
  /// Where entities and the destinations of their relationships were written.
  var places: [String: SourceLocation] = [:]
  var destinationPlaces: [(relationship: DataProfile.Relationship, place: SourceLocation)] = []
  var linkPlaces: [(link: LinkRecipe, entity: String, place: SourceLocation)] = []
  /// Relationships that were reported, by the entity that declares them.
  var told: Set<[String]> = []

  init(_ model: ManagedObjectModel) {
    self.model = model
    entities = model.storedEntities
  }

  func rows(of entity: String) -> Int { profile.entities.first { $0.name == entity }?.rows ?? 0 }
}

/// Reads what rows are made after.
struct SyntheticSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the profile of rows of the model.
  func read(_ node: YAMLNode, of model: ManagedObjectModel) -> SyntheticSource? {
    guard let section = section(node, .synthetic),
      let list = required("entities", in: section, example: "entities: {Quake: {rows: 1_000}}"),
      let entries = entries(list, expected: "a mapping of entity names, such as {Quake: {rows: 1_000}}")
    else { return nil }
    var reading = ProfileReading(model)
    for entry in entries { readProfile(entry, into: &reading) }
    var synthetic = SyntheticSource(of: reading.profile)
    if let node = section["seed"], let seed = seed(node) { synthetic.seed = seed }
    if let node = section["scale"], let scale = count(node, of: .scale) { synthetic.scale = scale }
    let (rows, isTooMany) = reading.profile.rows.multipliedReportingOverflow(by: synthetic.scale)
    if isTooMany || !(1...mostRows).contains(rows) {
      diagnose(
        section["scale"]?.place ?? list.place, found: isTooMany ? "more than \(mostRows) rows" : "\(rows) rows in all",
        expected: "from 1 to \(mostRows)")
    }
    SyntheticRelationshipSection(diagnostics: diagnostics).checkDestinations(reading)
    if diagnostics.count == 0 { SyntheticUniqueCheck(diagnostics: diagnostics).check(reading) }
    return synthetic
  }

  private func readProfile(_ entry: YAMLNode.Entry, into reading: inout ProfileReading) {
    guard let stored = reading.entities.first(where: { $0.name == entry.key }) else {
      return diagnose(
        entry.keyPlace, found: "the entity \(shown(entry.key)), which has no rows of its own", word: entry.key,
        words: reading.entities.map(\.name))
    }
    guard let section = section(entry.value, .syntheticEntity),
      let rows = required("rows", in: section, example: "rows: 1_000").flatMap({
        count($0, of: .profileRows)
      })
    else { return }
    var entity = DataProfile.Entity(name: stored.name, rows: rows)
    let mistakes = diagnostics.count
    let attributes = SyntheticAttributeSection(diagnostics: diagnostics)
    if let node = section["attributes"] {
      for entry in entries(node, expected: "a mapping of attribute names") ?? [] {
        attributes.read(entry, of: stored, into: &entity)
      }
    }
    // One with a mistake is not there, and not missing either.
    if rows > 0, diagnostics.count == mistakes {
      for attribute in stored.attributes where attribute.needsValue {
        if entity.attributes.contains(where: { $0.name == attribute.name }) { continue }
        if entity.recipes.contains(where: { $0.name == attribute.name }) { continue }
        attributes.diagnose(entry.keyPlace, missing: rows, of: attribute)
      }
    }
    let relationships = SyntheticRelationshipSection(diagnostics: diagnostics)
    if let node = section["relationships"] {
      for entry in entries(node, expected: "a mapping of relationship names") ?? [] {
        relationships.read(entry, into: &entity, in: &reading)
      }
    }
    reading.places[stored.name] = entry.keyPlace
    reading.profile.entities.append(entity)
  }
}

extension AttributeDescription {
  /// Whether a row without a value is none that is saved as it is.
  var needsValue: Bool { !isOptional || !defaultValue.isNull }
}
