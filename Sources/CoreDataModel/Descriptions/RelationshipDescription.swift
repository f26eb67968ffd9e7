// A relationship of an entity: its destination, how many objects it may have, and its delete rule.

/// Describes one relationship of an entity; its inverse is described separately.
///
/// ```swift
/// let region = RelationshipDescription("region", to: "Region", inverse: "quakes")
/// let quakes = RelationshipDescription("quakes", to: "Quake", inverse: "region", isToMany: true, deleteRule: .deny)
/// ```
public struct RelationshipDescription: Sendable, Hashable {
  /// The key of the object or objects: ASCII letters, digits and underscores, starting with a letter.
  public var name: String
  /// The destination entity; objects of its sub-entities may be destinations, too.
  public var destinationEntityName: String
  /// The destination's relationship back to this entity; `nil` for a to-one relationship without an inverse.
  public var inverseName: String?
  /// Whether it can have any number of destinations instead of at most one.
  public var isToMany: Bool
  /// Whether the objects of a to-many relationship have an order.
  public var isOrdered: Bool
  /// Whether an object can be saved with the relationship empty.
  public var isOptional: Bool
  /// The fewest objects in the relationship if it is not empty.
  public var minimumCount: Int
  /// The most objects in the relationship; 0 for no limit, always 1 for a to-one relationship.
  public var maximumCount: Int
  /// What deleting an object does to its destinations.
  public var deleteRule: DeleteRule
  /// The relationship's name in an earlier or later version of the model; `nil` if it was never renamed.
  public var renamingIdentifier: String?
  /// Text that changes the entity's version hash, so that stores made without it belong to another version of the
  /// model; `nil` for none.
  public var versionHashModifier: String?

  /// Describes a relationship.
  ///
  /// The inverse has no default value, so that omitting it is deliberate: without an inverse, nothing keeps the two
  /// ends consistent. A `maximumCount` of `nil` means 1 for a to-one relationship and no limit for a to-many one.
  ///
  /// ```swift
  /// let chapters = RelationshipDescription(
  ///   "chapters", to: "Chapter", inverse: "book", isToMany: true, isOrdered: true, minimumCount: 1)
  /// chapters.maximumCount  // 0: no limit
  /// ```
  public init(
    _ name: String, to destinationEntityName: String, inverse inverseName: String?, isToMany: Bool = false,
    isOrdered: Bool = false, isOptional: Bool = true, minimumCount: Int = 0, maximumCount: Int? = nil,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil, versionHashModifier: String? = nil
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
  }
}

/// What happens to the destinations of a relationship when its object is deleted.
///
/// ```swift
/// let dogs = RelationshipDescription("dogs", to: "Dog", inverse: "owner", isToMany: true, deleteRule: .cascade)
/// DeleteRule(rawValue: "no_action")  // .noAction, as a scenario file spells it
/// ```
public enum DeleteRule: String, Sendable, Hashable, CaseIterable, Codable {
  /// Nothing: they keep referring to the deleted object.
  case noAction = "no_action"
  /// They no longer refer to the deleted object.
  case nullify
  /// They are deleted too.
  case cascade
  /// The deletion is refused if there is a destination.
  case deny
}
