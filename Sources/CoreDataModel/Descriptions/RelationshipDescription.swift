// A relationship of an entity: where it leads, how many objects it holds, and what a deletion does to them.

/// Describes one relationship of an entity; its inverse is the other half.
///
/// ```swift
/// let region = RelationshipDescription("region", to: "Region", inverse: "quakes")
/// let quakes = RelationshipDescription("quakes", to: "Quake", inverse: "region", isToMany: true, deleteRule: .deny)
/// ```
public struct RelationshipDescription: Sendable, Hashable {
  /// The key of the object or objects: ASCII letters, digits and underscores, a letter first.
  public var name: String
  /// The relationship's destination entity; objects of its subentities may be destinations, too.
  public var destinationEntityName: String
  /// The destination's relationship back to this entity; nil for a to-one relationship without an inverse.
  public var inverseName: String?
  /// Whether it has any number of destinations, and not one at most.
  public var isToMany: Bool
  /// Whether the objects of a to-many relationship are kept in an order.
  public var isOrdered: Bool
  /// Whether the relationship may be empty when its object is saved.
  public var isOptional: Bool
  /// The fewest objects a relationship that is not empty may hold.
  public var minimumCount: Int
  /// The most objects the relationship may hold; 0 for no limit, always 1 for a to-one relationship.
  public var maximumCount: Int
  /// What the deletion of its object does to those at the other end.
  public var deleteRule: DeleteRule
  /// The name by which an earlier or later version of the model knows the relationship; nil where it was never renamed.
  public var renamingIdentifier: String?
  /// Text that changes the entity's version hash, so that a store made without it counts as one of another model; nil for
  /// none.
  public var versionHashModifier: String?

  /// Describes a relationship.
  ///
  /// The inverse has no default, so that leaving it out is a decision: without one, nothing keeps the two ends in step.
  /// A `maximumCount` of nil is 1 for a to-one relationship and no limit for a to-many one.
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

/// What happens to the objects at the other end of a relationship when an object is deleted.
///
/// ```swift
/// let dogs = RelationshipDescription("dogs", to: "Dog", inverse: "owner", isToMany: true, deleteRule: .cascade)
/// DeleteRule(rawValue: "no_action")  // .noAction, as a scenario file spells it
/// ```
public enum DeleteRule: String, Sendable, Hashable, CaseIterable, Codable {
  /// Nothing: they keep naming an object that is gone.
  case noAction = "no_action"
  /// They forget the deleted object.
  case nullify
  /// They are deleted too.
  case cascade
  /// The deletion is refused while there is one.
  case deny
}
