// The operands of predicates: constants, key paths, arithmetic, functions, aggregates.
public import CoreDataModel

/// A value to compare, like `NSExpression`.
///
/// ```swift
/// let felt = FetchExpression.arithmetic(.path(FetchPath("felt")), .add, .constant(1))
/// try context.execute(BatchUpdateRequest(entityName: "Quake", expressions: ["felt": felt]))
/// ```
public indirect enum FetchExpression: Sendable, Hashable {
  /// A value that is the same for every object.
  case constant(AttributeValue)
  /// A given object.
  case object(ManagedObjectID)
  /// `{1, 2, 3}`, for `IN` and `BETWEEN`.
  case list([FetchExpression])
  /// `place`, `network.name`, `SELF`, `$x.name`, `place.length`.
  case path(FetchPath)
  /// Integers give integers, or doubles if they would overflow; division truncates.
  ///
  /// A division by zero gives null, as does any operation with null.
  case arithmetic(FetchExpression, ArithmeticOperator, FetchExpression)
  /// The number with the opposite sign; null for null.
  case negation(FetchExpression)
  /// `lowercase:(place)`, `abs:(magnitude)`.
  case function(ExpressionFunction, FetchExpression)
  /// `now()`: the date when the predicate or the request is evaluated, the same for all objects.
  case now
  /// `shocks.@count`, `shocks.@sum.magnitude`.
  case aggregate(AggregateFunction, FetchPath)
  /// `SUBQUERY(collection, $variable, predicate).@count`.
  case subqueryCount(collection: FetchPath, variable: String, predicate: FetchPredicate)
}

/// Steps from the evaluated object, or from a subquery's variable, to a value.
///
/// `length` after an attribute is the number of UTF-16 code units of its text, as `NSString` counts them, or of bytes
/// of its binary data. `objectID` at the end is the object itself. `entity` or `entity.name` at the end is the name of
/// its own entity, never of a super-entity, unless the entity has a property with that name. A step along a null to-one
/// relationship gives null. Along to-many relationships, a path gives a value for every object that it reaches.
///
/// ```swift
/// FetchPath("region.name").keys              // ["region", "name"]
/// FetchPath("place.length").keys.last        // "length", in UTF-16 code units
/// ```
public struct FetchPath: Sendable, Hashable {
  /// The subquery variable it starts at, without `$`; `nil` for the evaluated object.
  public var variable: String?
  /// The key for the object itself in place of a property's name.
  static let objectIDKey = "objectID"
  /// The key for its entity.
  static let entityKey = "entity"

  /// The names of properties; empty for the object itself, which is `SELF`.
  public var keys: [String]

  /// Creates a path with these steps.
  ///
  /// ```swift
  /// let strength = FetchPath(variable: "q", keys: ["magnitude"])  // $q.magnitude
  /// let itself = FetchPath(keys: [])                              // SELF
  /// ```
  public init(variable: String? = nil, keys: [String]) {
    self.variable = variable
    self.keys = keys
  }

  /// The path to the object if this path ends in `entity` or `entity.name`; otherwise `nil`.
  var withoutEntity: FetchPath? {
    var object = self
    if keys.count > 1, keys.last == "name" { object.keys.removeLast() }
    guard object.keys.last == FetchPath.entityKey else { return nil }
    object.keys.removeLast()
    return object
  }

  /// Whether it is only a variable, which may be replaced by a value.
  var isVariable: Bool { variable != nil && keys.isEmpty }

  /// Creates a path from dotted text: `network.name`.
  public init(_ dotted: String) {
    self.init(keys: dotted.split(separator: ".").map(String.init))
  }
}

/// The operators of arithmetic between two numbers.
///
/// Like SQLite, bitwise operators and ``modulus`` first drop the fraction of a double.
///
/// ```swift
/// let doubled = FetchExpression.arithmetic(.path(FetchPath("magnitude")), .multiply, .constant(2))
/// doubled.description  // "(magnitude * 2)"
/// ```
public enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  /// Always a double.
  case power = "**"
  /// The remainder of a division, with the sign of the dividend; null for a division by zero.
  case modulus = "modulus:by:"
  case bitwiseAnd = "&"
  case bitwiseOr = "|"
  case bitwiseXor = "^"
  /// A shift by 64 places or more gives 0, and a negative one shifts to the right.
  case shiftLeft = "<<"
  /// The sign stays; a negative shift shifts to the left.
  case shiftRight = ">>"

  /// Whether the result is always an integer.
  var isBitwise: Bool {
    switch self {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: true
    case .add, .subtract, .multiply, .divide, .power, .modulus: false
    }
  }
}

/// An aggregate of all values of a path through a to-many relationship.
///
/// Nulls are ignored.
///
/// ```swift
/// let strongest = ExpressionDescription("strongest", .maximum, of: "magnitude")
/// let quakesOfRegion = FetchExpression.aggregate(.count, FetchPath("quakes"))
/// ```
public enum AggregateFunction: String, Sendable, Hashable, CaseIterable {
  /// How many objects the path reaches.
  case count
  /// 0 for none; integers add up to an integer, and in a fetch of dictionaries, decimals add up to a decimal.
  case sum
  /// A double; null for none.
  case average = "avg"
  /// Null for none.
  case minimum = "min"
  /// Null for none.
  case maximum = "max"
}
