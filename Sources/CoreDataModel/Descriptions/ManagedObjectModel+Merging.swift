// One model made of several.

extension ManagedObjectModel {
  /// A model with everything that the given ones have.
  ///
  /// Entities and fetch request templates of one name must be equal; a configuration has the entities that any of the models
  /// gives it. Relationships may lead from one model's entities to another's only where a model had both: each of the given
  /// models is whole.
  ///
  /// ```swift
  /// let notes = try ManagedObjectModel(
  ///   entities: [EntityDescription("Note", attributes: [AttributeDescription("text", .string)])])
  /// let both = try ManagedObjectModel(merging: [model, notes])
  /// ```
  ///
  /// - Throws: ``ModelError`` naming every entity and template that the models describe differently, and what the whole
  ///   breaks, such as names of tables that clash.
  public init(merging models: [ManagedObjectModel]) throws(ModelError) {
    var problems: [ModelProblem] = []
    var entities: [String: EntityDescription] = [:]
    var templates: [String: FetchRequestTemplate] = [:]
    var configurations: [String: Set<String>] = [:]
    var differing: Set<String> = []
    for model in models {
      for entity in model.entities {
        guard let other = entities.updateValue(entity, forKey: entity.name), other != entity else { continue }
        if !differing.insert(entity.name).inserted { continue }
        problems.append(
          ModelProblem(
            entityName: entity.name, found: "two descriptions that differ in \(other.differences(from: entity))",
            expected: "the same one in every model"))
      }
      for (name, template) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
        guard let other = templates.updateValue(template, forKey: name), other != template else { continue }
        problems.append(
          ModelProblem(
            found: "two fetch request templates \(name.debugDescription) that differ",
            expected: "the same one in every model, or different names"))
      }
      for name in model.configurations {
        configurations[name, default: []].formUnion(model.names(ofConfiguration: name))
      }
    }
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    // What is derived in one of them and not computed is kept.
    try self.init(
      entities: entities.values.sorted { $0.name < $1.name }, configurations: configurations.mapValues { $0.sorted() },
      fetchRequestTemplates: templates, versionIdentifiers: Set(models.flatMap(\.versionIdentifiers)),
      keepsUnknownDerivations: true)
  }
}

extension EntityDescription {
  /// What of two descriptions of one entity is not the same, in words.
  fileprivate func differences(from other: EntityDescription) -> String {
    func names<Part: Hashable>(_ own: [Part], _ others: [Part], _ name: (Part) -> String) -> [String] {
      Set(own).symmetricDifference(others).map(name)
    }
    let properties =
      names(attributes, other.attributes, \.name) + names(relationships, other.relationships, \.name)
    var parts = Set(properties).sorted().map { "'\($0)'" }
    if superentityName != other.superentityName { parts.append("the super-entity") }
    if isAbstract != other.isAbstract { parts.append("abstractness") }
    if uniquenessConstraints != other.uniquenessConstraints { parts.append("the uniqueness constraints") }
    if fetchIndexes != other.fetchIndexes { parts.append("the fetch indexes") }
    if renamingIdentifier != other.renamingIdentifier { parts.append("the renaming identifier") }
    if versionHashModifier != other.versionHashModifier { parts.append("the version hash modifier") }
    return parts.isEmpty ? "the order of their properties" : parts.joined(separator: ", ")
  }
}
