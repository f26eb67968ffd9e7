// An index that makes fetches of an entity faster.

/// Describes an index over some of an entity's properties.
public struct FetchIndexDescription: Sendable, Hashable {
  /// One column of the index.
  public struct Element: Sendable, Hashable {
    /// An attribute, or a to-one relationship.
    public var propertyName: String
    public var isAscending: Bool

    public init(_ propertyName: String, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isAscending = isAscending
    }
  }

  public var name: String
  public var elements: [Element]

  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// An index over properties in ascending order.
  public init(_ name: String, on propertyNames: [String]) {
    self.init(name, elements: propertyNames.map { Element($0) })
  }
}
