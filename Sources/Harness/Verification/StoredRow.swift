// How a row of a store is named in a sentence.

/// A row by its table or entity, and its key.
package struct StoredRow: Sendable, Hashable, CustomStringConvertible {
  /// The entity, or the table where rows of several entities, or of none, are in it.
  package var table: String
  /// What the row has as `Z_PK`.
  package var key: Int64

  package init(table: String, key: Int64) {
    self.table = table
    self.key = key
  }

  /// `row Z_PK 7 of Quake`.
  package var description: String { "row Z_PK \(key) of \(table)" }
}
