// Values as stores keep and compare them, so that memory and SQL cannot differ.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The kinds of values, which can only be compared with values of the same kind.
enum ValueKind: String {
  case number = "a number"
  case date = "a date"
  case text = "text"
  case uri = "a URI"
  case binary = "binary data"
  case uuid = "a UUID"
  case object = "an object"
}

extension AttributeType {
  var valueKind: ValueKind {
    switch self {
    case .int16, .int32, .int64, .boolean, .float, .double, .decimal: .number
    case .date: .date
    case .string: .text
    case .uri: .uri
    case .binary, .transformable: .binary
    case .uuid: .uuid
    }
  }
}

/// A value reduced to what SQLite would store.
enum ComparableValue {
  case null
  case integer(Int64)
  /// Never NaN, which is null, as in SQLite.
  case real(Double)
  /// Never NaN, as for numbers.
  case date(Double)
  case text(String)
  case uri(String)
  case binary(Data)
  case uuid(UUID)
  case object(ManagedObjectID)

  init(_ value: AttributeValue) {
    // SQLite stores NaN as null.
    if value.isStoredAsNull { self = .null; return }
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .boolean(let value): self = .integer(value ? 1 : 0)
    case .real(let value): self = .number(value)
    // Converted through its description, as when binding a decimal to a statement.
    case .decimal(let value): self = .number(Double(value.description) ?? .nan)
    case .date(let value): self = .date(value.timeIntervalSinceReferenceDate)
    case .string(let value): self = .text(value)
    case .uri(let value): self = .uri(value.absoluteString)
    case .binary(let value): self = .binary(value)
    case .uuid(let value): self = .uuid(value)
    // Objects are compared by their IDs.
    case .reference: self = .null
    }
  }

  static func number(_ value: Double) -> ComparableValue { value.isNaN ? .null : .real(value) }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// `nil` for null, which has every kind.
  var kind: ValueKind? {
    switch self {
    case .null: nil
    case .integer, .real: .number
    case .date: .date
    case .text: .text
    case .uri: .uri
    case .binary: .binary
    case .uuid: .uuid
    case .object: .object
    }
  }

  /// The name of a section for objects with this value, empty for null; `nil` for a value without a text to show.
  var sectionName: String? {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .date(let value): sectionName(Date(timeIntervalSinceReferenceDate: value))
    case .text(let value), .uri(let value): value
    case .uuid(let value): value.uuidString
    case .binary, .object: nil
    }
  }

  /// Foundation's description, except for dates so distant that it would trap.
  private func sectionName(_ date: Date) -> String {
    abs(date.timeIntervalSinceReferenceDate) < 1e11 ? "\(date)" : date.shown
  }

  /// The value as a number for arithmetic; `nil` if it is not a number.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  func folded(_ options: ComparisonOptions) -> ComparableValue {
    if case .text(let text) = self { .text(text.folded(options)) } else { self }
  }

  /// A text's key in an order; without an order, the text itself.
  func sortKey(_ order: TextOrder?) -> ComparableValue {
    if let order, case .text(let text) = self { .binary(Data(order.key(text))) } else { self }
  }
}

enum ValueOrder {
  case less, equal, greater

  init<T: Comparable>(_ left: T, _ right: T) { self = left < right ? .less : left == right ? .equal : .greater }

  var reversed: ValueOrder {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }

  /// Compares by bytes, shorter first, which also is the order of code points.
  init(bytes left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) {
    var others = right.makeIterator()
    for byte in left {
      guard let other = others.next() else { self = .greater; return }
      if byte != other { self = byte < other ? .less : .greater; return }
    }
    self = others.next() == nil ? .equal : .less
  }

  /// Compares exactly, although some 64-bit integers have no exact double.
  init(integer: Int64, real: Double) {
    if real >= 0x1p63 { self = .less; return }
    if real < -0x1p63 { self = .greater; return }
    let whole = Int64(real)
    self = whole == integer ? ValueOrder(0, real - real.rounded(.towardZero)) : ValueOrder(integer, whole)
  }
}

extension ComparableValue {
  /// The order of two values of one kind; `nil` if they have different kinds or are null.
  func order(to other: ComparableValue) -> ValueOrder? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): ValueOrder(left, right)
    case (.integer(let left), .real(let right)): ValueOrder(integer: left, real: right)
    case (.real(let left), .integer(let right)): ValueOrder(integer: right, real: left).reversed
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)): ValueOrder(left, right)
    case (.text(let left), .text(let right)), (.uri(let left), .uri(let right)):
      ValueOrder(bytes: left.utf8, right.utf8)
    case (.binary(let left), .binary(let right)): ValueOrder(bytes: left, right)
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { ValueOrder(bytes: left, $0) }
      }
    default: nil
    }
  }

  /// Null only equals null, and values of different kinds are not equal.
  func equals(_ other: ComparableValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.object(let left), .object(let right)): left == right
    default: order(to: other) == .equal
    }
  }
}
