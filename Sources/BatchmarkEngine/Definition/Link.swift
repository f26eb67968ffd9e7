// The links of a source's rows: the part of an object graph that a flat source can have.

/// A to-one relationship of the scenario's entity, and the attribute that names its destination.
///
/// A row is linked to the destination object with the name in the attribute; null means no link. The source has no rows
/// of the destination: there is one object for each name.
public struct Link: Sendable, Hashable {
  /// The relationship of the scenario's entity.
  public var relationship: String
  /// The string attribute of the scenario's entity with the name.
  public var attribute: String
  /// The relationship's destination entity, which has one attribute.
  public var destinationEntityName: String
  /// That attribute: a unique string.
  public var destinationAttribute: String

  public init(
    _ relationship: String, by attribute: String, to destinationEntityName: String, named destinationAttribute: String
  ) {
    self.relationship = relationship
    self.attribute = attribute
    self.destinationEntityName = destinationEntityName
    self.destinationAttribute = destinationAttribute
  }
}
