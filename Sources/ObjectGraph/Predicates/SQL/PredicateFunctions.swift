// The SQL functions for predicates, which use the same code as the evaluation in memory.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

enum PredicateFunctions {
  // Every name starts with `prefix`.
  private static let prefix = "OG_"
  static let fold = "OG_FOLD"
  static let sortKey = "OG_SORTKEY"
  static let power = "OG_POWER"
  static let beginsWith = "OG_BEGINSWITH"
  static let endsWith = "OG_ENDSWITH"
  static let like = "OG_LIKE"
  static let matches = "OG_MATCHES"
  static let unpack = "OG_UNPACK"
  static let single = "OG_SINGLE"
  static let isDecimal = "OG_ISDECIMAL"
  static let length = "OG_LENGTH"
  static let exclusiveOr = "OG_XOR"

  /// Whether the SQL may call one of them; a mistaken match only costs creating the functions.
  static func areNamed(in sql: String) -> Bool { sql.contains(prefix) }

  /// Adds the functions to a connection.
  static func register(on connection: Connection) throws(SQLiteError) {
    let patterns = PatternCache()
    try connection.createFunction(fold, argumentCount: 2) { arguments in
      guard let text = arguments.string(0) else { return .null }
      return .text(text.folded(ComparisonOptions(rawValue: UInt8(clamping: arguments.int64(1)))))
    }
    try connection.createFunction(sortKey, argumentCount: 2) { arguments in
      guard let text = arguments.string(0), let order = TextOrder(rawValue: UInt8(clamping: arguments.int64(1))) else {
        return .null
      }
      return .blob(order.key(text))
    }
    try connection.createFunction(power, argumentCount: 2) { arguments in
      if arguments.isNull(0) || arguments.isNull(1) { return .null }
      return .real(raised(arguments.double(0), to: arguments.double(1)))
    }
    try connection.createFunction(beginsWith, argumentCount: 2) { arguments in
      guard let text = arguments.utf8(0), let part = arguments.utf8(1) else { return .null }
      return .integer(text.begins(with: part) ? 1 : 0)
    }
    try connection.createFunction(endsWith, argumentCount: 2) { arguments in
      guard let text = arguments.utf8(0), let part = arguments.utf8(1) else { return .null }
      return .integer(text.ends(with: part) ? 1 : 0)
    }
    try connection.createFunction(like, argumentCount: 2) { arguments in
      guard let text = arguments.string(0), let pattern = arguments.string(1) else { return .null }
      return .integer(patterns.like(text, pattern) ? 1 : 0)
    }
    try connection.createFunction(matches, argumentCount: 3) { arguments in
      guard let text = arguments.string(0), let pattern = arguments.string(1) else { return .null }
      let options = ComparisonOptions(rawValue: UInt8(clamping: arguments.int64(2)))
      return .integer(try patterns.matches(text, pattern, options) ? 1 : 0)
    }
    try connection.createFunction(single, argumentCount: 1) { arguments in
      arguments.isNull(0) ? .null : .real(Double(Float(arguments.double(0))))
    }
    try connection.createFunction(isDecimal, argumentCount: 1) { arguments in
      arguments.isNull(0) ? .null : .integer(Decimal(stored: arguments.double(0)) == nil ? 0 : 1)
    }
    try connection.createFunction(length, argumentCount: 1) { arguments in
      guard let text = arguments.utf8(0) else { return .null }
      return .integer(Int64(text.utf16Count))
    }
    try connection.createFunction(exclusiveOr, argumentCount: 2) { arguments in
      if arguments.isNull(0) || arguments.isNull(1) { return .null }
      return .integer(arguments.int64(0) ^ arguments.int64(1))
    }
    for function in ExpressionFunction.allCases { try register(function, on: connection) }
    try connection.createFunction(unpack, argumentCount: 1) { arguments in
      guard let packed = arguments.utf8(0) else { return .null }
      return PackedList.unpack(packed)
    }
  }

  private static func register(_ function: ExpressionFunction, on connection: Connection) throws(SQLiteError) {
    try connection.createFunction(function.sqlName, argumentCount: 1) { arguments in
      if arguments.isNull(0) { return .null }
      if function.isAboutText { return arguments.string(0).map { .text(function($0)) } ?? .null }
      let result = arguments.type(0) == .integer ? function(arguments.int64(0)) : function(arguments.double(0))
      return switch result {
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      default: .null
      }
    }
  }
}

/// Lists of constants that are too long for parameters, as a JSON text that SQL reads through `json_each`.
///
/// An element is a letter for its kind, followed by its value in hexadecimal digits, so that no value changes: JSON's
/// own numbers and text would lose the last bits of a double and the rest of a text after a zero byte.
enum PackedList {
  /// Lists up to this length are bound value by value.
  static let threshold = 500

  static func pack(_ values: [AttributeValue]) -> AttributeValue {
    .string("[\"" + values.map(element).joined(separator: "\",\"") + "\"]")
  }

  private static func element(_ value: AttributeValue) -> String {
    switch ComparableValue(value) {
    case .null, .object: "n"
    case .integer(let value): "i" + String(UInt64(bitPattern: value), radix: 16)
    case .real(let value), .date(let value): "r" + String(value.bitPattern, radix: 16)
    case .text(let value), .uri(let value): "t" + hexadecimal(value.utf8)
    case .binary(let value): "b" + hexadecimal(value)
    case .uuid(let value): "b" + withUnsafeBytes(of: value.uuid) { hexadecimal($0) }
    }
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      text += String(byte >> 4, radix: 16)
      text += String(byte & 15, radix: 16)
    }
    return text
  }

  static func unpack(_ packed: UnsafeBufferPointer<UInt8>) -> FunctionResult {
    guard let letter = packed.first else { return .null }
    let digits = packed.dropFirst()
    switch letter {
    case UInt8(ascii: "i"): return .integer(Int64(bitPattern: number(digits)))
    case UInt8(ascii: "r"): return .real(Double(bitPattern: number(digits)))
    case UInt8(ascii: "t"): return .text(String(decoding: bytes(digits), as: UTF8.self))
    case UInt8(ascii: "b"): return .blob(bytes(digits))
    default: return .null
    }
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
    digits.reduce(0) { $0 << 4 | UInt64(value(of: $1)) }
  }

  private static func bytes(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      if let first = high {
        bytes.append(first << 4 | value(of: digit))
        high = nil
      } else {
        high = value(of: digit)
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8 {
    digit >= UInt8(ascii: "a") ? digit &- UInt8(ascii: "a") &+ 10 : digit &- UInt8(ascii: "0")
  }
}
