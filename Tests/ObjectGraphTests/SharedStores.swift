// Stores that Core Data wrote, beside the package; tests that need one are skipped without them.
import Foundation
import SQLiteDriver

enum SharedStores {
  /// `../shared/data/stores` relative to the package.
  static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/stores")

  static let exist = FileManager.default.fileExists(atPath: directory.path)

  /// The layout of a store: its tables and indexes as they were declared, in alphabetical order, without the
  /// bookkeeping, the history and the triggers; then its entities as `number name super`.
  static func layout(_ name: String) throws -> [String] {
    // A copy, because a store in WAL mode makes files beside itself when it is opened.
    let copy = FileManager.default.temporaryDirectory.appending(path: "layout-\(UUID().uuidString).sqlite")
    try FileManager.default.copyItem(at: directory.appending(path: name), to: copy)
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
    }
    return try layout(path: copy.path)
  }

  /// What a store keeps history in: tables and indexes in the order they were made, then the entities that count keys.
  static func historyLayout(_ name: String) throws -> [String] {
    let copy = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString).sqlite")
    try FileManager.default.copyItem(at: directory.appending(path: name), to: copy)
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
    }
    return try historyLayout(path: copy.path)
  }

  static func historyLayout(path: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    var texts: [String] = []
    for sql in [
      "SELECT sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') ORDER BY rowid",
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT",
    ] {
      let statement = try connection.prepare(sql)
      while try statement.step() { texts.append(statement.string(0) ?? "") }
    }
    return texts
  }

  static func layout(path: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    let objects = """
      SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql NOT NULL AND tbl_name NOT LIKE 'A%'
      AND tbl_name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') ORDER BY sql
      """
    let entities =
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT"
    var texts: [String] = []
    for sql in [objects, entities] {
      let statement = try connection.prepare(sql)
      while try statement.step() { texts.append(statement.string(0) ?? "") }
    }
    return texts
  }
}
