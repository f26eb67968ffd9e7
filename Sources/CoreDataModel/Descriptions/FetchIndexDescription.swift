// An index that speeds up fetches of an entity.

/// Describes an index over some of an entity's properties.
///
/// ```swift
/// let strongestFirst = FetchIndexDescription(
///   "strongestFirst", elements: [.init("region"), .init("magnitude", isAscending: false)])
/// ```
public struct FetchIndexDescription: Sendable, Hashable {
  /// One column of the index.
  public struct Element: Sendable, Hashable {
    /// An attribute, or a to-one relationship.
    public var propertyName: String
    /// Whether the index is in ascending order.
    public var isAscending: Bool

    /// Describes a column of an index, ascending by default.
    ///
    /// ```swift
    /// let newestFirst = FetchIndexDescription.Element("time", isAscending: false)
    /// let byTime = FetchIndexDescription("byTime", elements: [newestFirst])
    /// ```
    public init(_ propertyName: String, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isAscending = isAscending
    }
  }

  /// The name of the index, unique in its entity.
  public var name: String
  /// The columns, the most significant first.
  public var elements: [Element]

  /// Describes an index over columns, the most significant first.
  ///
  /// ```swift
  /// let byRegionAndTime = FetchIndexDescription(
  ///   "byRegionAndTime", elements: [.init("region"), .init("time", isAscending: false)])
  /// ```
  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// Describes an index over properties in ascending order.
  ///
  /// ```swift
  /// let byPlaceAndTime = FetchIndexDescription("byPlaceAndTime", on: ["place", "time"])
  /// byPlaceAndTime.elements.map(\.propertyName)  // ["place", "time"]
  /// ```
  public init(_ name: String, on propertyNames: [String]) {
    self.init(name, elements: propertyNames.map { Element($0) })
  }
}
