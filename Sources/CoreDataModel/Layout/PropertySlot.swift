// The properties of an entity as its objects hold them: slots for attributes and to-one relationships, and to-many
// relationships apart.

/// What a slot of a row holds.
struct PropertySlot: Sendable {
  enum Kind: Sendable {
    case attribute(AttributeDescription)
    case toOne(ToOneLayout)
  }

  let name: String
  let kind: Kind
  let isOptional: Bool
  /// The column of the value or key; nil for a transient attribute.
  let columnName: String?

  var toOne: ToOneLayout? { if case .toOne(let toOne) = kind { toOne } else { nil } }
  var isTransient: Bool { columnName == nil }
}

/// A to-one relationship: a key in the row's own table.
struct ToOneLayout: Sendable {
  let relationship: RelationshipDescription
  /// The entity that declares the relationship, by its place in the model.
  let entityIndex: Int
  let destinationIndex: Int
  let destinationTable: String
  let keyColumn: String
  /// The column of the destination row's entity number (`Z<n>_<NAME>`), where the destination has sub-entities.
  let entityColumn: String?
  /// The column of the row's place among the destination's objects (`Z_FOK_<NAME>`), where the inverse is ordered.
  let orderColumn: String?
  /// Nil where nothing leads back.
  let inverse: RelationshipDescription?
}

/// A to-many relationship: keys in another table.
struct ToManyLayout: Sendable {
  enum Storage: Sendable {
    /// One-to-many: the destination's rows hold the key of this row.
    case inverseKey(InverseKey)
    /// Many-to-many: pairs of keys.
    case join(JoinEnds)
  }

  /// The column of the destination's table that leads back.
  struct InverseKey: Sendable {
    let table: String
    let keyColumn: String
    /// The column of this row's entity number, where the declaring entity has sub-entities.
    let entityColumn: String?
    /// The column of the destination's place among this row's objects, where the relationship is ordered.
    let orderColumn: String?
  }

  /// A join table seen from this relationship.
  struct JoinEnds: Sendable, Equatable {
    let table: String
    /// The column of this row's key.
    let sourceColumn: String
    /// The column of the keys of its objects.
    let destinationColumn: String
    /// The column of the objects' places in this relationship, where it is ordered.
    let orderColumn: String?
    /// The column of this row's places in its objects' relationships, where the inverse is ordered.
    let inverseOrderColumn: String?
    /// Whether this end names the table; pairs are written from this end alone.
    let isOwner: Bool
    /// Whether the relationship is its own inverse: each pair is stored in both directions, each with its own place.
    let isReflexive: Bool
  }

  let relationship: RelationshipDescription
  /// The entity that declares the relationship, by its place in the model.
  let entityIndex: Int
  let destinationIndex: Int
  let destinationTable: String
  let inverse: RelationshipDescription
  let storage: Storage
}
