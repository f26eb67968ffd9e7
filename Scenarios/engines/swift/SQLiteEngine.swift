// SQLite from Swift: one prepared statement, executed for each row. https://www.sqlite.org/c3ref/stmt.html

final class SQLiteEngine: Engine {
  let store: Database
  private let job: Job
  private let rows: [[Value]]
  private let statement: OpaquePointer

  init(_ job: Job) throws {
    self.job = job
    rows = try job.heldRows()
    store = try Database(job.store)
    try job.prepare(store)
    statement = try store.prepare(job.insert)
  }

  func insert(firstKey: Int64) throws -> Int {
    let step = job.number("save_every", of: rows.count)
    for start in stride(from: 0, to: rows.count, by: step) {
      try store.run("BEGIN IMMEDIATE")
      for index in start..<min(start + step, rows.count) {
        sqlite3_bind_int64(statement, 1, firstKey + Int64(index))
        for (column, value) in rows[index].enumerated() { bind(value, Int32(column + 2)) }
        try store.check(sqlite3_step(statement), SQLITE_DONE)
        sqlite3_reset(statement)
      }
      try store.run("COMMIT")
    }
    return rows.count
  }

  private func bind(_ value: Value, _ place: Int32) {
    // SQLite has to copy text and blobs: they are only valid during this call.
    let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, place)
    case .integer(let value): sqlite3_bind_int64(statement, place, value)
    case .real(let value): sqlite3_bind_double(statement, place, value)
    case .text(let value): sqlite3_bind_text(statement, place, value, -1, isCopied)
    case .blob(let value):
      sqlite3_bind_blob64(statement, place, value.isEmpty ? [0] : value, UInt64(value.count), isCopied)
    }
  }

  func close() throws {
    sqlite3_finalize(statement)
    try store.close()
  }
}

@main
struct Program {
  static func main() throws {
    try serve(
      "swift-sqlite", version: String(cString: sqlite3_libversion()),
      strategies: [
        strategy(
          "save", "object_by_object", "SQLite from Swift: one prepared statement, executed for each row",
          givesUp: ["no model", "no objects", "SQL by hand"])
      ], as: SQLiteEngine.self)
  }
}
