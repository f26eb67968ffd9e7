// The values in a store's metadata: those of a property list.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of a store's metadata.
///
/// ```swift
/// var metadata = try coordinator.metadata(for: store)
/// metadata["importedAt"] = .date(Date())
/// metadata["feeds"] = ["usgs", "emsc"]
/// try coordinator.setMetadata(metadata, for: store)
/// ```
public enum MetadataValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case date(Date)
  case data(Data)
  case array([MetadataValue])
  case dictionary([String: MetadataValue])
}

extension MetadataValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, MetadataValue)...) {
    self = .dictionary(Dictionary(elements) { _, last in last })
  }
}

extension MetadataValue: Encodable {
  /// Encodes the value as part of its property list.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    }
  }
}

extension MetadataValue: CustomStringConvertible {
  /// The value for messages; for data, only its size.
  public var description: String {
    switch self {
    case .string(let value): value.debugDescription
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .date(let value): value.shown
    case .data(let value): "\(value.count) bytes"
    case .array(let value): "\(value)"
    case .dictionary(let value): "\(value.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    }
  }
}

extension MetadataValue {
  /// Converts a value of a property list; `nil` for values that only keyed archives have.
  init?(_ list: PropertyList) {
    switch list {
    case .null, .reference: return nil
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .data(let value): self = .data(value)
    case .array(let elements):
      let values = elements.compactMap { MetadataValue($0) }
      guard values.count == elements.count else { return nil }
      self = .array(values)
    case .dictionary(let entries):
      let values = entries.compactMapValues { MetadataValue($0) }
      guard values.count == entries.count else { return nil }
      self = .dictionary(values)
    }
  }

  /// More levels than any application needs, but few enough for a thread's stack: the encoder recurses at each level.
  static let mostLevels = 256

  /// Whether arrays and dictionaries are nested too deeply to be stored.
  ///
  /// It does not recurse. O(elements).
  var isNestedTooDeep: Bool {
    var level = [self]
    for _ in 0...MetadataValue.mostLevels {
      level = level.flatMap { value -> [MetadataValue] in
        switch value {
        case .array(let elements): elements
        case .dictionary(let entries): Array(entries.values)
        case .string, .integer, .real, .boolean, .date, .data: []
        }
      }
      if level.isEmpty { return false }
    }
    return true
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }

  var data: Data? { if case .data(let value) = self { value } else { nil } }

  var entries: [String: MetadataValue]? { if case .dictionary(let value) = self { value } else { nil } }
}
