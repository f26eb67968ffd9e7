// The properties of an entity as its objects hold them: slots for attributes and to-one relationships, and to-many
// relationships apart.

/// What a slot of a row holds.
package struct PropertySlot: Sendable {
  package enum Kind: Sendable {
    case attribute(AttributeDescription)
    case toOne(ToOneLayout)
  }

  package let name: String
  package let kind: Kind
  package let isOptional: Bool
  /// The column of the value or key; nil for a transient attribute.
  package let columnName: String?

  package var toOne: ToOneLayout? { if case .toOne(let toOne) = kind { toOne } else { nil } }
  package var isTransient: Bool { columnName == nil }
}

/// A to-one relationship: a key in the row's own table.
package struct ToOneLayout: Sendable {
  package let relationship: RelationshipDescription
  /// The entity that declares the relationship, by its place in the model.
  package let entityIndex: Int
  package let destinationIndex: Int
  package let destinationTable: String
  package let keyColumn: String
  /// The column of the destination row's entity number (`Z<n>_<NAME>`), where the destination has sub-entities.
  package let entityColumn: String?
  /// The column of the row's place among the destination's objects (`Z_FOK_<NAME>`), where the inverse is ordered.
  package let orderColumn: String?
  /// Nil where nothing leads back.
  package let inverse: RelationshipDescription?
}

/// A to-many relationship: keys in another table.
package struct ToManyLayout: Sendable {
  package enum Storage: Sendable {
    /// One-to-many: the destination's rows hold the key of this row.
    case inverseKey(InverseKey)
    /// Many-to-many: pairs of keys.
    case join(JoinEnds)
  }

  /// The column of the destination's table that leads back.
  package struct InverseKey: Sendable {
    package let table: String
    package let keyColumn: String
    /// The column of this row's entity number, where the declaring entity has sub-entities.
    package let entityColumn: String?
    /// The column of the destination's place among this row's objects, where the relationship is ordered.
    package let orderColumn: String?
  }

  /// A join table seen from this relationship.
  package struct JoinEnds: Sendable, Equatable {
    package let table: String
    /// The column of this row's key.
    package let sourceColumn: String
    /// The column of the keys of its objects.
    package let destinationColumn: String
    /// The column of the objects' places in this relationship, where it is ordered.
    package let orderColumn: String?
    /// The column of this row's places in its objects' relationships, where the inverse is ordered.
    package let inverseOrderColumn: String?
    /// Whether this end names the table; pairs are written from this end alone.
    package let isOwner: Bool
    /// Whether the relationship is its own inverse: each pair is stored in both directions, each with its own place.
    package let isReflexive: Bool
  }

  package let relationship: RelationshipDescription
  /// The entity that declares the relationship, by its place in the model.
  package let entityIndex: Int
  package let destinationIndex: Int
  package let destinationTable: String
  package let inverse: RelationshipDescription
  package let storage: Storage
}
