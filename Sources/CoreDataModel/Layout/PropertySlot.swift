// The properties of an entity as objects store them: slots for attributes and to-one relationships, and to-many
// relationships separately.

/// What a slot of a row contains.
package struct PropertySlot: Sendable {
  package enum Kind: Sendable {
    case attribute(AttributeDescription)
    case toOne(ToOneLayout)
  }

  package let name: String
  package let kind: Kind
  package let isOptional: Bool
  /// The column of the value or key; `nil` for a transient attribute.
  package let columnName: String?

  package var toOne: ToOneLayout? { if case .toOne(let toOne) = kind { toOne } else { nil } }
  package var isTransient: Bool { columnName == nil }
}

/// A to-one relationship: a key in the row's own table.
package struct ToOneLayout: Sendable {
  package let relationship: RelationshipDescription
  /// The index of the entity that declares the relationship.
  package let entityIndex: Int
  package let destinationIndex: Int
  package let destinationTable: String
  package let keyColumn: String
  /// The column of the destination row's entity number (`Z<n>_<NAME>`), if the destination has sub-entities.
  package let entityColumn: String?
  /// The column of the row's position in the inverse (`Z_FOK_<NAME>`), if that is ordered.
  package let orderColumn: String?
  /// `nil` if there is no inverse.
  package let inverse: RelationshipDescription?
}

/// A to-many relationship: keys in another table.
package struct ToManyLayout: Sendable {
  package enum Storage: Sendable {
    /// One-to-many: the destination's rows contain the key of this row.
    case inverseKey(InverseKey)
    /// Many-to-many: pairs of keys.
    case join(JoinEnds)
  }

  /// The column of the destination's table that refers back to this row.
  package struct InverseKey: Sendable {
    package let table: String
    package let keyColumn: String
    /// The column of this row's entity number, if the declaring entity has sub-entities.
    package let entityColumn: String?
    /// The column of the destination's position in this relationship, if it is ordered.
    package let orderColumn: String?
  }

  /// A join table from the perspective of this relationship.
  package struct JoinEnds: Sendable, Equatable {
    package let table: String
    /// The column of this row's key.
    package let sourceColumn: String
    /// The column of the destinations' keys.
    package let destinationColumn: String
    /// The column of the destinations' positions in this relationship, if it is ordered.
    package let orderColumn: String?
    /// The column of this row's positions in its destinations' relationships, if the inverse is ordered.
    package let inverseOrderColumn: String?
    /// Whether the table is named after this end; only this end writes pairs.
    package let isOwner: Bool
    /// Whether the relationship is its own inverse: each pair is stored in both directions, each with its own position.
    package let isReflexive: Bool
  }

  package let relationship: RelationshipDescription
  /// The index of the entity that declares the relationship.
  package let entityIndex: Int
  package let destinationIndex: Int
  package let destinationTable: String
  package let inverse: RelationshipDescription
  package let storage: Storage
}
