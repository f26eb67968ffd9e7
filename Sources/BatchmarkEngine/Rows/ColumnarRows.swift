// The rows for every engine: one column per attribute, text as UTF-8 bytes, in memory before ingest begins.
public import CoreDataModel

/// The parsed rows of a source, the same for every engine.
public struct ColumnarRows: Sendable {
  public let entityName: String
  /// The entity's attributes, in its own order; `columns` has the same order.
  public let attributes: [AttributeDescription]
  /// One column per attribute.
  ///
  /// Columns may have more rows than `count`.
  public let columns: [Column]
  public let count: Int

  public init(entityName: String, attributes: [AttributeDescription], columns: [Column], count: Int) {
    self.entityName = entityName
    self.attributes = attributes
    self.columns = columns
    self.count = count
  }

  /// The first rows, without a copy.
  public func prefix(_ rows: Int) -> ColumnarRows {
    ColumnarRows(entityName: entityName, attributes: attributes, columns: columns, count: min(max(rows, 0), count))
  }

  /// The same rows in new columns without any other rows.
  func copied() -> ColumnarRows {
    ColumnarRows(
      entityName: entityName, attributes: attributes, columns: columns.map { $0.copy(ofFirst: count) }, count: count)
  }
}

/// A column; the attribute's storage class determines its case.
public enum Column: Sendable {
  /// Integers and booleans (0 or 1).
  case integers(NumberColumn<Int64>)
  /// Floats, doubles, decimals, and dates as seconds since 2001-01-01 00:00 UTC.
  case reals(NumberColumn<Double>)
  /// Strings and URIs.
  case text(BytesColumn)
  /// Binary data and UUIDs (16 bytes).
  case blobs(BytesColumn)

  fileprivate func copy(ofFirst rows: Int) -> Column {
    switch self {
    case .integers(let column): .integers(column.copy(ofFirst: rows))
    case .reals(let column): .reals(column.copy(ofFirst: rows))
    case .text(let column): .text(column.copy(ofFirst: rows))
    case .blobs(let column): .blobs(column.copy(ofFirst: rows))
    }
  }
}

/// A column of numbers; O(1) access.
public struct NumberColumn<Number: Sendable>: Sendable {
  /// Contains a placeholder for rows without a number.
  @usableFromInline let numbers: [Number]
  /// Empty if no row is null.
  @usableFromInline let nulls: [Bool]

  /// Makes a column of optional numbers; `placeholder` replaces nulls.
  public init(_ values: [Number?], placeholder: Number) {
    numbers = values.map { $0 ?? placeholder }
    nulls = values.contains { $0 == nil } ? values.map { $0 == nil } : []
  }

  /// Takes numbers without a copy.
  ///
  /// `nulls` is empty, or has a flag per row; if it is set, the number is a placeholder.
  public init(numbers: [Number], nulls: [Bool]) {
    precondition(nulls.isEmpty || nulls.count == numbers.count, "\(nulls.count) flags for \(numbers.count) numbers")
    self.numbers = numbers
    self.nulls = nulls
  }

  @inlinable public var count: Int { numbers.count }

  fileprivate func copy(ofFirst rows: Int) -> NumberColumn {
    NumberColumn(numbers: Array(numbers.prefix(rows)), nulls: Array(nulls.prefix(rows)))
  }

  /// The number of a row; `nil` for null.
  @inlinable public subscript(row: Int) -> Number? {
    !nulls.isEmpty && nulls[row] ? nil : numbers[row]
  }
}

/// A column of byte strings in one block of memory, which does not move while the column exists, so that bytes can be
/// bound to a statement without a copy.
// Safe to send: all stored properties are constants, and the memory is written only before init returns.
public final class BytesColumn: @unchecked Sendable {
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Row i is `starts[i] ..< starts[i + 1]`.
  private let starts: UnsafeMutablePointer<Int>
  private let nulls: [Bool]
  public let count: Int

  /// Copies the bytes: row i is `bytes[starts[i] ..< starts[i + 1]]`; `nulls` is empty, or has a flag per row.
  public init(bytes source: [UInt8], starts offsets: [Int], nulls: [Bool]) {
    count = max(offsets.count - 1, 0)
    bytes = .allocate(capacity: max(source.count, 1))
    starts = .allocate(capacity: max(offsets.count, 1))
    self.nulls = nulls
    _ = UnsafeMutableBufferPointer(start: bytes, count: source.count).update(from: source)
    _ = UnsafeMutableBufferPointer(start: starts, count: offsets.count).update(from: offsets)
  }

  deinit {
    bytes.deallocate()
    starts.deallocate()
  }

  fileprivate func copy(ofFirst rows: Int) -> BytesColumn {
    let starts = Array(UnsafeBufferPointer(start: starts, count: rows + 1))
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: starts[rows]))
    return BytesColumn(bytes: bytes, starts: starts, nulls: Array(nulls.prefix(rows)))
  }

  /// The bytes of a row, `nil` for null; valid while the column exists.
  ///
  /// `row` is from 0 to `count - 1`.
  public subscript(row: Int) -> UnsafeBufferPointer<UInt8>? {
    if !nulls.isEmpty && nulls[row] { return nil }
    precondition(row >= 0 && row < count, "row \(row) of \(count)")
    return UnsafeBufferPointer(start: bytes + starts[row], count: starts[row + 1] - starts[row])
  }

  /// The bytes of a row as a string; `nil` for null.
  ///
  /// Invalid UTF-8 is repaired.
  public func string(at row: Int) -> String? {
    self[row].map { String(decoding: $0, as: UTF8.self) }
  }
}
