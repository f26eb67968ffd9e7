// Reads a model from a keyed archive: its entities, their own properties, and its configurations.
internal import CoreDataModel

/// Reads the model in an archive.
struct ArchivedModel {
  let archive: KeyedArchive
  private let root: KeyedArchive.Object
  var draft = ModelDraft()
  /// Property names and archived values of each entity by the entity's index, including inherited ones, as Core Data
  /// archives them.
  private var properties: [Int: [(key: String, value: PropertyList)]] = [:]

  init(_ archive: KeyedArchive) throws(MalformedContent) {
    self.archive = archive
    root = try archive.rootObject()
    guard root.isKind(of: "NSManagedObjectModel") else {
      throw MalformedContent(
        found: "an archive of the class \(root.className.debugDescription)", expected: "NSManagedObjectModel")
    }
  }

  mutating func read() throws(MalformedContent) -> ModelDraft {
    guard let named = archive.entries(root.values["NSEntities"]) else {
      throw MalformedContent(found: "an archive of a model without entities", expected: "NSEntities, a dictionary")
    }
    var entities: [KeyedArchive.Object] = []
    for (name, value) in named {
      let entity = try archive.object(value, "the entity \(name.debugDescription)")
      guard properties[entity.index] == nil else { continue }
      let own = archive.entries(entity.values["NSProperties"]) ?? []
      try draft.count(parts: own.count)
      properties[entity.index] = own
      entities.append(entity)
    }
    for entity in entities { try draft.append(try description(of: entity)) }
    try readConfigurations()
    return draft
  }

  private mutating func description(of entity: KeyedArchive.Object) throws(MalformedContent) -> EntityDescription {
    let name = try entityName(entity)
    let superentity = archive.object(entity.values["NSSuperentity"])
    let inherited = Set(superentity.flatMap { properties[$0.index] }?.map(\.key) ?? [])
    var description = EntityDescription(
      name, superentity: try superentity.map(entityName),
      isAbstract: entity.values["NSIsAbstract"]?.boolean ?? false,
      renamingIdentifier: otherName(entity.values["NSRenamingIdentifier"], than: name),
      versionHashModifier: archive.string(entity.values["NSVersionHashModifier"]))
    for (key, value) in properties[entity.index] ?? [] where !inherited.contains(key) {
      let property = try archive.object(value, "the property \(name).\(key)")
      let propertyName = archive.string(property.values["NSPropertyName"]) ?? key
      try read(property, named: try ModelDraft.checked(propertyName), into: &description)
    }
    description.uniquenessConstraints = try uniquenessConstraints(of: entity)
    try readFetchIndexes(of: entity, inheriting: inherited, into: &description)
    return description
  }

  private func entityName(_ entity: KeyedArchive.Object) throws(MalformedContent) -> String {
    if let name = archive.string(entity.values["NSEntityName"]) { return try ModelDraft.checked(name) }
    throw MalformedContent(found: "an archive of a model with a nameless entity", expected: "NSEntityName")
  }

  private mutating func read(
    _ property: KeyedArchive.Object, named name: String, into entity: inout EntityDescription
  ) throws(MalformedContent) {
    if property.isKind(of: "NSAttributeDescription") {
      if let attribute = try attribute(property, named: name, of: entity.name) { entity.attributes.append(attribute) }
    } else if property.isKind(of: "NSRelationshipDescription") {
      if property.values["NSIsTransient"]?.boolean == true {
        draft.remarkTransientRelationship("\(entity.name).\(name)")
      } else {
        entity.relationships.append(try relationship(property, named: name, of: entity.name))
      }
    } else if property.isKind(of: "NSFetchedPropertyDescription") {
      draft.remark("\(entity.name).\(name) is a fetched property, which has no place in a store: it is left out.")
    } else {
      let type = property.className.prefix(80)
      draft.remark("\(entity.name).\(name) is of the class \(type), which is not known: it is left out.")
    }
  }

  /// A renaming identifier, which equals the name if nothing was renamed.
  func otherName(_ value: PropertyList?, than name: String) -> String? {
    archive.string(value).flatMap { $0 == name || $0.isEmpty ? nil : $0 }
  }

  // MARK: - Constraints, indexes, configurations

  private mutating func uniquenessConstraints(of entity: KeyedArchive.Object) throws(MalformedContent) -> [[String]] {
    var constraints: [[String]] = []
    for constraint in archive.elements(entity.values["NSUniqueTuples"]) ?? [] {
      constraints.append(try propertyNames(constraint))
    }
    return constraints
  }

  private mutating func propertyNames(_ value: PropertyList) throws(MalformedContent) -> [String] {
    let elements = archive.elements(value) ?? []
    try draft.count(parts: elements.count + 1)
    var names: [String] = []
    for element in elements {
      if let name = propertyName(element) { names.append(try ModelDraft.checked(name)) }
    }
    return names
  }

  /// A property's name, given directly or through the property itself.
  private func propertyName(_ value: PropertyList) -> String? {
    archive.string(value) ?? archive.object(value).flatMap { archive.string($0.values["NSPropertyName"]) }
  }

  /// The fetch indexes of iOS 11 and later; if there are none, the compound indexes and indexed properties of older
  /// models.
  ///
  /// Core Data also archives compound indexes next to fetch indexes, for older readers.
  private mutating func readFetchIndexes(
    of entity: KeyedArchive.Object, inheriting inherited: Set<String>, into description: inout EntityDescription
  ) throws(MalformedContent) {
    guard let indexes = archive.elements(entity.values["NSFetchIndexDescriptions"]) else {
      return try readOldIndexes(of: entity, inheriting: inherited, into: &description)
    }
    try draft.count(parts: indexes.count)
    for value in indexes {
      guard let index = archive.object(value), let name = archive.string(index.values["NSIndexName"]) else { continue }
      _ = try ModelDraft.checked(name)
      let references = archive.elements(index.values["NSIndexElements"]) ?? []
      try draft.count(parts: references.count)
      let elements = references.compactMap { archive.object($0) }
      var reason: String?
      if archive.object(index.values["NSPartialIndexPredicate"]) != nil { reason = "covers some rows only" }
      if elements.contains(where: { $0.values["NSFetchIndexElementType"]?.integer == 1 }) { reason = "is an R-tree" }
      if elements.contains(where: { archive.object($0.values["NSIndexedProperty"]) != nil }) {
        reason = "is over an expression"
      }
      if let reason {
        draft.remark("The fetch index \(description.name).\(name) \(reason): it is left out.")
        continue
      }
      description.fetchIndexes.append(
        FetchIndexDescription(
          name,
          elements: elements.map {
            .init(
              archive.string($0.values["NSPropertyName"]) ?? "",
              isAscending: $0.values["NSAscending"]?.boolean ?? true)
          }))
    }
  }

  /// Reads indexed attributes; an inherited attribute is archived as indexed again, but its index belongs to the
  /// declaring entity.
  private mutating func readOldIndexes(
    of entity: KeyedArchive.Object, inheriting inherited: Set<String>, into description: inout EntityDescription
  ) throws(MalformedContent) {
    for value in archive.elements(entity.values["NSCompoundIndexes"]) ?? [] {
      description.addCompoundIndex(on: try propertyNames(value))
    }
    for (name, value) in properties[entity.index] ?? [] where !inherited.contains(name) {
      guard let property = archive.object(value), property.isKind(of: "NSAttributeDescription") else { continue }
      if property.values["NSIsIndexed"]?.boolean == true { description.addIndex(onAttribute: name) }
    }
  }

  /// The configurations that the model declares, without the unnamed one that has all entities.
  private mutating func readConfigurations() throws(MalformedContent) {
    let configurations = archive.entries(root.values["NSConfigurations"]) ?? []
    for (name, value) in configurations where name != "PF_DEFAULT_CONFIGURATION_NAME" {
      let elements = archive.elements(value) ?? []
      try draft.count(parts: elements.count + 1)
      let entities = elements.compactMap { element in
        archive.object(element).flatMap { archive.string($0.values["NSEntityName"]) }
      }
      draft.configurations[name] = entities.sorted()
    }
  }
}
