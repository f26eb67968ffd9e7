// An entity: its properties, its super-entity, and its uniqueness constraints.

/// Describes an entity; Core Data stores it in one table together with its sub-entities.
///
/// ```swift
/// let quake = EntityDescription(
///   "Quake",
///   attributes: [AttributeDescription("code", .string), AttributeDescription("time", .date)],
///   relationships: [RelationshipDescription("region", to: "Region", inverse: "quakes")],
///   uniquenessConstraints: [["code"]],
///   fetchIndexes: [FetchIndexDescription("byTime", on: ["time"])])
/// ```
public struct EntityDescription: Sendable, Hashable {
  /// The name that requests use: ASCII letters, digits and underscores, starting with a letter.
  public var name: String
  /// The super-entity, which provides inherited properties; `nil` for a root.
  public var superentityName: String?
  /// Whether only sub-entities can have objects.
  public var isAbstract: Bool
  /// The entity's own attributes, without inherited ones.
  public var attributes: [AttributeDescription]
  /// The entity's own relationships, without inherited ones.
  public var relationships: [RelationshipDescription]
  /// Sets of attributes whose combined values must be unique in a store, among all entities of the hierarchy.
  ///
  /// Null never conflicts.
  public var uniquenessConstraints: [[String]]
  /// Indexes for fetches, in addition to those for uniqueness constraints and relationships.
  public var fetchIndexes: [FetchIndexDescription]
  /// The entity's name in an earlier or later version of the model; `nil` if it was never renamed.
  public var renamingIdentifier: String?
  /// Text that changes the entity's version hash, so that stores made without it belong to another version of the
  /// model; `nil` for none.
  public var versionHashModifier: String?

  /// Describes an entity; the model checks it later.
  ///
  /// ```swift
  /// let event = EntityDescription("Event", isAbstract: true, attributes: [AttributeDescription("time", .date)])
  /// let explosion = EntityDescription("Explosion", superentity: "Event")
  /// ```
  public init(
    _ name: String, superentity superentityName: String? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    uniquenessConstraints: [[String]] = [], fetchIndexes: [FetchIndexDescription] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil
  ) {
    self.name = name
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.fetchIndexes = fetchIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
  }

  /// A root entity's table in a store, as Core Data names it: `Z` and the name in uppercase.
  ///
  /// A sub-entity uses its root's table: see ``ManagedObjectModel/tableName(of:)``.
  ///
  /// ```swift
  /// let quake = EntityDescription("Quake")
  /// quake.tableName  // "ZQUAKE"
  /// ```
  public var tableName: String { "Z" + name.uppercased() }

  /// The entity's own attribute with this name; O(number of attributes).
  ///
  /// ```swift
  /// if let magnitude = quake.attribute(named: "magnitude"), magnitude.isOptional {
  ///   print("a quake may be stored without a magnitude")
  /// }
  /// ```
  public func attribute(named name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  /// The entity's own relationship with this name; O(number of relationships).
  ///
  /// ```swift
  /// if let region = quake.relationship(named: "region"), !region.isToMany {
  ///   print("a quake has one \(region.destinationEntityName)")
  /// }
  /// ```
  public func relationship(named name: String) -> RelationshipDescription? {
    relationships.first { $0.name == name }
  }
}
