// Converts columnar rows for each style: sets values of an object, or puts them into a dictionary.
internal import Foundation
internal import CoreDataModel
internal import ObjectGraph
internal import BatchmarkEngine

/// Provides a source's rows one at a time.
///
/// Making strings and values from them is part of the strategy's cost.
struct RowSource {
  /// One attribute: its typed key, its column, and the meaning of the column's numbers.
  enum Field {
    case string(AttributeKey<String>, BytesColumn)
    case uri(AttributeKey<URL>, BytesColumn)
    case integer(AttributeKey<Int64>, NumberColumn<Int64>)
    case boolean(AttributeKey<Bool>, NumberColumn<Int64>)
    case real(AttributeKey<Double>, NumberColumn<Double>)
    case decimal(AttributeKey<Decimal>, NumberColumn<Double>)
    case date(AttributeKey<Date>, NumberColumn<Double>)
    case binary(AttributeKey<Data>, BytesColumn)
    case uuid(AttributeKey<UUID>, BytesColumn)
  }

  let fields: [Field]

  init(_ rows: ColumnarRows) {
    fields = zip(rows.attributes, rows.columns).map { attribute, column in
      let name = attribute.name
      switch column {
      case .integers(let numbers):
        return attribute.type == .boolean
          ? .boolean(AttributeKey(name), numbers) : .integer(AttributeKey(name), numbers)
      case .reals(let numbers):
        switch attribute.type {
        case .date: return .date(AttributeKey(name), numbers)
        case .decimal: return .decimal(AttributeKey(name), numbers)
        default: return .real(AttributeKey(name), numbers)
        }
      case .text(let bytes):
        return attribute.type == .uri ? .uri(AttributeKey(name), bytes) : .string(AttributeKey(name), bytes)
      case .blobs(let bytes):
        return attribute.type == .uuid ? .uuid(AttributeKey(name), bytes) : .binary(AttributeKey(name), bytes)
      }
    }
  }

  /// Sets the row's values through typed keys; missing ones keep their defaults.
  func fill(_ object: ManagedObject, row: Int) {
    for index in fields.indices { fields[index].fill(object, row: row) }
  }

  /// Puts the row's values into the dictionary; missing ones are left out.
  func fill(_ values: inout some NamedValues, row: Int) {
    for index in fields.indices { fields[index].fill(&values, row: row) }
  }
}

/// A type that takes values by name.
protocol NamedValues {
  subscript(key: String) -> AttributeValue? { get set }
}

extension [String: AttributeValue]: NamedValues {}
extension RowDictionary: NamedValues {}

extension RowSource.Field {
  // Methods of the field, because copying a field out of its array would retain its contents.
  @inline(__always)
  fileprivate func fill(_ object: ManagedObject, row: Int) {
    switch self {
    case .string(let key, let column): if let text = column.string(at: row) { object[key] = text }
    case .real(let key, let column): if let number = column[row] { object[key] = number }
    case .date(let key, let column):
      if let seconds = column[row] { object[key] = Date(timeIntervalSinceReferenceDate: seconds) }
    case .integer(let key, let column): if let number = column[row] { object[key] = number }
    case .boolean(let key, let column): if let number = column[row] { object[key] = number != 0 }
    case .uri, .decimal, .binary, .uuid:
      let (name, value) = rareValue(row)
      if !value.isNull { object[name] = value }
    }
  }

  @inline(__always)
  fileprivate func fill(_ values: inout some NamedValues, row: Int) {
    switch self {
    case .string(let key, let column): if let text = column.string(at: row) { values[key.name] = .string(text) }
    case .real(let key, let column): if let number = column[row] { values[key.name] = .real(number) }
    case .date(let key, let column):
      if let seconds = column[row] {
        values[key.name] = .date(Date(timeIntervalSinceReferenceDate: seconds))
      }
    case .integer(let key, let column): if let number = column[row] { values[key.name] = .integer(number) }
    case .boolean(let key, let column): if let number = column[row] { values[key.name] = .boolean(number != 0) }
    case .uri, .decimal, .binary, .uuid:
      let (name, value) = rareValue(row)
      if !value.isNull { values[name] = value }
    }
  }

  /// The types for which making a value costs more than the call.
  @inline(never)
  private func rareValue(_ row: Int) -> (name: String, value: AttributeValue) {
    switch self {
    case .uri(let key, let column):
      (key.name, column.string(at: row).flatMap { URL(string: $0) }.map { .uri($0) } ?? .null)
    case .decimal(let key, let column):
      (key.name, column[row].flatMap { Decimal(string: "\($0)") }.map { .decimal($0) } ?? .null)
    case .binary(let key, let column): (key.name, column[row].map { .binary(Data($0)) } ?? .null)
    case .uuid(let key, let column):
      (key.name, column[row].flatMap { UUID(bytes: $0) }.map { .uuid($0) } ?? .null)
    case .string, .real, .date, .integer, .boolean: ("", .null)
    }
  }
}

extension UUID {
  /// A UUID from 16 raw bytes; `nil` for any other count.
  fileprivate init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self))
  }
}
