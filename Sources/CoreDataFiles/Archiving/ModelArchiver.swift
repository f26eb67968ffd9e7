// Writes the archive of a model as Core Data keeps it in a store, after a migration.
internal import CoreDataModel

/// Writes the archive of a model: entities that refer to each other, with all their properties, including inherited
/// ones.
struct ModelArchiver {
  let model: ManagedObjectModel
  var writer = ArchiveWriter()
  /// The reference to each entity, and to each property by entity and name.
  private var entities: [String: PropertyList] = [:]
  private(set) var properties: [String: PropertyList] = [:]

  /// The archive of a model as bytes.
  static func bytes(_ model: ManagedObjectModel) -> [UInt8] {
    var archiver = ModelArchiver(model: model)
    let root = archiver.write()
    return archiver.writer.bytes(root: root)
  }

  private init(model: ManagedObjectModel) { self.model = model }

  private mutating func write() -> PropertyList {
    let root = writer.reserve()
    for entity in model.entities {
      entities[entity.name] = writer.reserve()
      for name in propertyNames(of: entity) { properties["\(entity.name).\(name)"] = writer.reserve() }
    }
    for entity in model.entities { fill(entity, model: root) }
    let names = model.entities.map(\.name).sorted()
    let identifiers = model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers.sorted()
    var values: [String: PropertyList] = [
      "NSEntities": writer.knownKeysDictionary(names.map { ($0, place($0)) }),
      "NSFetchRequestTemplates": writer.nothing,
      "NSVersionIdentifiers": writer.set(identifiers.map { writer.add(.string($0)) }),
    ]
    if !model.configurations.isEmpty {
      let configurations = model.configurations.map { name in
        (name, writer.set((model.entities(forConfiguration: name) ?? []).map { place($0.name) }))
      }
      values["NSConfigurations"] = writer.dictionary(configurations)
    }
    writer.fill(root, ["NSManagedObjectModel", "NSObject"], values)
    return root
  }

  /// The reference to an entity; to the null object if there is no such entity.
  func place(_ entity: String?) -> PropertyList { entity.flatMap { entities[$0] } ?? writer.nothing }

  /// The reference to a text; to the null object if there is none.
  mutating func place(ofText text: String?) -> PropertyList {
    text.map { writer.add(.string($0)) } ?? writer.nothing
  }

  /// The entity and its super-entities, the root first.
  private func line(of entity: EntityDescription) -> [EntityDescription] {
    (entity.superentityName.flatMap { model[$0] }.map { line(of: $0) } ?? []) + [entity]
  }

  private func propertyNames(of entity: EntityDescription) -> [String] {
    line(of: entity).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
  }

  private mutating func fill(_ entity: EntityDescription, model root: PropertyList) {
    for ancestor in line(of: entity) {
      for attribute in ancestor.attributes { fill(attribute, in: entity) }
      for relationship in ancestor.relationships { fill(relationship, in: entity) }
    }
    let subentities = model.entities.filter { $0.superentityName == entity.name }.map { ($0.name, place($0.name)) }
    let named = propertyNames(of: entity).map { ($0, properties["\(entity.name).\($0)"] ?? writer.nothing) }
    let name = writer.add(.string(entity.name))
    var values: [String: PropertyList] = [
      "NSEntityName": name, "NSClassNameForEntity": name, "NSUserInfo": writer.dictionary([]),
      "NSSubentities": subentities.isEmpty ? writer.nothing : writer.dictionary(subentities),
      "NSVersionHashModifier": place(ofText: entity.versionHashModifier), "NSProperties": writer.dictionary(named),
      "NSRenamingIdentifier": writer.add(.string(entity.renamingIdentifier ?? entity.name)),
      "NSManagedObjectModel": root, "NSSuperentity": place(entity.superentityName),
    ]
    if entity.isAbstract { values["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      values["NSUniqueTuples"] = writer.array(
        entity.uniquenessConstraints.map { names in writer.array(names.map { writer.add(.string($0)) }) })
    }
    if !entity.fetchIndexes.isEmpty {
      values["NSFetchIndexDescriptions"] = writer.array(entity.fetchIndexes.map { index($0, of: entity.name) })
    }
    writer.fill(place(entity.name), ["NSEntityDescription", "NSObject"], values)
  }

  private mutating func index(_ index: FetchIndexDescription, of entity: String) -> PropertyList {
    let elements = index.elements.map { element in
      writer.add(
        ["NSFetchIndexElementDescription", "NSObject"],
        [
          "NSPropertyName": writer.add(.string(element.propertyName)), "NSAscending": .boolean(element.isAscending),
          "NSFetchIndexElementType": .integer(0),
        ])
    }
    return writer.add(
      ["NSFetchIndexDescription", "NSObject"],
      [
        "NSIndexName": writer.add(.string(index.name)), "NSIndexElements": writer.array(elements),
        "NSEntity": place(entity),
      ])
  }
}
