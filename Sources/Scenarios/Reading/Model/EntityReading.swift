// An entity while it is being read, with the positions of its parts.
import CoreDataModel

/// An entity and where its parts were written.
struct EntityReading {
  var description: EntityDescription
  var place: SourceLocation
  /// Whether its uniqueness constraints have a mistake.
  var hasWrongConstraints = false
  /// All attribute names, including those of attributes with mistakes.
  var attributeNames: [String] = []
  /// The positions of each attribute's name and type, by attribute name.
  var attributePlaces: [String: (name: SourceLocation, type: SourceLocation)] = [:]
  /// All relationship names, including those of relationships with mistakes.
  var relationshipNames: [String] = []
  var relationships: [RelationshipReading] = []
  /// The parts that refer to other entities and their properties.
  ///
  /// They are read when all entities are known.
  var parent: YAMLNode?
  var unique: YAMLNode?
  var indexes: YAMLNode?
  var indexPlaces: [String: SourceLocation] = [:]

  /// Where a part of the entity was written.
  func place(of part: ModelProblem.Part?) -> SourceLocation {
    switch part {
    case .attribute(let name), .derivation(ofAttribute: let name): attributePlaces[name]?.name ?? place
    case .relationship(let name): relationships.first { $0.description.name == name }?.place ?? place
    case .uniquenessConstraint: unique?.place ?? place
    case .fetchIndex(let name): indexPlaces[name] ?? place
    case nil: place
    }
  }
}

/// A relationship and where its parts were written.
struct RelationshipReading {
  var description: RelationshipDescription
  var place: SourceLocation
  var destination: YAMLNode
  /// `nil` if the file says that there is no inverse.
  var inverse: YAMLNode?
}
