// What predicates compare: constants, key paths, arithmetic, functions, aggregates.
public import CoreDataModel

/// A value to compare, as `NSExpression` is.
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
  /// Integers among themselves give integers, and doubles where they would overflow; division truncates.
  ///
  /// A division by zero gives null, as does everything with null.
  case arithmetic(FetchExpression, ArithmeticOperator, FetchExpression)
  /// The number with the other sign; null of null.
  case negation(FetchExpression)
  /// `lowercase:(place)`, `abs:(magnitude)`.
  case function(ExpressionFunction, FetchExpression)
  /// `now()`: the date at which the predicate or the request is evaluated, the same for all objects.
  case now
  /// `shocks.@count`, `shocks.@sum.magnitude`.
  case aggregate(AggregateFunction, FetchPath)
  /// `SUBQUERY(collection, $variable, predicate).@count`.
  case subqueryCount(collection: FetchPath, variable: String, predicate: FetchPredicate)
}

/// Steps from the evaluated object, or from a subquery's variable, to a value.
///
/// `length` behind an attribute is how many UTF-16 code units its text has, as `NSString` counts them, or how many bytes
/// its binary data. `objectID` at the end is the object itself, and `entity` or `entity.name` the name of its own entity,
/// never that of one it inherits from, unless the entity has a property of that name.
/// A step along a null to-one relationship gives null. Along to-many relationships a path gives a value for every
/// object that it reaches.
///
/// ```swift
/// FetchPath("region.name").keys              // ["region", "name"]
/// FetchPath("place.length").keys.last        // "length", in UTF-16 code units
/// ```
public struct FetchPath: Sendable, Hashable {
  /// The subquery's variable it starts at, without its `$`; nil for the evaluated object.
  public var variable: String?
  /// What the object itself is called where a property's name is expected.
  static let objectIDKey = "objectID"
  /// What its entity is called there.
  static let entityKey = "entity"

  /// Names of properties; empty for the object itself, which is `SELF`.
  public var keys: [String]

  /// The path of the given steps.
  ///
  /// ```swift
  /// let strength = FetchPath(variable: "q", keys: ["magnitude"])  // $q.magnitude
  /// let itself = FetchPath(keys: [])                              // SELF
  /// ```
  public init(variable: String? = nil, keys: [String]) {
    self.variable = variable
    self.keys = keys
  }

  /// The path to the object, where this one ends in `entity` or `entity.name`; nil where it does not.
  var withoutEntity: FetchPath? {
    var object = self
    if keys.count > 1, keys.last == "name" { object.keys.removeLast() }
    guard object.keys.last == FetchPath.entityKey else { return nil }
    object.keys.removeLast()
    return object
  }

  /// Whether it is a variable alone, which may stand for a value.
  var isVariable: Bool { variable != nil && keys.isEmpty }

  /// The path that is written with points: `network.name`.
  public init(_ dotted: String) {
    self.init(keys: dotted.split(separator: ".").map(String.init))
  }
}

/// What arithmetic does with two numbers.
///
/// The bitwise operators and ``modulus`` drop the fraction of a double first, as SQLite does.
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
  /// What is left of a division, with the sign of the dividend; null for a division by zero.
  case modulus = "modulus:by:"
  case bitwiseAnd = "&"
  case bitwiseOr = "|"
  case bitwiseXor = "^"
  /// A shift by 64 places or more leaves nothing, and a negative one shifts to the right.
  case shiftLeft = "<<"
  /// The sign stays; a negative shift is one to the left.
  case shiftRight = ">>"

  /// Whether the result is always an integer.
  var isBitwise: Bool {
    switch self {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: true
    case .add, .subtract, .multiply, .divide, .power, .modulus: false
    }
  }
}

/// An aggregate of all the values of a path through a to-many relationship.
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
  /// 0 for none; integers add up to an integer, and decimals of a fetch of dictionaries to a decimal.
  case sum
  /// A double, null for none.
  case average = "avg"
  /// Null for none.
  case minimum = "min"
  /// Null for none.
  case maximum = "max"
}
