// A scenario file that can be shared: it has the model of a store and the profile of its rows, but none of its data.
package import BatchmarkEngine
internal import CoreDataFiles
package import CoreDataModel

/// The text of a scenario that stores rows like those of a store.
package struct AnonymousScenario: Sendable {
  private let model: ManagedObjectModel
  /// The profile of the rows, with the names used in the text.
  package let profile: DataProfile
  private let cells: [String]
  private let selfInverses: Int
  /// The number of remarks about parts of the store's model that are read differently, or not at all.
  private let modelRemarks: Int

  /// Reads a Core Data store.
  ///
  /// - Parameters:
  ///   - path: The store, which is not changed.
  ///   - cells: The scenario's cells, each as a line of YAML.
  ///   - isRenaming: Whether names of the model are replaced as well.
  /// - Throws: ``SourceError`` if the store cannot be read or has no rows.
  package init(ofStoreAt path: String, cells: [String], isRenaming: Bool = false) throws(SourceError) {
    let recovered: RecoveredModel
    do throws(CoreDataFileError) {
      recovered = try RecoveredModel(storeAt: path)
    } catch {
      throw SourceError(error)
    }
    let model = recovered.model
    let rows = try StoreSource(path: path, model: model, entities: model.storedEntities).rows()
    do throws(ModelError) {
      try self.init(
        of: model, rows: rows, cells: cells, isRenaming: isRenaming, modelRemarks: recovered.remarks.count)
    } catch {
      throw SourceError(source: path, found: "\(error)", expected: "a model whose names can be changed")
    }
  }

  /// Describes rows of a model.
  ///
  /// - Throws: `ModelError` if the model cannot be renamed.
  package init(
    of model: ManagedObjectModel, rows: SourceRows, cells: [String], isRenaming: Bool = false, modelRemarks: Int = 0
  ) throws(ModelError) {
    let names = isRenaming ? AnonymousNames(model) : nil
    let profile = DataProfile(measuring: rows)
    self.model = try names?.model(model) ?? model
    self.profile = names?.profile(profile) ?? profile
    self.cells = cells
    selfInverses = rows.selfInverses.count
    self.modelRemarks = modelRemarks
  }

  /// The file's text: YAML that the scenario reader accepts.
  package var text: String {
    let lines =
      remarks.map { "# " + $0 } + [
        "scenario: synthetic", "description: How fast does each strategy store rows of this shape?", "model:",
      ] + model.entities.flatMap(lines).map { "  " + $0 } + [
        "source:", "  synthetic:", "    seed: 42", "    entities:",
      ]
      + profile.lines.map { "      " + $0 } + ["cells:"] + cells.map { "  - " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - The model

extension AnonymousScenario {
  private func lines(_ entity: EntityDescription) -> [String] {
    var lines = [entity.name + ":"]
    if let parent = entity.superentityName { lines.append("  parent: \(word(parent))") }
    if entity.isAbstract { lines.append("  abstract: true") }
    if !entity.attributes.isEmpty { lines.append("  attributes:") }
    for attribute in entity.attributes {
      let presence = attribute.isOptional || isMissing(attribute, of: entity) ? ", optional: true" : ""
      let kept = attribute.isTransient ? ", transient: true" : ""
      lines.append("    \(attribute.name): {type: \(attribute.type.rawValue)\(presence)\(kept)}")
    }
    if !entity.relationships.isEmpty { lines.append("  relationships:") }
    for relationship in entity.relationships {
      var words = [
        "to: \(word(relationship.destinationEntityName))", "inverse: \(relationship.inverseName.map(word) ?? "null")",
      ]
      if relationship.isToMany { words.append("many: true") }
      if relationship.isOrdered { words.append("ordered: true") }
      if !relationship.isOptional && !isMissing(relationship, of: entity) { words.append("optional: false") }
      if relationship.deleteRule != .nullify { words.append("delete: \(relationship.deleteRule.rawValue)") }
      lines.append("    \(relationship.name): {\(words.joined(separator: ", "))}")
    }
    let constraints = entity.uniquenessConstraints.map(list)
    if !constraints.isEmpty { lines.append("  unique: [\(constraints.joined(separator: ", "))]") }
    let indexes = entity.fetchIndexes.map { "\($0.name): \(list($0.elements.map(\.propertyName)))" }
    if !indexes.isEmpty { lines.append("  indexes: {\(indexes.joined(separator: ", "))}") }
    return lines
  }

  /// Quotes names that YAML would read as null.
  private func word(_ name: String) -> String { name == "null" ? "'null'" : name }

  private func list(_ names: [String]) -> String { "[\(names.map(word).joined(separator: ", "))]" }

  /// The entities with rows that inherit from an entity, including itself.
  private func subentities(of entity: EntityDescription) -> [DataProfile.Entity] {
    profile.entities.filter { $0.rows > 0 && model.entity($0.name, isKindOf: entity.name) }
  }

  /// Whether a row has no value.
  ///
  /// A transient attribute has no value in rows from a store.
  private func isMissing(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    attribute.isTransient
      || subentities(of: entity).contains { subentity in
        !subentity.attributes.contains { $0.name == attribute.name && $0.nulls == 0 }
      }
  }

  private func isMissing(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    subentities(of: entity).contains { profile.rows(of: $0, with: relationship, in: model) < $0.rows }
  }
}

// MARK: - What the file leaves out

extension AnonymousScenario {
  private var remarks: [String] {
    var remarks = [
      "The shape of a store without its content: names of the model, counts of rows, nulls, distinct values and pairs, and",
      "lengths in bytes. Rows are generated from them. Values of one length are equally frequent, how many booleans are true",
      "is left open, and nothing depends on anything else.",
    ]
    func remark(_ words: String, _ names: [String]) {
      if !names.isEmpty { remarks.append("\(words): \(names.joined(separator: ", ")).") }
    }
    remark("Left out, defaults of", attributes { !$0.defaultValue.isNull })
    remark("Left out, validation rules of", attributes { !$0.validationRules.isEmpty })
    remark("Left out, derivations of", attributes { $0.derivationExpression != nil })
    remark("Left out, tombstones of", attributes(where: \.preservesValueInHistoryOnDeletion))
    remark(
      "Left out, counts of", relationships { $0.minimumCount > 0 && $0.isToMany || $0.isToMany && $0.maximumCount > 0 })
    remark(
      "Left out, pairs of relationships that are their own inverse",
      selfInverses > 0 ? relationships(where: isSelfInverse) : [])
    remark(
      "Left out, descending order in indexes of",
      model.entities.filter { $0.fetchIndexes.contains { $0.elements.contains { !$0.isAscending } } }.map(\.name))
    if model.configurations.count > 0 { remarks.append("Left out, configurations: \(model.configurations.count).") }
    remark(
      "Optional here and required in the model, because rows are without",
      model.entities.flatMap { entity in
        entity.attributes.filter { !$0.isOptional && isMissing($0, of: entity) }.map { "\(entity.name).\($0.name)" }
          + entity.relationships.filter { !$0.isOptional && isMissing($0, of: entity) }
          .map { "\(entity.name).\($0.name)" }
      })
    // The remarks themselves contain names of the model, and may contain its defaults.
    if modelRemarks > 0 {
      let parts = modelRemarks == 1 ? "1 part" : "\(modelRemarks) parts"
      remarks += [
        "Read otherwise or left out of the store's model: \(parts), which 'batchmark inspect' of the store names. Where values",
        "are kept in files beside the store, the lengths here are not theirs.",
      ]
    }
    return remarks
  }

  private func attributes(where isMeant: (AttributeDescription) -> Bool) -> [String] {
    model.entities.flatMap { entity in entity.attributes.filter(isMeant).map { "\(entity.name).\($0.name)" } }
  }

  private func relationships(where isMeant: (RelationshipDescription) -> Bool) -> [String] {
    model.entities.flatMap { entity in entity.relationships.filter(isMeant).map { "\(entity.name).\($0.name)" } }
  }

  private func isSelfInverse(_ relationship: RelationshipDescription) -> Bool {
    relationship.isInverse(
      of: relationship.inverseName.flatMap { model[relationship.destinationEntityName]?.relationship(named: $0) })
  }
}
