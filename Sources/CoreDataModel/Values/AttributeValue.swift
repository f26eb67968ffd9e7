// The value of one attribute: one representation for objects, snapshots, dictionaries and statements.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of an attribute, or its absence.
///
/// An enum and not `Any`: no box, no dynamic cast, `Sendable`, and a wrong type is found by comparing tags.
/// Literals make values, so that `["code": "us1000", "magnitude": 4.5]` is a row.
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
  /// In the place of a to-one relationship, in snapshots; it cannot be set as a value.
  case reference(ObjectReference)

  /// Whether there is no value.
  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether nothing of the value would be left in a store: SQLite keeps no NaN.
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

  /// Whether a store has the same for both: equal texts may be of different code points, and NaN is null there.
  package func isStored(as other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.string(let mine), .string(let others)): mine == others && mine.utf8.elementsEqual(others.utf8)
    default: self == other || isStoredAsNull && other.isStoredAsNull
    }
  }

  /// What the value is, in the words of the model's types, for messages.
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
    // One that may be too large or too small for a decimal.
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

  /// Whether the value is already of the type's own kind; null always is.
  @_documentation(visibility: internal)
  @inlinable public func isOfKind(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.string, .string), (.real, .double), (.date, .date), (.null, _), (.integer, .int64), (.boolean, .boolean),
      (.decimal, .decimal), (.binary, .binary), (.binary, .transformable), (.uuid, .uuid), (.uri, .uri):
      true
    default: false
    }
  }

  /// The value as an attribute of the type holds it; nil when it cannot.
  ///
  /// Numbers convert as far as nothing is lost in kind: integers to floating point and decimals, floating point to
  /// a rounded `float`. Null is held by every type: whether it may stay is decided when the object is saved.
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
      // The conversion of an infinity ends the program, and what is beyond the range of decimals becomes NaN.
      if value.isInfinite { return nil }
      let decimal = Decimal(value)
      return decimal.isNaN && !value.isNaN ? nil : .decimal(decimal)
    default: return nil
    }
  }

  /// Why the value cannot be held by an attribute of the type, as "found …; expected …"; nil when it can.
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
