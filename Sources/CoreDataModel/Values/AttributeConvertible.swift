// The Swift types in which typed keys read and write attributes.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A Swift type that represents an attribute's value.
///
/// ```swift
/// enum Status: String, AttributeConvertible {
///   case automatic, reviewed
///   var attributeValue: AttributeValue { .string(rawValue) }
///   init?(attributeValue: AttributeValue) {
///     self.init(rawValue: String(attributeValue: attributeValue) ?? "")
///   }
/// }
/// ```
public protocol AttributeConvertible: SendableMetatype {
  /// The value as an attribute holds it.
  var attributeValue: AttributeValue { get }
  /// `nil` if the value is null or has another type.
  init?(attributeValue: AttributeValue)
  /// Whether the type can represent every value of such an attribute; by default, that depends on the value.
  static func stands(for type: AttributeType) -> Bool
}

extension AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { true }
}

extension String: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .string }
  @inlinable public var attributeValue: AttributeValue { .string(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .string(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Double: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .double || type == .float }
  @inlinable public var attributeValue: AttributeValue { .real(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .real(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Float: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .float || type == .double }
  @inlinable public var attributeValue: AttributeValue { .real(Double(self)) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .real(let value) = attributeValue else { return nil }
    self = Float(value)
  }
}

extension Bool: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .boolean }
  @inlinable public var attributeValue: AttributeValue { .boolean(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .boolean(let value) = attributeValue else { return nil }
    self = value
  }
}

extension AttributeConvertible where Self: FixedWidthInteger & SignedInteger {
  @inlinable public var attributeValue: AttributeValue { .integer(Int64(self)) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .integer(let value) = attributeValue else { return nil }
    self.init(exactly: value)
  }
}

extension Int: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .int16 || type == .int32 || type == .int64 }
}

extension Int16: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .int16 }
}

extension Int32: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .int16 || type == .int32 }
}

extension Int64: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .int16 || type == .int32 || type == .int64 }
}

extension Decimal: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .decimal }
  @inlinable public var attributeValue: AttributeValue { .decimal(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .decimal(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Date: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .date }
  @inlinable public var attributeValue: AttributeValue { .date(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .date(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Data: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .binary || type == .transformable }
  @inlinable public var attributeValue: AttributeValue { .binary(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .binary(let value) = attributeValue else { return nil }
    self = value
  }
}

extension UUID: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .uuid }
  @inlinable public var attributeValue: AttributeValue { .uuid(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self = value
  }
}

extension URL: AttributeConvertible {
  public static func stands(for type: AttributeType) -> Bool { type == .uri }
  @inlinable public var attributeValue: AttributeValue { .uri(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .uri(let value) = attributeValue else { return nil }
    self = value
  }
}
