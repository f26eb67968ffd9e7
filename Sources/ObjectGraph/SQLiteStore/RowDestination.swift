// Converts attribute values to statement parameters, and columns to attribute values.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Receives the values of a row, column by column: a statement's parameters, or packed rows.
protocol RowDestination {
  func bind(_ value: Int64, at index: Int) throws(SQLiteError)
  func bind(_ value: Double, at index: Int) throws(SQLiteError)
  func bindNull(at index: Int) throws(SQLiteError)
  func bind(text: String, at index: Int) throws(SQLiteError)
  func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError)
}

extension Statement: RowDestination {}

extension RowDestination {
  /// Binds a value as Core Data stores it.
  @inline(__always)
  func bind(_ value: AttributeValue, at index: Int) throws(SQLiteError) {
    switch value {
    case .string(let text): try bind(text: text, at: index)
    case .real(let number): try bind(number, at: index)
    case .date(let date): try bind(date.timeIntervalSinceReferenceDate, at: index)
    case .null: try bindNull(at: index)
    case .integer(let number): try bind(number, at: index)
    case .boolean(let flag): try bind(flag ? 1 : 0 as Int64, at: index)
    default: try bindRare(value, at: index)
    }
  }

  /// Binds the rarer types, out of line so that the common ones stay fast.
  @inline(never)
  private func bindRare(_ value: AttributeValue, at index: Int) throws(SQLiteError) {
    switch value {
    // Like Core Data, store a decimal as a double; its description is exact.
    case .decimal(let decimal): try bind(Double(decimal.description) ?? .nan, at: index)
    case .binary(let data): try bind(data: data, at: index)
    case .uuid(let uuid): try bind(data: withUnsafeBytes(of: uuid.uuid) { Data($0) }, at: index)
    case .uri(let url): try bind(text: url.absoluteString, at: index)
    // The columns of a to-one relationship are bound one by one.
    case .null, .integer, .boolean, .real, .date, .string, .reference: break
    }
  }

  func bind(data: Data, at index: Int) throws(SQLiteError) {
    // withUnsafeBytes rethrows untyped errors, so pass the error out as a result.
    let result = data.withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in try bind(blob: bytes, at: index) }
    }
    try result.get()
  }

  func bind(optional value: Int64?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }
}

extension Statement {
  /// The column's value for an attribute of the type; null if it is null or has no such value.
  func value(_ column: Int, as type: AttributeType) -> AttributeValue {
    // Read the value at once, without a null check: a null has no text and no bytes, and reads as 0.
    switch type {
    case .int16, .int32, .int64:
      let number = int64(column)
      return number == 0 && isNull(column) ? .null : .integer(number)
    case .boolean:
      let number = int64(column)
      return number == 0 && isNull(column) ? .null : .boolean(number != 0)
    case .float, .double:
      let number = double(column)
      return number == 0 && isNull(column) ? .null : .real(number)
    case .date:
      let interval = double(column)
      return interval == 0 && isNull(column) ? .null : .date(Date(timeIntervalSinceReferenceDate: interval))
    case .decimal: return isNull(column) ? .null : Decimal(stored: double(column)).map { .decimal($0) } ?? .null
    case .string: return string(column).map { .string($0) } ?? .null
    case .uri: return string(column).flatMap { URL(string: $0) }.map { .uri($0) } ?? .null
    case .binary, .transformable: return bytes(column).map { .binary(Data($0)) } ?? .null
    case .uuid:
      guard let bytes = bytes(column), bytes.count == 16 else { return .null }
      return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    }
  }
}

extension Statement {
  func bind(optional bytes: [UInt8]?, at index: Int) throws(SQLiteError) {
    guard let bytes else { return try bindNull(at: index) }
    // withUnsafeBytes rethrows untyped errors, so pass the error out as a result.
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in try bind(blob: bytes, at: index) }
    }.get()
  }
}

extension Decimal {
  /// The decimal with the shortest text that reads back as the stored double, because that is the decimal that was
  /// stored; `nil` beyond the range of decimals.
  init?(stored number: Double) {
    let text = "\(number)"
    if let decimal = Decimal(string: text) {
      self = decimal
      return
    }
    // Foundation parses exponents up to 127, but decimals reach 10 to the power of 165: read those digit by digit.
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), (128...165).contains(exponent) else { return nil }
    let digits = parts[0].split(separator: ".")
    let zeros = exponent - (digits.count == 2 ? digits[1].count : 0)
    guard let decimal = Decimal(string: digits.joined() + String(repeating: "0", count: zeros)) else { return nil }
    self = decimal
  }
}
