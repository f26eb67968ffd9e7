// The rows for a program: a SQLite file with a table for each entity, plain column names and exact storage classes.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// Writes the source of a program.
enum ProgramSource {
  /// The table of an entity's rows.
  static func tableName(of rows: ColumnarRows) -> String { rows.entityName }

  /// The storage class of an attribute's values: dates are REAL seconds since 2001-01-01 00:00 UTC.
  static func storage(of attribute: AttributeDescription) -> String {
    switch attribute.type.storageClass {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }

  /// Writes the rows in the source's order, with nulls replaced by the attributes' defaults.
  static func write(_ rows: ColumnarRows, to path: String) throws {
    let connection = try Connection(path: path)
    // The file is not needed after a crash.
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    let columns = rows.attributes.map { "\(quoted($0.name)) \(storage(of: $0))" }
    let table = quoted(tableName(of: rows))
    try connection.execute("CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
    try connection.transaction {
      let values = RowBinding(rows)
      let marks = Array(repeating: "?", count: max(values.count, 1)).joined(separator: ", ")
      let insert = try connection.prepare("INSERT INTO \(table) VALUES (\(marks))")
      for row in 0..<rows.count {
        try values.bind(row, to: insert, from: 1)
        try insert.run()
      }
    }
    try connection.close()
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
