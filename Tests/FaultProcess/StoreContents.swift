// The contents of a store's file, and the rules that must always be true for it, checked without the library.
internal import Foundation
internal import SQLiteDriver

/// Everything in a store except for values that always differ: the store's identifier and the times of transactions.
struct StoreContents: Equatable {
  /// Every row as text, by table; the schema is another table.
  private(set) var tables: [String: [String]] = [:]
  /// What is wrong with the file itself; empty if it is valid.
  private(set) var findings: [String] = []

  /// - Parameter path: The file; if it does not exist, there are no tables. Leftovers of a crash or failure are
  ///   recovered.
  /// - Throws: An error if it cannot be read.
  init(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let connection = try Connection(path: path, busyTimeout: 0)
    defer { try? connection.close() }
    findings = try connection.integrityCheck()
    let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map(\.unquoted)
    for name in names { tables[name] = try connection.rows("SELECT * FROM \(name)") }
    if names.isEmpty { return }
    tables["the schema"] = try connection.rows("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2")
    tables["the journal mode"] = try connection.rows("PRAGMA journal_mode")
    if names.contains("Z_PRIMARYKEY") { try lookForKeysBehind(connection) }
    if names.contains("ATRANSACTIONSTRING") { try lookAtHistory(connection) }
  }

  /// A short description of the differences; nil if both are the same.
  func difference(from other: StoreContents) -> String? {
    for name in Set(tables.keys).union(other.tables.keys).sorted() where tables[name] != other.tables[name] {
      guard let mine = tables[name] else { return "no table \(name)" }
      guard let others = other.tables[name] else { return "a table \(name)" }
      let unexpected = mine.first { !others.contains($0) } ?? "nothing"
      let missing = others.first { !mine.contains($0) } ?? "nothing"
      return "\(name): \(mine.count) rows for \(others.count), with \(unexpected), without \(missing)"
    }
    return nil
  }

  /// Checks that every assigned key is recorded.
  private mutating func lookForKeysBehind(_ connection: Connection) throws {
    for row in try connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") {
      let parts = row.split(separator: "|")
      let name = parts[0].unquoted.uppercased()
      guard let table = ["Z" + name, "A" + name].first(where: { tables[$0] != nil }), let last = Int64(parts[1])
      else { continue }
      let highest = try connection.scalar("SELECT max(Z_PK) FROM \(table)") ?? 0
      if highest > last { findings.append("Z_MAX of \(name) is \(last), but there is a key \(highest)") }
    }
  }

  /// Checks that changes and transactions belong together, and that every row inserted since the beginning of the
  /// history has its change.
  private mutating func lookAtHistory(_ connection: Connection) throws {
    let wrong = [
      "changes without their transaction": "SELECT ZTRANSACTIONID FROM ACHANGE EXCEPT SELECT Z_PK FROM ATRANSACTION",
      // A migration leaves an empty one.
      "transactions without changes":
        """
      SELECT t.Z_PK FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS
      WHERE s.ZNAME NOT LIKE 'com.apple.coredata.schemamigrator%' EXCEPT SELECT ZTRANSACTIONID FROM ACHANGE
      """,
      "transactions without an author":
        """
      SELECT 1 FROM ATRANSACTION WHERE ZAUTHORTS IS NULL OR ZAUTHORTS NOT IN (SELECT Z_PK FROM ATRANSACTIONSTRING)
      """,
    ]
    for (what, sql) in wrong {
      let count = try connection.scalar("SELECT count(*) FROM (\(sql))") ?? 0
      if count > 0 { findings.append("\(count) \(what)") }
    }
    let isWhole = try connection.scalar("SELECT min(Z_PK) FROM ATRANSACTION") == 1
    for row in isWhole ? try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000") : [] {
      let parts = row.split(separator: "|")
      let table = "Z" + parts[0].unquoted.uppercased()
      let here = "SELECT Z_PK FROM \(table)"
      let told = """
        SELECT ZENTITYPK FROM ACHANGE WHERE ZENTITY = \(parts[1]) GROUP BY 1 \
        HAVING sum(ZCHANGETYPE = 0) > sum(ZCHANGETYPE = 2)
        """
      for (what, sql) in [("without", "\(here) EXCEPT \(told)"), ("only in", "\(told) EXCEPT \(here)")] {
        let count = try connection.scalar("SELECT count(*) FROM (\(sql))") ?? 0
        if count > 0 { findings.append("\(count) rows of \(table) \(what) history") }
      }
    }
  }
}

extension Connection {
  /// Every row as SQL literals, with columns joined by `|`, without those that always differ.
  fileprivate func rows(_ sql: String) throws -> [String] {
    let statement = try prepare(sql, isPersistent: false)
    let columns = (0..<statement.columnCount).filter { !["ZTIMESTAMP", "Z_UUID"].contains(statement.columnName($0)) }
    var rows: [String] = []
    while try statement.step() { rows.append(columns.map { statement.literal($0) }.joined(separator: "|")) }
    return rows
  }
}

extension Statement {
  fileprivate func literal(_ column: Int) -> String {
    switch columnType(column) {
    case .null: "NULL"
    case .integer: String(int64(column))
    case .real: String(double(column))
    case .text: "'" + (string(column) ?? "") + "'"
    case .blob:
      (bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)).map { String($0) }.joined(separator: " ")
    }
  }
}

extension StringProtocol {
  /// A literal's text.
  fileprivate var unquoted: String { String(dropFirst().dropLast()) }
}
