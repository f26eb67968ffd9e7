// The objects on which predicates are evaluated.
public import CoreDataModel

/// Something with properties on which a predicate can be evaluated, such as an object.
///
/// ```swift
/// struct Reading: PredicateSubject {
///   let predicateObjectID: ManagedObjectID
///   let values: [String: AttributeValue]
///   func predicateValue(forKey key: String) throws -> PredicateValue { .attribute(values[key] ?? .null) }
/// }
/// let isStrong = try (Quake.magnitude > 4.5).evaluate(with: Reading(predicateObjectID: quakeID, values: rows[0]))
/// ```
public protocol PredicateSubject {
  /// Its identity, for comparisons of objects.
  var predicateObjectID: ManagedObjectID { get }

  /// The value of one property, with a name that contains no dots.
  ///
  /// - Throws: Why the value is unknown; ``FetchPredicateError/unknownKey(entity:key:expected:suggestion:)`` if there
  ///   is no such property.
  func predicateValue(forKey key: String) throws -> PredicateValue
}

/// The value of a property.
///
/// ```swift
/// switch try quake.predicateValue(forKey: "region") {
/// case .object(let region): print(region?.predicateObjectID.description ?? "no region")
/// case .attribute, .objects: print("no to-one relationship")
/// }
/// ```
public enum PredicateValue {
  case attribute(AttributeValue)
  /// The object of a to-one relationship.
  case object((any PredicateSubject)?)
  /// The objects of a to-many relationship.
  case objects([any PredicateSubject])
}
