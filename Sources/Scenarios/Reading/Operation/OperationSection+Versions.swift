// The keys `versions` and `version`: how other versions of the model differ, and to which one a store is migrated.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

extension OperationSection {
  /// Reads the chosen version.
  ///
  /// It reads all versions, so that a mistake is found whichever one is chosen.
  ///
  /// - Parameters:
  ///   - section: The scenario's keys.
  ///   - model: The model that the store is made with; `nil` if it has mistakes.
  ///   - entity: The entity of the rows.
  /// - Returns: The version; `nil` in case of a mistake.
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
    checkNothingIsRenamed(in: written)
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

  /// The model of a version; `nil` in case of a mistake, or if a store cannot be migrated to it.
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

  /// The model with a version's additions, changes and removals; `nil` if the version is not a mapping of entities.
  private func changed(_ model: YAMLNode, by version: YAMLNode) -> YAMLNode? {
    let expected = "a mapping of entities and what they have otherwise, such as {Quake: {without: [place]}}"
    guard let entries = entries(version, expected: expected) else { return nil }
    if entries.isEmpty { diagnose(version.place, found: "a version without a change", expected: expected) }
    var model = model
    for entry in entries {
      guard let section = section(entry.value, .changedEntity) else { continue }
      var entity = model[entry.key] ?? YAMLNode(.mapping([]), at: entry.keyPlace)
      let properties = ["attributes", "relationships"].flatMap { key in
        (section[key].flatMap { self.entries($0, expected: "a mapping of \(key)") } ?? []).map { (key: key, entry: $0) }
      }
      leaveOutRenamed(by: properties.map(\.entry), of: &entity, named: entry.key)
      for (key, property) in properties { entity.set([key, property.key], to: property.value) }
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

  /// Removes the attributes that are renamed from an entity, before the new names are added.
  ///
  /// Each former name belongs to only one attribute, so that the source of its values is unambiguous.
  private func leaveOutRenamed(by properties: [YAMLNode.Entry], of entity: inout YAMLNode, named name: String) {
    let names = attributes(of: entity).map(\.key)
    var renamed: Set<String> = []
    for property in properties {
      guard let node = property.value["renamed_from"], let former = node.text else { continue }
      let found = "the former name \(shown(former))"
      if !names.contains(former) {
        diagnose(
          node.place, found: "\(found), which no attribute of \(name) has", expected: "an attribute of \(name)",
          suggestion: nearest(to: former, among: names))
      } else if properties.contains(where: { $0.key == former }) {
        diagnose(
          node.place, found: "\(found), which the version gives to another property",
          expected: "the name of an attribute that goes")
      } else if !renamed.insert(former).inserted {
        diagnose(node.place, found: "\(found) a second time", expected: "each former name once")
      } else {
        leaveOut(former, of: &entity)
      }
    }
  }

  /// Reports former names in the original model, because no version precedes it.
  private func checkNothingIsRenamed(in model: YAMLNode) {
    guard case .mapping(let entities) = model.content else { return }
    for attribute in entities.flatMap({ attributes(of: $0.value) }) {
      guard let node = attribute.value["renamed_from"] else { continue }
      diagnose(
        node.place, found: "the key 'renamed_from' in the model that the store is made with",
        expected: "it in 'versions' alone")
    }
  }

  private func attributes(of entity: YAMLNode) -> [YAMLNode.Entry] {
    if case .mapping(let entries)? = entity["attributes"]?.content { entries } else { [] }
  }

  /// Removes a property from an entity, and returns whether the entity had it.
  @discardableResult private func leaveOut(_ property: String, of entity: inout YAMLNode) -> Bool {
    for key in ["attributes", "relationships"] {
      guard var properties = entity[key], properties.remove(property) else { continue }
      entity.set([key], to: properties)
      return true
    }
    return false
  }
}
