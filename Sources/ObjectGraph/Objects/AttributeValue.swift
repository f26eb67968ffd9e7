// The value of one attribute: one representation for objects, snapshots, dictionaries and statements.

/// A value of an attribute, or its absence.
///
/// An enum and not `Any`: no box, no dynamic cast, `Sendable`, and a wrong type is found by comparing tags.
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

  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// What the value is, in the words of the model's types, for messages.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .integer: "an integer"
    case .boolean: "a boolean"
    case .real: "a floating-point number"
    case .decimal: "a decimal"
    case .date: "a date"
    case .string: "a string"
    case .binary: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    }
  }

  /// Why the value cannot be held by an attribute of the type, as "found …, expected …"; nil when it can.
  /// Null always can: whether an attribute may be absent is decided when it is saved. A `float` takes any number
  /// and rounds it.
  public func mismatch(with type: AttributeType) -> String? {
    switch (self, type) {
    case (.null, _), (.integer, .int64), (.boolean, .boolean), (.real, .double), (.real, .float), (.decimal, .decimal),
      (.date, .date), (.string, .string), (.binary, .binary), (.uuid, .uuid), (.uri, .uri):
      return nil
    case (.integer(let value), .int16):
      return Int16(exactly: value) != nil ? nil : "\(value); expected an int16, -32768 to 32767"
    case (.integer(let value), .int32):
      return Int32(exactly: value) != nil ? nil : "\(value); expected an int32, -2147483648 to 2147483647"
    default:
      return "\(typeName); expected \(type.expectation)"
    }
  }
}

extension AttributeType {
  /// The type with its article, for messages.
  var expectation: String {
    switch self {
    case .int16, .int32, .int64: "an \(rawValue)"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary: "binary data"
    default: "a \(rawValue)"
    }
  }
}
