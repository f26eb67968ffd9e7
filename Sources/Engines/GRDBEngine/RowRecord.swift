// The two kinds of record that are inserted, one that writes its columns itself and a Codable one, and what an upsert of
// them does to a stored row.
internal import GRDB

/// A row as a record that puts its values into GRDB's container itself.
///
/// An app's record has a property a column, and its values are made before it is inserted. This one makes them while
/// it is encoded, which GRDB does once, so that the work is the same and no array of values is needed.
struct RowRecord: PersistableRecord {
  static var databaseTableName: String { RecordTable.current.name }

  let source: RecordSource
  let row: Int
  let key: Int64

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = key
    container["Z_ENT"] = source.entityNumber
    container["Z_OPT"] = 1
    for field in source.fields { container[field.key.stringValue] = field.value(row) }
  }
}

/// A row as a record that GRDB encodes by its `Encodable` conformance.
///
/// No compiler can write that conformance for an entity that a scenario brings. This one makes the same calls as
/// compiled code: a keyed container, and a value of a concrete type for the key of every column. Decoding plays no
/// part in an insert and is left out.
struct CodableRowRecord: Encodable, PersistableRecord {
  static var databaseTableName: String { RecordTable.current.name }

  let source: RecordSource
  let row: Int
  let key: Int64

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ColumnKey.self)
    try container.encode(key, forKey: .primaryKey)
    try container.encode(source.entityNumber, forKey: .entity)
    try container.encode(1, forKey: .version)
    for field in source.fields { try field.encode(row, into: &container) }
  }
}

/// What an upsert is asked for, since GRDB's must be asked for something: as little as can be.
struct UpsertedRow: FetchableRecord, TableRecord {
  static var databaseTableName: String { RecordTable.current.name }
  static var databaseSelection: [any SQLSelectable] { [Column("Z_PK")] }

  init(row: Row) {}
}

extension ColumnAssignment {
  /// What every change of a stored row does to its version.
  static var versionRaised: ColumnAssignment { Column("Z_OPT") += 1 }

  /// Makes an upsert keep a stored row's entity.
  static var entityKept: ColumnAssignment { Column("Z_ENT").noOverwrite }
}

/// A table as records know it.
final class RecordTable: Sendable {
  let name: String
  /// The value of `Z_ENT` in rows of the entity.
  let entityNumber: Int64
  /// The entity number under which `Z_PRIMARYKEY` counts the table's keys.
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
