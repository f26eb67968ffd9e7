// The contents of dictionaries: properties by name, and values that the store computes.

/// An item of a fetched dictionary; a string literal is a property's name or path.
///
/// ```swift
/// let properties: [FetchedProperty] = ["region.name", .expression(ExpressionDescription("quakes", .count))]
/// properties.map(\.name)  // ["region.name", "quakes"]
/// ```
public enum FetchedProperty: Sendable, Hashable {
  /// An attribute, a to-one relationship, or a path through to-one relationships such as `region.name`, which is also
  /// the item's name.
  ///
  /// `objectID` and `SELF` are the object itself.
  ///
  /// For objects, dictionaries contain IDs: ``DictionaryRow/objectID(forKey:)``.
  case property(String)
  /// A value that the store computes.
  case expression(ExpressionDescription)

  /// The name in the dictionaries.
  public var name: String {
    switch self {
    case .property(let name): name
    case .expression(let description): description.name
    }
  }
}

extension FetchedProperty: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .property(value) }
}

/// A value that the store computes for every dictionary of a fetch, with its name.
///
/// An aggregate over a path without a to-many relationship covers all rows of the group: `.aggregate(.maximum,
/// FetchPath("magnitude"))`. The count of `FetchPath(keys: [])` counts rows; the count of an attribute counts its
/// values. An aggregate through a to-many relationship belongs to a single row.
///
/// ```swift
/// let doubled = ExpressionDescription(
///   "doubled", .arithmetic(.path(FetchPath("magnitude")), .multiply, .constant(2)))
/// ```
public struct ExpressionDescription: Sendable, Hashable {
  /// The name, which must not be a property of the entity.
  ///
  /// Sort descriptors and the having predicate may use it.
  public var name: String
  /// What the value is computed from.
  public var expression: FetchExpression

  /// Creates a value that is computed from each row or each group of rows.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Region")
  /// let quakeCount = ExpressionDescription("quakeCount", .aggregate(.count, FetchPath("quakes")))
  /// request.propertiesToFetch = ["name", .expression(quakeCount)]
  /// ```
  public init(_ name: String, _ expression: FetchExpression) {
    self.name = name
    self.expression = expression
  }

  /// Creates an aggregate over the values of a property, or over the rows themselves if there is no key.
  ///
  /// ```swift
  /// let rows = ExpressionDescription("rows", .count)
  /// let mean = ExpressionDescription("mean", .average, of: "magnitude")
  /// ```
  public init(_ name: String, _ function: AggregateFunction, of key: String = "") {
    self.init(name, .aggregate(function, FetchPath(key)))
  }
}
