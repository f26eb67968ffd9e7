// The first row that makes a store differ from the expected one, and how it differs.
internal import BatchmarkEngine
internal import ObjectGraph

/// A row that should not be in the store, or one that is missing.
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

  /// The row's values differ from those of a missing source row. Both lists have the same attributes: those that
  /// differ.
  case differs(StoredRow, found: [Field], expected: [Field])
  /// No expected row has these values, or not so many rows.
  case unexpected(StoredRow, [Field])
  /// No row of the store has these values. Source rows count from 1.
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

  /// As many fields as fit into a readable sentence.
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

  /// A hash that identifies the value.
  var identity: RowHash {
    var hash = RowHash()
    add(to: &hash)
    return hash
  }
}
