// The archive of a model like Core Data stores it: entities that refer to each other, with all their properties. It
// defines keys and numbers independently of the library's own archiver, whose reader is tested with both.
internal import CoreDataFiles
package import CoreDataModel

/// A model to archive, with contents that archives have but models of this package do not.
package struct ArchivableModel: Sendable {
  package var entities: [EntityDescription]
  package var configurations: [String: [String]] = [:]
  /// Fetched properties by entity.
  package var fetchedProperties: [String: [String]] = [:]
  /// Attributes, as `Entity.attribute`, with an object of an application's class as their default.
  package var foreignDefaults: Set<String> = []
  /// Attributes, as `Entity.attribute`, with a validation predicate of the application.
  package var foreignRules: Set<String> = []
  /// Whether indexes are archived like in 2017, before fetch indexes.
  package var hasOldIndexes = false

  package init(_ entities: [EntityDescription]) { self.entities = entities }
}

/// Writes the archive of a model.
struct ModelArchive {
  let model: ArchivableModel
  var writer = ArchiveWriter()
  /// The position of each entity, and of each property by entity and name, including inherited ones.
  private(set) var entities: [String: PropertyList] = [:]
  private(set) var properties: [String: PropertyList] = [:]

  static func bytes(_ model: ArchivableModel, identifiers: [String]) -> [UInt8] {
    var archive = ModelArchive(model: model)
    let root = archive.write(identifiers)
    return archive.writer.bytes(root: root)
  }

  private init(model: ArchivableModel) { self.model = model }

  private mutating func write(_ identifiers: [String]) -> PropertyList {
    let root = writer.reserve()
    let names = model.entities.map(\.name).sorted()
    for entity in model.entities {
      entities[entity.name] = writer.reserve()
      for name in propertyNames(of: entity) { properties["\(entity.name).\(name)"] = writer.reserve() }
    }
    for entity in model.entities { fill(entity, model: root) }
    let named = names.map { ($0, place($0)) }
    var values: [String: PropertyList] = [
      "NSEntities": writer.knownKeysDictionary(named), "NSFetchRequestTemplates": writer.nothing,
      "NSVersionIdentifiers": writer.set(identifiers.map { writer.add(.string($0)) }),
    ]
    if !model.configurations.isEmpty {
      let configurations = model.configurations.sorted { $0.key < $1.key }.map {
        ($0.key, writer.set($0.value.map { place($0) }))
      }
      values["NSConfigurations"] = writer.dictionary(configurations)
    }
    writer.fill(root, ["NSManagedObjectModel", "NSObject"], values)
    return root
  }

  /// The position of an entity, or of null if there is no such entity.
  func place(_ entity: String?) -> PropertyList { entity.flatMap { entities[$0] } ?? writer.nothing }

  /// The entity and its super-entities, beginning with the root.
  func line(of entity: EntityDescription) -> [EntityDescription] {
    let parent = model.entities.first { $0.name == entity.superentityName }
    return (parent.map { line(of: $0) } ?? []) + [entity]
  }

  private func propertyNames(of entity: EntityDescription) -> [String] {
    line(of: entity).flatMap {
      $0.attributes.map(\.name) + $0.relationships.map(\.name) + (model.fetchedProperties[$0.name] ?? [])
    }
  }

  private mutating func fill(_ entity: EntityDescription, model root: PropertyList) {
    for ancestor in line(of: entity) {
      for attribute in ancestor.attributes { fill(attribute, declaredBy: ancestor, in: entity) }
      for relationship in ancestor.relationships { fill(relationship, in: entity) }
      for name in model.fetchedProperties[ancestor.name] ?? [] { fillFetchedProperty(name, in: entity) }
    }
    let subentities = model.entities.filter { $0.superentityName == entity.name }.map { ($0.name, place($0.name)) }
    let named = propertyNames(of: entity).map { ($0, properties["\(entity.name).\($0)"] ?? writer.nothing) }
    let name = writer.add(.string(entity.name))
    var values: [String: PropertyList] = [
      "NSEntityName": name, "NSClassNameForEntity": name, "NSUserInfo": writer.dictionary([]),
      "NSSubentities": subentities.isEmpty ? writer.nothing : writer.dictionary(subentities),
      "NSVersionHashModifier": writer.nothing, "NSProperties": writer.dictionary(named),
      "NSRenamingIdentifier": writer.add(.string(entity.renamingIdentifier ?? entity.name)),
      "NSManagedObjectModel": root, "NSSuperentity": place(entity.superentityName),
    ]
    if entity.isAbstract { values["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      values["NSUniqueTuples"] = names(entity.uniquenessConstraints)
    }
    if model.hasOldIndexes {
      let compound = entity.fetchIndexes.filter { $0.elements.count > 1 }
      if !compound.isEmpty { values["NSCompoundIndexes"] = names(compound.map { $0.elements.map(\.propertyName) }) }
    } else if !entity.fetchIndexes.isEmpty {
      values["NSFetchIndexDescriptions"] = writer.array(entity.fetchIndexes.map { index($0, of: entity.name) })
    }
    writer.fill(place(entity.name), ["NSEntityDescription", "NSObject"], values)
  }

  private mutating func names(_ lists: [[String]]) -> PropertyList {
    writer.array(lists.map { list in writer.array(list.map { writer.add(.string($0)) }) })
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
