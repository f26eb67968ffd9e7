// The arguments that can replace a % in a format.
public import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value for `%@` and similar placeholders in a predicate's format.
///
/// These types conform: attribute values and the Swift types that represent them, object IDs, objects, entities, and
/// arrays, sets and optionals of all of these.
///
/// ```swift
/// let codes = ["us1000ep7p", "us1000ep5z"]
/// let some = try FetchPredicate(format: "code IN %@ AND time > %@ AND region == %@", codes, yesterday, region)
/// ```
public protocol PredicateArgument {
  var predicateExpression: FetchExpression { get }
}

extension PredicateArgument where Self: AttributeConvertible {
  public var predicateExpression: FetchExpression { .constant(attributeValue) }
}

extension String: PredicateArgument {}
extension Double: PredicateArgument {}
extension Float: PredicateArgument {}
extension Bool: PredicateArgument {}
extension Int: PredicateArgument {}
extension Int16: PredicateArgument {}
extension Int32: PredicateArgument {}
extension Int64: PredicateArgument {}
extension Decimal: PredicateArgument {}
extension Date: PredicateArgument {}
extension Data: PredicateArgument {}
extension UUID: PredicateArgument {}
extension URL: PredicateArgument {}

extension AttributeValue: PredicateArgument {
  public var predicateExpression: FetchExpression { .constant(self) }
}

extension ManagedObjectID: PredicateArgument {
  public var predicateExpression: FetchExpression { .object(self) }
}

extension ManagedObject: PredicateArgument {
  public final var predicateExpression: FetchExpression { .object(objectID) }
}

extension EntityDescription: PredicateArgument {
  /// Its name, for `entity == %@`.
  public var predicateExpression: FetchExpression { .constant(.string(name)) }
}

extension FetchExpression: PredicateArgument {
  public var predicateExpression: FetchExpression { self }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  public var predicateExpression: FetchExpression { self?.predicateExpression ?? .constant(.null) }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  public var predicateExpression: FetchExpression { .list(map(\.predicateExpression)) }
}

extension Set: PredicateArgument where Element: PredicateArgument {
  public var predicateExpression: FetchExpression { .list(map(\.predicateExpression)) }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
  /// The two bounds, for `BETWEEN`.
  public var predicateExpression: FetchExpression {
    .list([lowerBound.predicateExpression, upperBound.predicateExpression])
  }
}
