// The value of one attribute, in one representation for objects, snapshots, dictionaries and statements.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of an attribute, or its absence.
///
/// It is an enum rather than `Any`: no box, no dynamic cast, `Sendable`, and a type check compares tags. Literals
/// become values, so that `["code": "us1000", "magnitude": 4.5]` is a row.
///
/// ```swift
/// let row: [String: AttributeValue] = [
///   "code": "us1000ep7p", "magnitude": 4.6, "felt": 12, "reviewed": true, "time": .date(Date()), "place": .null,
/// ]
/// ```
public enum AttributeValue: Sendable, Hashable {
  case null
  /// For `int16`, `int32` and `int64`.
  case integer(Int64)
  case boolean(Bool)
  /// For `float` and `double`.
  case real(Double)
  case decimal(Decimal)
  case date(Date)
  case string(String)
  case binary(Data)
  case uuid(UUID)
  case uri(URL)
  /// A to-one relationship, in snapshots; it cannot be set as a value.
  case reference(ObjectReference)

  /// Whether there is no value.
  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether a store would keep nothing of the value: SQLite stores NaN as NULL.
  @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public var isStoredAsNull: Bool {
    switch self {
    case .null: true
    case .real(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .decimal(let decimal): decimal.isNaN
    default: false
    }
  }

  /// Whether a store keeps the same for both: equal texts may have different code points, and NaN becomes null.
  package func isStored(as other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.string(let mine), .string(let others)): mine == others && mine.utf8.elementsEqual(others.utf8)
    default: self == other || isStoredAsNull && other.isStoredAsNull
    }
  }

  /// The kind of the value as the model's types name it, for messages.
  ///
  /// ```swift
  /// AttributeValue.real(4.6).typeName       // "a floating-point number"
  /// AttributeValue.integer(12).typeName     // "the integer 12"
  /// ```
  public var typeName: String {
    switch self {
    case .null: "null"
    case .integer(let value): "the integer \(value)"
    case .boolean: "a boolean"
    // Show numbers that may be too large or too small for a decimal.
    case .real(let value) where value != 0 && !(1e-100...1e100).contains(value.magnitude):
      "the floating-point number \(value)"
    case .real: "a floating-point number"
    case .decimal: "a decimal"
    case .date: "a date"
    case .string: "a string"
    case .binary: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .reference: "an object"
    }
  }

  /// Whether the value already has the attribute type's kind; null always does.
  @_documentation(visibility: internal)
  @inlinable public func isOfKind(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.string, .string), (.real, .double), (.date, .date), (.null, _), (.integer, .int64), (.boolean, .boolean),
      (.decimal, .decimal), (.binary, .binary), (.binary, .transformable), (.uuid, .uuid), (.uri, .uri):
      true
    default: false
    }
  }

  /// The value converted to an attribute's type; `nil` if that is impossible.
  ///
  /// Integers convert to floating point and decimals, and floating point to a rounded `float`. Every type accepts null;
  /// a save checks whether it is allowed.
  package func conformed(to type: AttributeType) -> AttributeValue? {
    if isOfKind(type) { return self }
    switch (self, type) {
    case (.integer(let value), .int16): return Int16(exactly: value) == nil ? nil : self
    case (.integer(let value), .int32): return Int32(exactly: value) == nil ? nil : self
    case (.integer(let value), .double): return .real(Double(value))
    case (.integer(let value), .float): return .real(Double(Float(value)))
    case (.integer(let value), .decimal): return .decimal(Decimal(value))
    case (.real(let value), .float): return .real(Double(Float(value)))
    case (.real(let value), .decimal):
      // Converting an infinity traps, and values beyond the range of decimals become NaN.
      if value.isInfinite { return nil }
      let decimal = Decimal(value)
      return decimal.isNaN && !value.isNaN ? nil : .decimal(decimal)
    default: return nil
    }
  }

  /// Why an attribute of this type cannot have the value, as "found …; expected …"; `nil` if it can.
  ///
  /// ```swift
  /// AttributeValue.integer(40_000).mismatch(with: .int16)  // "found the integer 40000; expected an int16, …"
  /// AttributeValue.integer(4).mismatch(with: .double)      // nil: an integer becomes a double
  /// ```
  public func mismatch(with type: AttributeType) -> String? {
    conformed(to: type) == nil ? "found \(typeName); expected \(type.expectation)" : nil
  }
}

extension AttributeType {
  /// The type with its article and its limits, for messages.
  ///
  /// ```swift
  /// AttributeType.uuid.expectation   // "a UUID"
  /// AttributeType.int16.expectation  // "an int16, -32768 to 32767"
  /// ```
  public var expectation: String {
    switch self {
    case .int16: "an int16, -32768 to 32767"
    case .int32: "an int32, -2147483648 to 2147483647"
    case .int64: "an int64"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary, .transformable: "binary data"
    default: "a \(rawValue)"
    }
  }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
