// Merges several models into one.

extension ManagedObjectModel {
  /// Creates a model with everything that the given models contain.
  ///
  /// Entities and fetch request templates with the same name must be equal. Configurations with the same name are
  /// united. A relationship cannot connect entities of different models, because each of the given models is complete.
  ///
  /// ```swift
  /// let notes = try ManagedObjectModel(
  ///   entities: [EntityDescription("Note", attributes: [AttributeDescription("text", .string)])])
  /// let both = try ManagedObjectModel(merging: [model, notes])
  /// ```
  ///
  /// - Throws: ``ModelError`` with every entity and template that the models describe differently, and every mistake of
  ///   the merged model, such as clashing table names.
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
    // Derivations that this library does not compute stay as they are.
    try self.init(
      entities: entities.values.sorted { $0.name < $1.name }, configurations: configurations.mapValues { $0.sorted() },
      fetchRequestTemplates: templates, versionIdentifiers: Set(models.flatMap(\.versionIdentifiers)),
      keepsUnknownDerivations: true)
  }
}

extension EntityDescription {
  /// Describes in words how two descriptions of one entity differ.
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
