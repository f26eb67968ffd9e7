// The entities of the rows (`entity`), their indexes (`indexes`) and the fields that fill them (`map`).
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

/// The choice of indexes for the table of the source's rows.
enum IndexChoice: String, CaseIterable {
  /// All indexes of the model.
  case all
  /// Neither fetch indexes nor those of uniqueness constraints.
  case none
  /// Only fetch indexes.
  case fetch
  /// Only the indexes of uniqueness constraints.
  case unique
}

extension ScenarioVariant {
  /// The entities with rows in the source.
  ///
  /// For a store or synthetic data, these are all entities with rows, unless one is named.
  ///
  /// If a fetch follows relationships, the scenario names the fetched entity, which comes first.
  func readIngestedEntities(
    _ named: YAMLNode?, source: SourceReading?, model: ModelReading, isFollowed: Bool = false
  ) -> [EntityReading] {
    if isFollowed, source?.description.isGraph == true, source?.entity == nil,
      let fetched = ingestedEntity(named, among: model.entities, model: model.place)
    {
      return [fetched]
        + model.entities.filter {
          !$0.description.isAbstract && $0.description.name != fetched.description.name
        }
    }
    let node = source?.entity ?? named
    if source?.description.isGraph == true, node == nil {
      return model.entities.filter { !$0.description.isAbstract }
    }
    return ingestedEntity(node, among: model.entities, model: model.place).map { [$0] } ?? []
  }

  /// The entity of the source's rows: the named one, or the only one.
  private func ingestedEntity(_ node: YAMLNode?, among entities: [EntityReading], model: SourceLocation)
    -> EntityReading?
  {
    let names = entities.map(\.description.name)
    guard let node else {
      if entities.count == 1 { return entities[0] }
      diagnose(
        model, found: "\(entities.count) entities and no key 'entity'",
        expected:
          "entity: and one of \(names.joined(separator: ", ")), or source: {synthetic: …} for rows of all of them")
      return nil
    }
    guard let name = text(node, expected: "one of " + names.joined(separator: ", ")) else { return nil }
    if let entity = entities.first(where: { $0.description.name == name }) { return entity }
    diagnose(node.place, found: "the entity \(shown(name))", word: name, words: names)
    return nil
  }

  /// Reads the choice and returns the entity with the chosen indexes; `nil` if the choice is invalid.
  func readIndexes(_ node: YAMLNode, of entity: EntityReading) -> EntityReading? {
    choice(node, of: IndexChoice.self).map { choosing($0, at: node.place, of: entity) }
  }

  /// The entity with the chosen indexes.
  ///
  /// Choosing indexes that it does not have is reported.
  private func choosing(_ choice: IndexChoice, at place: SourceLocation, of entity: EntityReading) -> EntityReading {
    var chosen = entity
    let name = entity.description.name
    if choice == .fetch, entity.description.fetchIndexes.isEmpty, entity.indexes == nil {
      diagnose(
        place, found: "the choice 'fetch', while \(name) has no fetch index",
        expected: "indexes: in \(name), such as {by_magnitude: [magnitude]}, or another choice")
    }
    if choice == .unique, entity.description.uniquenessConstraints.isEmpty, entity.unique == nil {
      diagnose(
        place, found: "the choice 'unique', while \(name) has no uniqueness constraint",
        expected: "unique: in \(name), such as [[code]], or another choice")
    }
    if choice == .none || choice == .unique { chosen.description.fetchIndexes = [] }
    if choice == .none || choice == .fetch { chosen.description.uniquenessConstraints = [] }
    return chosen
  }

  /// Reads which fields fill an entity's attributes.
  ///
  /// A field can fill only one attribute.
  func readFieldMap(_ node: YAMLNode, source: SourceReading, entity: EntityReading) -> [String: String] {
    guard case .feed = source.description else {
      diagnose(
        node.place, found: "the key 'map' with a source that is no feed",
        expected: "source: {feed: path/to/rows.csv}, or no such key")
      return [:]
    }
    let expected = "a mapping of attributes and the fields that fill them, such as {title: Title}"
    guard let entries = entries(node, expected: expected) else { return [:] }
    let attributes = entity.description.attributes.map(\.name)
    var map: [String: String] = [:]
    var fields = Dictionary(attributes.map { ($0, $0) }) { first, _ in first }
    for entry in entries where attributes.contains(entry.key) { fields[entry.key] = nil }
    for entry in entries {
      guard entity.attributeNames.contains(entry.key) else {
        diagnose(entry.keyPlace, found: "the attribute \(shown(entry.key))", word: entry.key, words: attributes)
        continue
      }
      guard let field = fieldName(entry.value) else { continue }
      if let other = fields.updateValue(entry.key, forKey: field) {
        diagnose(
          entry.value.place, found: "the field \(shown(field)), which fills the attribute \(shown(other)) too",
          expected: "another field for each attribute")
      }
      map[entry.key] = field
    }
    return map
  }

  /// The name of a field.
  ///
  /// A quoted one may be empty, because some programs write a row index as a first column without a name.
  private func fieldName(_ node: YAMLNode) -> String? {
    if case .scalar("", isQuoted: true) = node.content { return "" }
    return text(node, expected: "the name of a field")
  }
}
