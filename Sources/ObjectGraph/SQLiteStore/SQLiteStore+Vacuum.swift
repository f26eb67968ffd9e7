// Returns free pages to the file system: https://www.sqlite.org/lang_vacuum.html.
internal import SQLiteDriver

extension SQLiteStore {
  /// Returns free pages to the file system.
  func vacuum(_ mode: VacuumMode) throws(ObjectGraphError) -> VacuumResult {
    try write { (writer) throws(ObjectGraphError) in try writer.connection.vacuum(mode) }
  }
}

extension Connection {
  /// Vacuums the main database.
  ///
  /// - Throws: ``ObjectGraphError/invalidVacuum(found:expected:path:)``, ``ObjectGraphError/store(_:during:)``.
  func vacuum(_ mode: VacuumMode) throws(ObjectGraphError) -> VacuumResult {
    var sql = "VACUUM"
    if case .incremental(let pages) = mode {
      if let pages, pages < 1 {
        throw .invalidVacuum(found: "\(pages) pages to free", expected: "1 or more, or nil for all", path: path)
      }
      let kind = try during("reading a pragma") { () throws(SQLiteError) in try pragma("auto_vacuum") }
      if kind == "0" {
        throw .invalidVacuum(
          found: "a file without incremental vacuum (auto_vacuum is none)",
          expected: "a whole vacuum, or a store that is made with auto_vacuum incremental", path: path)
      }
      // 0 frees all pages.
      sql = "PRAGMA incremental_vacuum(\(pages ?? 0))"
    }
    return try during("vacuuming the store \(path)") { () throws(SQLiteError) in
      let before = try scalar("PRAGMA page_count") ?? 0
      try execute(sql)
      let after = try scalar("PRAGMA page_count") ?? 0
      // In WAL mode, the file is shortened when the log is moved into it.
      let checkpoint = try checkpointWithoutWaiting(.truncate)
      return VacuumResult(
        pagesBefore: Int(before), pages: Int(after), freePages: Int(try scalar("PRAGMA freelist_count") ?? 0),
        isFileShortened: checkpoint.isComplete)
    }
  }
}
