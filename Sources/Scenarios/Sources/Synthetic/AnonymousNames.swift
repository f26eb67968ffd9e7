// Meaningless names that replace a model's own.
import BatchmarkEngine
import CoreDataModel

/// A model's names and their replacements: `Entity1`, `a1` for attributes, `r1` for relationships.
///
/// They are numbered in the model's order, with leading zeros if there are many, so that they keep their order.
struct AnonymousNames {
  private var entities: [String: String] = [:]
  /// By entity, including inherited properties.
  private var properties: [String: [String: String]] = [:]

  init(_ model: ManagedObjectModel) {
    let attributes = model.entities.reduce(0) { $0 + $1.attributes.count }
    let relationships = model.entities.reduce(0) { $0 + $1.relationships.count }
    var seen = (attributes: 0, relationships: 0)
    // Parents come before their children.
    for (index, entity) in model.entities.enumerated() {
      entities[entity.name] = "Entity" + AnonymousNames.number(index + 1, of: model.entities.count)
      var names = entity.superentityName.flatMap { properties[$0] } ?? [:]
      for name in entity.attributes.map(\.name).sorted() {
        seen.attributes += 1
        names[name] = "a" + AnonymousNames.number(seen.attributes, of: attributes)
      }
      for name in entity.relationships.map(\.name).sorted() {
        seen.relationships += 1
        names[name] = "r" + AnonymousNames.number(seen.relationships, of: relationships)
      }
      properties[entity.name] = names
    }
  }

  private static func number(_ number: Int, of count: Int) -> String {
    String(repeating: "0", count: String(count).count - String(number).count) + String(number)
  }

  private func name(_ entity: String) -> String { entities[entity] ?? entity }

  private func name(_ property: String, of entity: String) -> String { properties[entity]?[property] ?? property }

  /// The model with the new names, without its configurations.
  ///
  /// Derivations keep their text, because the file does not contain them.
  func model(_ model: ManagedObjectModel) throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: model.entities.map { entity in
        var renamed = entity
        renamed.name = name(entity.name)
        renamed.superentityName = entity.superentityName.map(name)
        for index in entity.attributes.indices {
          renamed.attributes[index].name = name(entity.attributes[index].name, of: entity.name)
        }
        for (index, relationship) in entity.relationships.enumerated() {
          let destination = relationship.destinationEntityName
          renamed.relationships[index].name = name(relationship.name, of: entity.name)
          renamed.relationships[index].destinationEntityName = name(destination)
          renamed.relationships[index].inverseName = relationship.inverseName.map { name($0, of: destination) }
        }
        renamed.uniquenessConstraints = entity.uniquenessConstraints.map { $0.map { name($0, of: entity.name) } }
        for (index, fetchIndex) in entity.fetchIndexes.enumerated() {
          renamed.fetchIndexes[index].name = "i\(index + 1)"
          for element in fetchIndex.elements.indices {
            renamed.fetchIndexes[index].elements[element].propertyName = name(
              fetchIndex.elements[element].propertyName, of: entity.name)
          }
        }
        return renamed
      }, configurations: [:], keepsUnknownDerivations: true)
  }

  /// The profile with the new names.
  func profile(_ profile: DataProfile) -> DataProfile {
    var renamed = profile
    for (index, entity) in profile.entities.enumerated() {
      renamed.entities[index].name = name(entity.name)
      for position in entity.attributes.indices {
        renamed.entities[index].attributes[position].name = name(entity.attributes[position].name, of: entity.name)
      }
      for (position, relationship) in entity.relationships.enumerated() {
        renamed.entities[index].relationships[position].name = name(relationship.name, of: entity.name)
        renamed.entities[index].relationships[position].destination = name(relationship.destination)
      }
    }
    return renamed
  }
}
