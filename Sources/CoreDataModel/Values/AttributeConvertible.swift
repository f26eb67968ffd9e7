// The Swift types that attributes are read and written as through typed keys.

/// A Swift type that stands for an attribute's value.
public protocol AttributeConvertible {
  var attributeValue: AttributeValue { get }
  /// Nil when the value is null or of another kind.
  init?(attributeValue: AttributeValue)
}

extension String: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .string(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .string(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Double: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .real(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .real(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Float: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .real(Double(self)) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .real(let value) = attributeValue else { return nil }
    self = Float(value)
  }
}

extension Bool: AttributeConvertible {
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

extension Int: AttributeConvertible {}
extension Int16: AttributeConvertible {}
extension Int32: AttributeConvertible {}
extension Int64: AttributeConvertible {}

extension Decimal: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .decimal(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .decimal(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Date: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .date(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .date(let value) = attributeValue else { return nil }
    self = value
  }
}

extension Data: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .binary(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .binary(let value) = attributeValue else { return nil }
    self = value
  }
}

extension UUID: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .uuid(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self = value
  }
}

extension URL: AttributeConvertible {
  @inlinable public var attributeValue: AttributeValue { .uri(self) }
  @inlinable public init?(attributeValue: AttributeValue) {
    guard case .uri(let value) = attributeValue else { return nil }
    self = value
  }
}
