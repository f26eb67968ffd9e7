// The table that records are of. An app's record type has its table's name as a constant; here every scenario has an
// entity of its own.

/// A table as records know it.
final class RecordTable: Sendable {
  let name: String
  /// What rows of the entity have in `Z_ENT`.
  let entityNumber: Int64
  /// The number under which the table's keys are counted.
  let rootNumber: Int64
  /// In the table's order.
  let columns: [String]
  /// The columns of the entity's attributes, by attribute.
  let attributeColumns: [String: String]

  init(
    name: String, entityNumber: Int64, rootNumber: Int64, columns: [String], attributeColumns: [String: String] = [:]
  ) {
    self.name = name
    self.entityNumber = entityNumber
    self.rootNumber = rootNumber
    self.columns = columns
    self.attributeColumns = attributeColumns
  }

  /// The table of the records that are being handled: GRDB asks a record's type for it, once or twice a row.
  ///
  /// Looking it up costs some nanoseconds more than a constant would, where a record takes microseconds.
  @TaskLocal static var current: RecordTable = RecordTable(name: "", entityNumber: 0, rootNumber: 0, columns: [])
}
