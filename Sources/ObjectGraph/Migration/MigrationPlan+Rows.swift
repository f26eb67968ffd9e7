// The rows that a migration rewrites: their number, the space they take, and counting them.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support

extension MigrationPlan {
  /// The SQL function with which a copy counts its rows.
  static let counter = "objectgraph_copied"

  /// Refuses copies that do not fit on the disk, before anything is written.
  ///
  /// The estimate is lower than what the copies need, because the write-ahead log, indexes and pages need more.
  func refuseLackOfRoom(
    _ connection: Connection, path: String, free: Int64?
  ) throws(ObjectGraphError) {
    guard let free, !copies.isEmpty else { return }
    let needed = try during("estimating the room for copies of tables") { () throws(SQLiteError) in
      var bytes: Int64 = 0
      for copy in copies { bytes += try estimatedBytes(of: copy.source, connection) }
      return bytes
    }
    if needed <= free { return }
    throw .migration(
      entity: nil, property: nil, found: "a disk with \(free) bytes free",
      expected:
        "more than \(needed), which the rows of \(copies.map(\.source).joined(separator: ", ")) take again, and as "
        + "much for the write-ahead log: make room, or defer what can wait", path: path)
  }

  /// Estimates the bytes of a table's rows from the length of some.
  func estimatedBytes(of table: String, _ connection: Connection) throws(SQLiteError) -> Int64 {
    let columns = (file.tables.columns[table] ?? []).map { column in
      let name = column.name.quotedForSQL
      return "CASE typeof(\(name)) WHEN 'null' THEN 1 WHEN 'integer' THEN 3 WHEN 'real' THEN 9 "
        + "ELSE 1 + length(CAST(\(name) AS BLOB)) END"
    }
    if columns.isEmpty { return 0 }
    let name = table.quotedForSQL
    let length = columns.joined(separator: " + ")
    return try connection.scalar(
      "SELECT count(*) * (SELECT coalesce(avg(n), 0) FROM (SELECT \(length) AS n FROM \(name) LIMIT 1000)) FROM \(name)"
    )
      ?? 0
  }

  /// Makes the connection count copied rows, and records how many there are.
  func count(_ connection: Connection, for progress: MigrationProgress) throws(SQLiteError) {
    var total: Int64 = 0
    for copy in copies { total += try connection.scalar("SELECT count(*) FROM \(copy.source.quotedForSQL)") ?? 0 }
    progress.expect(rows: total)
    var rows: Int64 = 0
    try connection.createFunction(MigrationPlan.counter, argumentCount: 1) { arguments in
      rows += 1
      if rows % 256 == 0 { progress.advance(to: rows) }
      return .integer(arguments.int64(0))
    }
  }
}
