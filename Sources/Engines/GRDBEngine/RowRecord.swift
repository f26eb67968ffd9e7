// The two kinds of records for inserts, one that writes its columns itself and a Codable one, and the effect of their
// upserts on a stored row.
internal import GRDB

/// A row as a record that writes its values into GRDB's container itself.
///
/// An app's record has a property for each column, and its values are made before the insert. This one makes them while
/// it is encoded. GRDB encodes it once, so the work is the same, without an array of values.
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
/// The compiler cannot generate that conformance for an entity of a scenario. This one makes the same calls as
/// generated code: a keyed container, and a value of a concrete type for the key of every column. An insert needs no
/// decoding, so it is left out.
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

/// The result of an upsert.
///
/// GRDB requires one, so this asks for as little as possible.
struct UpsertedRow: FetchableRecord, TableRecord {
  static var databaseTableName: String { RecordTable.current.name }
  static var databaseSelection: [any SQLSelectable] { [Column("Z_PK")] }

  init(row: Row) {}
}

extension ColumnAssignment {
  /// The effect of every change of a stored row on its version.
  static var versionRaised: ColumnAssignment { Column("Z_OPT") += 1 }

  /// Makes an upsert keep a stored row's entity.
  static var entityKept: ColumnAssignment { Column("Z_ENT").noOverwrite }
}

/// The properties of a table that records need.
final class RecordTable: Sendable {
  let name: String
  /// The value of `Z_ENT` in rows of the entity.
  let entityNumber: Int64
  /// The entity number for the table's keys in `Z_PRIMARYKEY`.
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

  /// The table of the current records.
  ///
  /// GRDB asks a record's type for it once or twice per row.
  ///
  /// The lookup takes some nanoseconds more than a constant would, while a record takes microseconds.
  @TaskLocal static var current: RecordTable = RecordTable(name: "", entityNumber: 0, rootNumber: 0, columns: [])
}
