// The JSON Schema of a Decodable type, found by letting the type decode: whatever it asks for must be in the file. So
// there is no second list of keys that could get out of date.

internal import Analysis

/// A type with its own schema, because its coding is custom or because it rejects made-up values.
protocol DescribedInJSON: Decodable {
  static var jsonSchema: JSONSchema { get }
  /// Any value.
  static var example: Self { get }
}

extension JSONSchema {
  /// The schema of everything that the type decodes.
  ///
  /// It has only the keys that the type asks for.
  static func decoded<Value: Decodable>(by type: Value.Type) -> JSONSchema {
    if let type = type as? any SchemaKnowing.Type { return type.knownSchema }
    if let type = type as? any DescribedInJSON.Type { return type.jsonSchema }
    if let type = type as? any (CaseIterable & RawRepresentable<String>).Type { return .words(words(of: type)) }
    if type is any RawRepresentable<String>.Type { return JSONSchema(.string) }
    let record = SchemaRecord()
    // The value decoded from made-up values is not used. A type that rejects them has decoded everything it needs by
    // then.
    _ = try? Value(from: SchemaDecoder(record: record))
    return record.schema
  }

  private static func words<Words: CaseIterable & RawRepresentable<String>>(of type: Words.Type) -> [String] {
    type.allCases.map(\.rawValue)
  }
}

/// What a decoder was asked for.
private final class SchemaRecord {
  var schema = JSONSchema(.object)

  init() { schema.others = JSONSchema.Others.none }

  func note(_ key: any CodingKey, _ value: JSONSchema, isRequired: Bool) {
    schema.properties[key.stringValue] = value
    if isRequired { schema.required.append(key.stringValue) }
  }
}

/// A decoder that returns a made-up value for every request.
private struct SchemaDecoder: Decoder {
  let record: SchemaRecord
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SchemaContainer(record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw refusal("a list without a type") }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw refusal("a single value") }

  private func refusal(_ found: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(found) is described by its type"))
  }
}

private struct SchemaContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let record: SchemaRecord
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    record.note(key, .decoded(by: type), isRequired: true)
    return try example(of: type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
    record.note(key, .decoded(by: type), isRequired: false)
    return nil
  }

  // The protocol has a method for each type; the defaults call `decode`, so they are overridden here.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { optional(type, key) }

  private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
    record.note(key, .decoded(by: type), isRequired: false)
    return nil
  }

  private func example<Value: Decodable>(of type: Value.Type) throws -> Value {
    if let type = type as? any SchemaKnowing.Type, let value = type.anyValue as? Value { return value }
    if let type = type as? any DescribedInJSON.Type, let value = type.example as? Value { return value }
    if let type = type as? any CaseIterable.Type, let value = first(of: type) as? Value { return value }
    return try Value(from: SchemaDecoder(record: SchemaRecord()))
  }

  private func first<Values: CaseIterable>(of type: Values.Type) -> Values? { type.allCases.first }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(SchemaContainer<NestedKey>(record: SchemaRecord()))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try SchemaDecoder(record: record).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { SchemaDecoder(record: record) }
  func superDecoder(forKey key: Key) -> any Decoder { SchemaDecoder(record: record) }
}

// MARK: - Values and collections

/// A type of the standard library with a known form in JSON.
private protocol SchemaKnowing: Decodable {
  static var knownSchema: JSONSchema { get }
  static var anyValue: Self { get }
}

extension Bool: SchemaKnowing {
  fileprivate static var knownSchema: JSONSchema { JSONSchema(.boolean) }
  fileprivate static var anyValue: Bool { false }
}

extension String: SchemaKnowing {
  fileprivate static var knownSchema: JSONSchema { JSONSchema(.string) }
  fileprivate static var anyValue: String { "" }
}

extension Double: SchemaKnowing {
  /// A number that is not finite is a word; see ``StoredJSON``.
  fileprivate static var knownSchema: JSONSchema {
    .anyOf([JSONSchema(.number), .words(StoredJSON.nonFiniteWords)])
  }
  fileprivate static var anyValue: Double { 0 }
}

extension SchemaKnowing where Self: FixedWidthInteger {
  fileprivate static var knownSchema: JSONSchema {
    var schema = JSONSchema(.integer)
    if !isSigned { schema.minimum = 0 }
    return schema
  }
  fileprivate static var anyValue: Self { 0 }
}

extension Int: SchemaKnowing {}
extension Int64: SchemaKnowing {}
extension UInt64: SchemaKnowing {}

extension Array: SchemaKnowing where Element: Decodable {
  fileprivate static var knownSchema: JSONSchema { .list(of: .decoded(by: Element.self)) }
  fileprivate static var anyValue: [Element] { [] }
}

extension Dictionary: SchemaKnowing where Key: Decodable, Value: Decodable {
  /// A mapping with texts, whole numbers or known words as keys.
  fileprivate static var knownSchema: JSONSchema {
    let words = JSONSchema.decoded(by: Key.self).words.map { $0.replacing(".", with: "\\.") }
    let pattern = Key.self == Int.self ? "^-?[0-9]+$" : words.isEmpty ? "" : "^(\(words.joined(separator: "|")))$"
    return .mapping(to: .decoded(by: Value.self), keys: pattern)
  }
  fileprivate static var anyValue: [Key: Value] { [:] }
}
