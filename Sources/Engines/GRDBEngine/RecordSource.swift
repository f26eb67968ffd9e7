// The source's columns for records: a name, and a Swift value for each row.
internal import Foundation
internal import GRDB
internal import CoreDataModel
internal import BatchmarkEngine

/// The rows of a source, for records of the entity.
struct RecordSource {
  let fields: [RecordField]
  /// The value of `Z_ENT` in rows of the entity.
  let entityNumber: Int64
  let count: Int

  init(_ rows: ColumnarRows, of table: RecordTable) {
    fields = zip(rows.attributes, rows.columns).map { attribute, column in
      RecordField(attribute, column, name: table.attributeColumns[attribute.name] ?? attribute.columnName)
    }
    entityNumber = table.entityNumber
    count = rows.count
  }

  /// The arguments of `InsertSQL` for a row.
  ///
  /// They are made as if from an array literal. From an array of values with one type, GRDB makes arguments with a key
  /// path, which it recreates each time, and which takes as long as all the rest (Documentation/Experiments.md).
  func arguments(_ row: Int, key: Int64) -> StatementArguments {
    var values: [(any DatabaseValueConvertible)?] = []
    values.reserveCapacity(fields.count + 1)
    values.append(key)
    for field in fields { values.append(field.value(row)) }
    return StatementArguments(values)
  }
}

/// One attribute of the rows.
///
/// Its values are the stored ones, with the cheapest types for GRDB: text, integers, numbers (dates are seconds) and
/// bytes. Making them is part of the measurement, as it would be in an app.
struct RecordField {
  private enum Values {
    case text(BytesColumn, default: String?)
    case integers(NumberColumn<Int64>, default: Int64?)
    case reals(NumberColumn<Double>, default: Double?)
    /// Rounded to single precision, as float attributes are stored.
    case floats(NumberColumn<Double>, default: Double?)
    case blobs(BytesColumn, default: Data?)
  }

  /// The attribute's column in the table.
  let key: ColumnKey
  private let values: Values

  init(_ attribute: AttributeDescription, _ column: BatchmarkEngine.Column, name: String) {
    key = ColumnKey(name)
    let fallback = StoredValue(attribute.defaultValue, type: attribute.type)
    values =
      switch column {
      case .integers(let numbers): .integers(numbers, default: fallback.integer)
      case .reals(let numbers):
        attribute.type == .float ? .floats(numbers, default: fallback.real) : .reals(numbers, default: fallback.real)
      case .text(let bytes): .text(bytes, default: fallback.text)
      case .blobs(let bytes): .blobs(bytes, default: fallback.blob.map { Data($0) })
      }
  }

  /// The row's value as GRDB binds it.
  func value(_ row: Int) -> DatabaseValue {
    switch values {
    case .text(let column, let fallback): (column.string(at: row) ?? fallback)?.databaseValue ?? .null
    case .integers(let column, let fallback): (column[row] ?? fallback)?.databaseValue ?? .null
    case .reals(let column, let fallback): (column[row] ?? fallback)?.databaseValue ?? .null
    case .floats(let column, let fallback):
      (column[row] ?? fallback).map { Double(Float($0)).databaseValue } ?? .null
    case .blobs(let column, let fallback): (column[row].map { Data($0) } ?? fallback)?.databaseValue ?? .null
    }
  }

  /// Encodes the row's value as compiler-generated code does for an optional property.
  func encode(_ row: Int, into container: inout KeyedEncodingContainer<ColumnKey>) throws {
    switch values {
    case .text(let column, let fallback): try container.encodeIfPresent(column.string(at: row) ?? fallback, forKey: key)
    case .integers(let column, let fallback): try container.encodeIfPresent(column[row] ?? fallback, forKey: key)
    case .reals(let column, let fallback): try container.encodeIfPresent(column[row] ?? fallback, forKey: key)
    case .floats(let column, let fallback):
      try container.encodeIfPresent((column[row] ?? fallback).map { Double(Float($0)) }, forKey: key)
    case .blobs(let column, let fallback):
      try container.encodeIfPresent(column[row].map { Data($0) } ?? fallback, forKey: key)
    }
  }
}

/// The name of a column, as a coding key.
struct ColumnKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { nil }

  var intValue: Int? { nil }

  static var primaryKey: ColumnKey { ColumnKey("Z_PK") }
  static var entity: ColumnKey { ColumnKey("Z_ENT") }
  static var version: ColumnKey { ColumnKey("Z_OPT") }
}
