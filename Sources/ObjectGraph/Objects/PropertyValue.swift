// The value of any property: what changed values and committed values have under a key.
public import CoreDataModel

/// The value of an attribute, or the destinations of a relationship.
///
/// Literals make values of attributes. Objects belong to a context, so a property value stays on that context's queue.
///
/// ```swift
/// for (key, value) in quake.changedValues() {
///   switch value {
///   case .value(let value): print(key, value)
///   case .object(let object): print(key, object?.objectID.uriRepresentation() ?? "none")
///   case .objects(let objects): print(key, objects.count)
///   }
/// }
/// ```
public enum PropertyValue: Hashable {
  /// An attribute's value, or its absence.
  case value(AttributeValue)
  /// The object of a to-one relationship; nil when there is none.
  case object(ManagedObject?)
  /// The objects of a to-many relationship, in the order of ``ManagedObject/objects(forKey:)``.
  case objects([ManagedObject])

  /// The value of an attribute; nil for a relationship.
  ///
  /// ```swift
  /// let magnitude = quake.changedValues()["magnitude"]?.value
  /// ```
  public var value: AttributeValue? { if case .value(let value) = self { value } else { nil } }

  /// The object of a to-one relationship; nil when there is none, and for other properties.
  ///
  /// ```swift
  /// let formerRegion = quake.committedValues(forKeys: ["region"])["region"]?.object
  /// ```
  public var object: ManagedObject? { if case .object(let object) = self { object } else { nil } }

  /// The objects of a to-many relationship; nil for other properties.
  ///
  /// ```swift
  /// let formerQuakes = region.committedValues(forKeys: ["quakes"])["quakes"]?.objects ?? []
  /// let newQuakes = Set(region[Region.quakes]).subtracting(formerQuakes)
  /// ```
  public var objects: [ManagedObject]? { if case .objects(let objects) = self { objects } else { nil } }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
}
