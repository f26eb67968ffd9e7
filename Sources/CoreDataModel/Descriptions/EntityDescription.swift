// An entity: its properties, its place in the inheritance, and which combinations of values must be unique.

/// Describes an entity: what Core Data keeps in one table, together with its sub-entities.
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
  /// What requests know it by: ASCII letters, digits and underscores, a letter first.
  public var name: String
  /// The entity whose properties this one inherits; nil for a root.
  public var superentityName: String?
  /// Whether only sub-entities have objects.
  public var isAbstract: Bool
  /// The entity's own attributes, without those it inherits.
  public var attributes: [AttributeDescription]
  /// The entity's own relationships, without those it inherits.
  public var relationships: [RelationshipDescription]
  /// Sets of attribute names whose values together must be unique in a store, among all entities of the hierarchy.
  ///
  /// A null never conflicts.
  public var uniquenessConstraints: [[String]]
  /// Indexes for fetches, beside those of the uniqueness constraints and the relationships.
  public var fetchIndexes: [FetchIndexDescription]
  /// The name by which an earlier or later version of the model knows the entity; nil where it was never renamed.
  public var renamingIdentifier: String?
  /// Text that changes the entity's version hash, so that a store made without it counts as one of another model; nil for
  /// none.
  public var versionHashModifier: String?

  /// Describes an entity; nothing is checked before it is part of a model.
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

  /// A root entity's table in a store: `Z` and the name in upper case, as Core Data spells it.
  ///
  /// A sub-entity is in its root's table: see ``ManagedObjectModel/tableName(of:)``.
  ///
  /// ```swift
  /// let quake = EntityDescription("Quake")
  /// quake.tableName  // "ZQUAKE"
  /// ```
  public var tableName: String { "Z" + name.uppercased() }

  /// The entity's own attribute of that name; O(number of attributes).
  ///
  /// ```swift
  /// if let magnitude = quake.attribute(named: "magnitude"), magnitude.isOptional {
  ///   print("a quake may be stored without a magnitude")
  /// }
  /// ```
  public func attribute(named name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  /// The entity's own relationship of that name; O(number of relationships).
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
