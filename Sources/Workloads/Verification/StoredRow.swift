// How a row of a store is named in a sentence.

/// A row by its table or entity, and its key.
public struct StoredRow: Sendable, Hashable, CustomStringConvertible {
  /// The entity, or the table where rows of several entities, or of none, are in it.
  public var table: String
  /// What the row has as `Z_PK`.
  public var key: Int64

  public init(table: String, key: Int64) {
    self.table = table
    self.key = key
  }

  /// `row Z_PK 7 of Quake`.
  public var description: String { "row Z_PK \(key) of \(table)" }
}
