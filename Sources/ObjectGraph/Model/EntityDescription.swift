// An entity: its attributes and which combinations of them must be unique.

/// Describes an entity: what Core Data keeps in one table.
public struct EntityDescription: Sendable, Hashable {
  public var name: String
  public var attributes: [AttributeDescription]
  /// Sets of attribute names whose values together must be unique in a store.
  ///
  /// A null never conflicts.
  public var uniquenessConstraints: [[String]]

  public init(_ name: String, attributes: [AttributeDescription], uniquenessConstraints: [[String]] = []) {
    self.name = name
    self.attributes = attributes
    self.uniquenessConstraints = uniquenessConstraints
  }

  /// The entity's table in a store: `Z` and the name in upper case, as Core Data spells it.
  public var tableName: String { "Z" + name.uppercased() }

  /// The attribute of that name; O(number of attributes).
  public func attribute(named name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }
}
