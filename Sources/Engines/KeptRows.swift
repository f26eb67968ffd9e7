// Rows as an array of structs, as in an app that reads rows with plain SQL or as records.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation

/// Rows with contiguous values and text as strings, without an allocation per row.
///
/// An app would have a struct for each table. Here the entity comes from a scenario, and an array of values per row
/// would cost an allocation that an app's structs do not need.
struct KeptRows {
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// What every object has in addition to its values.
  private struct Identity {
    let key: Int64
    let version: Int64
  }

  private let width: Int
  private var identities: [Identity] = []
  private var values: [Value] = []

  /// Makes an empty list of rows with this many values each.
  init(width: Int) { self.width = width }

  var count: Int { identities.count }

  /// Begins a row.
  ///
  /// Its values must follow.
  mutating func begin(key: Int64, version: Int64) { identities.append(Identity(key: key, version: version)) }

  mutating func append(_ value: Value) { values.append(value) }

  /// A value of a row, as an attribute value.
  func value(_ row: Int, _ column: Int) -> AttributeValue {
    switch values[row * width + column] {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .binary(Data(bytes))
    }
  }

  /// Counts the rows in groups; `names` are the attributes of the columns.
  func add(to rows: inout FetchedRows, groupedBy grouping: RowGrouping, of entity: EntityDescription, names: [String]) {
    var tally = GroupTally(grouping, of: entity)
    let columns = tally.names.map { names.firstIndex(of: $0) ?? 0 }
    for row in 0..<count { tally.add { value(row, columns[$0]) } }
    tally.add(to: &rows)
  }

  /// The hash of a row's values, computed from every one of them.
  func hash(_ row: Int) -> RowHash {
    var hash = RowHash()
    for value in values[(row * width)..<((row + 1) * width)] { hash.add(value) }
    return hash
  }
}

extension RowHash {
  mutating func add(_ value: KeptRows.Value) {
    switch value {
    case .null: addNull()
    case .integer(let number): add(number)
    case .real(let number): add(number)
    case .text(var text): text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
    case .blob(let bytes): bytes.withUnsafeBytes { add(blob: $0) }
    }
  }
}
