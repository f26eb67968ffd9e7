// A column while it is filled with values of a feed, each checked against its attribute.
import BatchmarkEngine
internal import Foundation
import CoreDataModel

/// A value of a feed.
enum FieldValue {
  case null
  case boolean(Bool)
  case number(NumberToken)
  /// Text as valid UTF-8.
  case text(ArraySlice<UInt8>)

  /// The value as messages show it.
  var shown: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(.whole(let number)): "\(number)"
    case .number(.real(let number)): "\(number)"
    case .text(let bytes): Scenarios.shown(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// Collects the values of one attribute, row by row.
struct ColumnBuilder {
  let attribute: AttributeDescription
  // Only those of the attribute's storage class are filled.
  private var integers: [Int64] = []
  private var reals: [Double] = []
  private var bytes: [UInt8] = []
  private var starts = [0]
  private var nulls: [Bool] = []
  private var hasNull = false

  init(_ attribute: AttributeDescription) {
    self.attribute = attribute
  }

  /// A column of all appended values.
  var column: Column {
    let nulls = hasNull ? nulls : []
    return switch attribute.type.storageClass {
    case .integer: .integers(NumberColumn(numbers: integers, nulls: nulls))
    case .real: .reals(NumberColumn(numbers: reals, nulls: nulls))
    case .text: .text(BytesColumn(bytes: bytes, starts: starts, nulls: nulls))
    case .blob: .blobs(BytesColumn(bytes: bytes, starts: starts, nulls: nulls))
    }
  }

  /// Appends a typed value from JSON: text stays text and numbers stay numbers.
  mutating func append(_ value: FieldValue) throws(FieldMismatch) {
    switch (value, attribute.type) {
    case (.null, _):
      try appendAbsence()
    case (.text(let text), .string), (.text(let text), .uri), (.text(let text), .uuid), (.text(let text), .binary),
      (.text(let text), .transformable), (.text(let text), .date):
      try append(nonempty: text)
    case (.boolean(let flag), .boolean):
      append(integer: flag ? 1 : 0)
    case (.number(.whole(let milliseconds)), .date):
      guard let seconds = ISO8601.seconds(sinceMilliseconds: milliseconds) else { throw mismatch(value) }
      append(real: seconds)
    case (.number(let number), _) where attribute.type.isNumeric:
      try append(number)
    default:
      throw mismatch(value)
    }
  }

  /// Appends a value of an object.
  ///
  /// A value of the wrong type counts as missing, as in a fetch.
  mutating func append(_ value: AttributeValue) throws(FieldMismatch) {
    switch (value, attribute.type.storageClass) {
    case (.integer(let number), .integer): append(integer: number)
    case (.boolean(let flag), .integer): append(integer: flag ? 1 : 0)
    case (.real(let number), .real) where !number.isNaN: append(real: number)
    case (.date(let date), .real) where !date.timeIntervalSinceReferenceDate.isNaN:
      append(real: date.timeIntervalSinceReferenceDate)
    // A decimal is stored as a double, as Core Data does.
    case (.decimal(let number), .real):
      if let real = Double(number.description) { append(real: real) } else { try appendAbsence() }
    case (.string(let text), .text): append(bytes: text.utf8)
    case (.uri(let uri), .text): append(bytes: uri.absoluteString.utf8)
    case (.binary(let data), .blob): append(bytes: data)
    case (.uuid(let uuid), .blob): withUnsafeBytes(of: uuid.uuid) { append(bytes: $0) }
    default: try appendAbsence()
    }
  }

  /// Appends a value from its text, as in CSV.
  ///
  /// Empty text is null.
  mutating func append(text: ArraySlice<UInt8>) throws(FieldMismatch) {
    if text.isEmpty { try appendAbsence() } else { try append(nonempty: text) }
  }

  /// Appends a missing value: null, or the value that replaces it when the row is stored.
  ///
  /// An engine that validates would refuse a required attribute without a value, while another one would store it.
  private mutating func appendAbsence() throws(FieldMismatch) {
    guard attribute.isOptional || attribute.defaultValue != .null else {
      throw FieldMismatch(
        found: "no value for the attribute '\(attribute.name)', which is required",
        expected: AttributeValue.textForm(of: attribute.type))
    }
    appendNull()
  }

  private mutating func append(nonempty text: ArraySlice<UInt8>) throws(FieldMismatch) {
    switch attribute.type {
    case .string:
      append(bytes: text)
    case .date:
      guard let seconds = ISO8601.seconds(text) else { throw mismatch(.text(text)) }
      append(real: seconds)
    case .boolean where text.elementsEqual("true".utf8):
      append(integer: 1)
    case .boolean where text.elementsEqual("false".utf8):
      append(integer: 0)
    case .int16, .int32, .int64, .float, .double, .decimal, .boolean:
      guard let number = NumberToken(text) else { throw mismatch(.text(text)) }
      try append(number)
    case .uri, .uuid, .binary, .transformable:
      switch AttributeValue(text: String(decoding: text, as: UTF8.self), type: attribute.type) {
      case .uri: append(bytes: text)
      case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { append(bytes: $0) }
      case .binary(let data): append(bytes: data)
      default: throw mismatch(.text(text))
      }
    }
  }

  private mutating func append(_ number: NumberToken) throws(FieldMismatch) {
    switch attribute.type.storageClass {
    case .integer:
      let range: ClosedRange<Int64> =
        switch attribute.type {
        case .boolean: 0...1
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        default: Int64.min...Int64.max
        }
      let whole: Int64? =
        switch number {
        case .whole(let whole): whole
        case .real(let real): Int64(exactly: real)
        }
      guard let whole, range.contains(whole) else { throw mismatch(.number(number)) }
      append(integer: whole)
    default:
      let real = attribute.type == .float ? Double(Float(number.real)) : number.real
      guard real.isFinite else { throw mismatch(.number(number)) }
      append(real: real)
    }
  }

  // Keep the numbers of nulls and values equal, so that a flag belongs to its row.

  mutating func appendNull() {
    hasNull = true
    nulls.append(true)
    switch attribute.type.storageClass {
    case .integer: integers.append(0)
    case .real: reals.append(0)
    case .text, .blob: starts.append(bytes.count)
    }
  }

  mutating func append(integer: Int64) {
    nulls.append(false)
    integers.append(integer)
  }

  mutating func append(real: Double) {
    nulls.append(false)
    // SQLite stores no negative zero, so a source with one would differ from every store.
    reals.append(real == 0 ? 0 : real)
  }

  mutating func append(bytes value: some Sequence<UInt8>) {
    nulls.append(false)
    bytes.append(contentsOf: value)
    starts.append(bytes.count)
  }

  private func mismatch(_ value: FieldValue) -> FieldMismatch {
    FieldMismatch(
      found: "\(value.shown) for the attribute '\(attribute.name)'",
      expected: AttributeValue.textForm(of: attribute.type))
  }
}

extension AttributeType {
  /// Whether a number can be a value of the type, directly or as 0 or 1.
  fileprivate var isNumeric: Bool {
    switch self {
    case .int16, .int32, .int64, .boolean, .float, .double, .decimal: true
    case .date, .string, .binary, .uuid, .uri, .transformable: false
    }
  }
}
