// An entity while it is read: what it says, and where.
import CoreDataModel

/// An entity and where its parts were written.
struct EntityReading {
  var description: EntityDescription
  var place: SourceLocation
  /// Whether a mistake was found in its uniqueness constraints.
  var hasWrongConstraints = false
  /// All attribute names, also those of attributes with mistakes.
  var attributeNames: [String] = []
  /// By attribute name: the places of its name and of its type.
  var attributePlaces: [String: (name: SourceLocation, type: SourceLocation)] = [:]
  /// All relationship names, also those of relationships with mistakes.
  var relationshipNames: [String] = []
  var relationships: [RelationshipReading] = []
  /// What names other entities and their properties, which is read when all of them are known.
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
  /// Nil if the file says that there is none.
  var inverse: YAMLNode?
}
