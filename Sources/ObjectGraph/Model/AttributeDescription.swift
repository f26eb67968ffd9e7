// An attribute of an entity: its name, type, whether it may be absent, and its default.

/// Describes one attribute of an entity.
public struct AttributeDescription: Sendable, Hashable {
  public var name: String
  public var type: AttributeType
  /// Whether the attribute may be absent when its object is saved.
  public var isOptional: Bool
  /// The value a new object starts with; `.null` for none.
  public var defaultValue: AttributeValue

  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, defaultValue: AttributeValue = .null
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
  }

  /// The attribute's column in a store: `Z` and the name in upper case, as Core Data spells it.
  public var columnName: String { "Z" + name.uppercased() }
}
