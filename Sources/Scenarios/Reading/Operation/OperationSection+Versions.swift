// The keys `versions` and `version`: what other versions of the model have otherwise, and which one a store is migrated to.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

extension OperationSection {
  /// Reads the chosen version.
  ///
  /// All versions are read, so that a mistake is found whichever is chosen.
  ///
  /// - Parameters:
  ///   - section: The scenario's keys.
  ///   - model: The model that the store is made with; nil where it has mistakes.
  ///   - entity: The entity that the rows go into.
  /// - Returns: The version; nil for a mistake.
  func modelVersion(_ section: Section, of model: ManagedObjectModel?, storing entity: EntityReading) -> ModelVersion? {
    let example = "versions: {second: {Quake: {attributes: {remark: {type: string, optional: true}}}}}"
    guard let node = required("versions", in: section, example: example) else { return nil }
    guard case .mapping? = section["model"]?.content, let written = section["model"] else {
      if let place = section["model"]?.place ?? section["source"]?.place {
        diagnose(
          place, found: "the key 'versions' with a model that is not written in the scenario",
          expected: "model: and its entities, which versions can change")
      }
      return nil
    }
    var versions: [String: ModelVersion] = [:]
    let expected = "a mapping of names and changed entities, such as {second: {Quake: {without: [place]}}}"
    let entries = entries(node, expected: expected) ?? []
    if entries.isEmpty { diagnose(node.place, found: "no version", expected: expected) }
    for entry in entries {
      guard let changed = changed(written, by: entry.value) else { continue }
      versions[entry.key] = version(entry, changed, from: model, storing: entity)
    }
    guard let choice = required("version", in: section, example: "version: \(entries.first?.key ?? "second")"),
      case .word(let name)? = value(choice, of: .name)
    else { return nil }
    if !entries.contains(where: { $0.key == name }) {
      diagnose(choice.place, found: "the version \(shown(name))", word: name, words: entries.map(\.key))
    }
    return versions[name]
  }

  /// The model of a version; nil for a mistake, and for one that a store cannot be migrated to.
  private func version(
    _ entry: YAMLNode.Entry, _ changed: YAMLNode, from model: ManagedObjectModel?, storing entity: EntityReading
  ) -> ModelVersion? {
    let mistakes = diagnostics.count
    let section = ModelSection(diagnostics: diagnostics)
    guard let reading = section.read(changed, source: nil), diagnostics.count == mistakes,
      let version = section.model(of: reading.entities, at: entry.keyPlace)
    else { return nil }
    guard let kept = reading.entities.first(where: { $0.description.name == entity.description.name }) else {
      diagnose(
        entry.keyPlace, found: "a version without the entity \(shown(entity.description.name))",
        expected: "one that keeps the entity that the rows go into")
      return nil
    }
    checkIngestible(kept, at: entry.keyPlace)
    guard let model else { return nil }
    do {
      _ = try MappingModel(inferringFrom: model, to: version)
    } catch {
      diagnose(
        entry.keyPlace, found: "the version \(shown(entry.key)), which no store can be migrated to: \(error)",
        expected: "changes that can be inferred")
    }
    return ModelVersion(entry.key, version)
  }

  /// The model with a version's additions, changes and removals; nil if it is no mapping of entities.
  private func changed(_ model: YAMLNode, by version: YAMLNode) -> YAMLNode? {
    let expected = "a mapping of entities and what they have otherwise, such as {Quake: {without: [place]}}"
    guard let entries = entries(version, expected: expected) else { return nil }
    if entries.isEmpty { diagnose(version.place, found: "a version without a change", expected: expected) }
    var model = model
    for entry in entries {
      guard let section = section(entry.value, .changedEntity) else { continue }
      var entity = model[entry.key] ?? YAMLNode(.mapping([]), at: entry.keyPlace)
      for key in ["attributes", "relationships"] {
        guard let node = section[key] else { continue }
        for property in self.entries(node, expected: "a mapping of \(key)") ?? [] {
          if let former = property.value["renamed_from"]?.text { leaveOut(former, of: &entity) }
          entity.set([key, property.key], to: property.value)
        }
      }
      for key in ["unique", "indexes"] { if let node = section[key] { entity.set([key], to: node) } }
      if let node = section["without"] {
        for item in items(node, expected: "a list of properties, such as [place]") ?? [] {
          guard let name = text(item, expected: "the name of a property") else { continue }
          if !leaveOut(name, of: &entity) {
            diagnose(
              item.place, found: "the property \(shown(name)), which \(entry.key) does not have",
              expected: "an attribute or a relationship of \(entry.key)")
          }
        }
      }
      model.set([entry.key], to: entity)
    }
    return model
  }

  /// Takes a property out of an entity, and answers whether it was there.
  @discardableResult private func leaveOut(_ property: String, of entity: inout YAMLNode) -> Bool {
    for key in ["attributes", "relationships"] {
      guard var properties = entity[key], properties.remove(property) else { continue }
      entity.set([key], to: properties)
      return true
    }
    return false
  }
}
