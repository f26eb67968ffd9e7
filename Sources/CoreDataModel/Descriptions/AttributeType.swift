// The types of attributes, and how each is stored.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The type of an attribute, under Core Data's names.
///
/// ```swift
/// let columns = AttributeType.allCases.map { "\($0.rawValue) is a \($0.declaredType)" }
/// AttributeType(rawValue: "double")?.declaredType  // "FLOAT"
/// ```
public enum AttributeType: String, Sendable, Hashable, CaseIterable, Codable {
  case int16, int32, int64
  case boolean
  case float, double
  case decimal
  /// A point in time, stored as seconds since 2001-01-01 00:00 UTC.
  case date
  case string
  case binary
  case uuid
  case uri
  /// The bytes that an application's value transformer made from a value.
  case transformable

  /// The column type that Core Data declares, which determines the column's affinity (in real stores: INTEGER, FLOAT,
  /// DECIMAL, TIMESTAMP, VARCHAR, BLOB).
  public var declaredType: String {
    switch self {
    case .int16, .int32, .int64, .boolean: "INTEGER"
    case .float, .double: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .binary, .uuid, .transformable: "BLOB"
    }
  }

  /// Whether a validation rule can limit values to a range, as for numbers, decimals and dates.
  ///
  /// ```swift
  /// AttributeType.date.hasRange    // true
  /// AttributeType.string.hasRange  // false: a rule can bound its length
  /// ```
  public var hasRange: Bool {
    switch self {
    case .int16, .int32, .int64, .float, .double, .decimal, .date: true
    case .boolean, .string, .binary, .uuid, .uri, .transformable: false
    }
  }

  /// The SQLite storage class in which values of this type are bound and compared.
  ///
  /// ```swift
  /// AttributeType.date.storageClass  // .real: seconds since 2001
  /// AttributeType.uuid.storageClass  // .blob: 16 bytes
  /// ```
  public var storageClass: StorageClass {
    switch self {
    case .int16, .int32, .int64, .boolean: .integer
    case .float, .double, .decimal, .date: .real
    case .string, .uri: .text
    case .binary, .uuid, .transformable: .blob
    }
  }
}

/// The SQLite storage classes that attributes use.
///
/// ```swift
/// let texts = quake.attributes.filter { $0.type.storageClass == .text }
/// let textColumns = texts.map(\.columnName)
/// ```
public enum StorageClass: Sendable, Hashable {
  case integer, real, text, blob
}
