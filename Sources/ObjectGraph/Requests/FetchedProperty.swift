// What the dictionaries of a fetch hold: properties by name, and values worked out by the store under names of their own.

/// Something a dictionary of a fetch holds; a string literal is a property's name or path.
///
/// ```swift
/// let properties: [FetchedProperty] = ["region.name", .expression(ExpressionDescription("quakes", .count))]
/// properties.map(\.name)  // ["region.name", "quakes"]
/// ```
public enum FetchedProperty: Sendable, Hashable {
  /// An attribute, a to-one relationship, or a path to one through to-one relationships, such as `region.name`, which is
  /// its name too; `objectID` and `SELF` are the object itself.
  ///
  /// Dictionaries hold the IDs of objects: ``DictionaryRow/objectID(forKey:)``.
  case property(String)
  /// A value that the store works out.
  case expression(ExpressionDescription)

  /// What the dictionaries know it by.
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

/// A value that the store works out for every dictionary of a fetch, and its name.
///
/// An aggregate whose path has no to-many relationship is computed over all rows of the group:
/// `.aggregate(.maximum, FetchPath("magnitude"))`; the count of `FetchPath(keys: [])` is that of the rows, the count of
/// an attribute is that of its values. An aggregate through a to-many relationship is one row's own.
///
/// ```swift
/// let doubled = ExpressionDescription(
///   "doubled", .arithmetic(.path(FetchPath("magnitude")), .multiply, .constant(2)))
/// ```
public struct ExpressionDescription: Sendable, Hashable {
  /// The name, which no property of the entity has.
  ///
  /// Sort descriptors and the having predicate may name it.
  public var name: String
  /// What the value is computed from.
  public var expression: FetchExpression

  /// A value worked out from what each row, or each group of rows, has.
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

  /// An aggregate over the values of a property, or over the rows themselves where there is no key.
  ///
  /// ```swift
  /// let rows = ExpressionDescription("rows", .count)
  /// let mean = ExpressionDescription("mean", .average, of: "magnitude")
  /// ```
  public init(_ name: String, _ function: AggregateFunction, of key: String = "") {
    self.init(name, .aggregate(function, FetchPath(key)))
  }
}
