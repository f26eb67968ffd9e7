// The first row that makes a store another than it should be, and what differs in it.
internal import BatchmarkEngine
internal import ObjectGraph

/// A row that is in the store and should not be, or the other way round.
package enum RowDifference: Sendable, Hashable, CustomStringConvertible {
  /// An attribute with its stored value, as messages show it: `magnitude 4.5`.
  package struct Field: Sendable, Hashable, CustomStringConvertible {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    package var description: String { "\(name) \(value)" }
  }

  /// The row has other values than one of the source that is not stored: those that differ, alike in both lists.
  case differs(StoredRow, found: [Field], expected: [Field])
  /// No row that must be stored has the row's values, or not so often.
  case unexpected(StoredRow, [Field])
  /// No row of the store has these values; rows of the source count from 1.
  case missing(entity: String, sourceRow: Int, [Field])

  package var description: String {
    switch self {
    case .differs(let row, let found, let expected):
      "\(row): found \(RowDifference.list(found)); expected \(RowDifference.list(expected))"
    case .unexpected(let row, let fields): "\(row): found \(RowDifference.list(fields)); expected no such row"
    case .missing(let entity, let sourceRow, let fields):
      "row \(sourceRow) of the source: found no row of \(entity) with its values; expected \(RowDifference.list(fields))"
    }
  }

  /// As many fields as one reads in a sentence.
  private static func list(_ fields: [Field]) -> String {
    let shown = fields.prefix(3).map(\.description).joined(separator: ", ")
    return fields.count > 3 ? "\(shown) and \(fields.count - 3) more" : shown
  }
}

extension StoredValue {
  /// The value as messages show it: `4.5`, `"Ridgecrest"`, `a blob of 16 bytes`, `NULL`.
  var shown: String {
    if let integer { return "\(integer)" }
    if let real { return "\(real)" }
    if let text {
      let length = 40
      return "\"\(text.prefix(length))\(text.count > length ? "…" : "")\""
    }
    if let blob { return "a blob of \(blob.count) bytes" }
    return "NULL"
  }

  /// What distinguishes the value from others.
  var identity: RowHash {
    var hash = RowHash()
    add(to: &hash)
    return hash
  }
}
