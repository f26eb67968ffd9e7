// An attribute's value as a file stores it, for engines to bind and for verification to read.
internal import Foundation
public import CoreDataModel

/// The stored form of a value: at most one of the properties is not `nil`.
///
/// ```swift
/// StoredValue(.boolean(true), type: .boolean).integer  // 1
/// StoredValue("us1000ep7p", type: .string).text        // "us1000ep7p"
/// ```
public struct StoredValue: Sendable, Hashable, Codable {
  /// Integers, and booleans as 0 or 1.
  public private(set) var integer: Int64?
  /// Floating point numbers and decimals, and dates as seconds since 2001.
  public private(set) var real: Double?
  /// Text and URIs.
  public private(set) var text: String?
  /// Binary data, and UUIDs as their 16 bytes.
  public private(set) var blob: [UInt8]?

  /// The value of a source row, or the attribute's stored default if the row has none.
  package init(_ row: Int, of column: Column, type: AttributeType, fallback: StoredValue) {
    switch column {
    case .integers(let numbers): integer = numbers[row] ?? fallback.integer
    case .reals(let numbers):
      real = (numbers[row] ?? fallback.real).map { type == .float ? Double(Float($0)) : $0 }
    case .text(let texts): text = texts.string(at: row) ?? fallback.text
    case .blobs(let blobs): blob = blobs[row].map(Array.init) ?? fallback.blob
    }
  }

  /// The stored form of an attribute's value; all properties are `nil` for null or for a value of another type.
  public init(_ value: AttributeValue, type: AttributeType) {
    switch (value, type.storageClass) {
    case (.integer(let value), .integer): integer = value
    case (.integer(let value), .real): real = Double(value)
    case (.boolean(let value), _): integer = value ? 1 : 0
    case (.real(let value), _): real = type == .float ? Double(Float(value)) : value
    case (.decimal(let value), _): real = Double(value.description)
    case (.date(let value), _): real = value.timeIntervalSinceReferenceDate
    case (.string(let value), _): text = value
    case (.uri(let value), _): text = value.absoluteString
    case (.binary(let value), _): blob = Array(value)
    case (.uuid(let value), _): blob = withUnsafeBytes(of: value.uuid) { Array($0) }
    case (.null, _), (.integer, _), (.reference, _): break
    }
  }
}

extension RowHash {
  /// Adds the stored form of an attribute's value; null for a value of another type.
  public mutating func add(_ value: AttributeValue, type: AttributeType) {
    switch (value, type.storageClass) {
    case (.string(var text), _): text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
    case (.integer(let number), .integer): add(number)
    case (.real(let number), _) where type != .float: add(number)
    case (.date(let date), _): add(date.timeIntervalSinceReferenceDate)
    case (.boolean(let isTrue), _): add(isTrue ? 1 as Int64 : 0)
    default: StoredValue(value, type: type).add(to: &self)
    }
  }
}

extension StoredValue {
  /// Adds the value to a row's hash.
  package func add(to hash: inout RowHash) {
    if let integer { return hash.add(integer) }
    if let real { return hash.add(real) }
    if var text { return text.withUTF8 { hash.add(text: UnsafeRawBufferPointer($0)) } }
    if let blob { return blob.withUnsafeBytes { hash.add(blob: $0) } }
    hash.addNull()
  }
}

extension StoredValue {
  /// Whether it sorts before another value of its attribute: null comes before every other value, and text is ordered
  /// by its bytes.
  package func sorts(before other: StoredValue) -> Bool {
    if let one = integer, let two = other.integer { return one < two }
    if let one = real, let two = other.real { return one < two }
    if let one = text, let two = other.text { return one.utf8.lexicographicallyPrecedes(two.utf8) }
    if let one = blob, let two = other.blob { return one.lexicographicallyPrecedes(two) }
    return isNull && !other.isNull
  }

  /// Whether the value is null.
  package var isNull: Bool { integer == nil && real == nil && text == nil && blob == nil }
}
