// The expected and actual contents of the writer's store, in plain SQL.
import Foundation
import SQLiteDriver

/// One line of the writer: the beginning of a transaction, a stored transaction, or a failure.
struct WriterLine: Decodable {
  var begins: Int64?
  var inserted: Int64?
  var updated: Int64?
  var deleted: Int64?
  var ends: Int64?
  var failed: String?
}

/// The groups of entries after some transactions.
struct Groups: Equatable {
  struct Group: Equatable {
    var entries: Int64
    var generation: Int64
  }

  /// By the number of the transaction that inserted the group.
  var groups: [Int64: Group] = [:]
  /// The last transaction.
  var last: Int64 = 0
  /// The number of changes of each kind, by transaction.
  private(set) var changes: [Int64: [Int64]] = [:]

  func after(_ transaction: WriterLine) -> Groups {
    guard let number = transaction.begins else { return self }
    var later = self
    let inserted = transaction.inserted ?? 0
    let updated = transaction.updated.flatMap { groups[$0]?.entries } ?? 0
    let deleted = transaction.deleted.flatMap { groups[$0]?.entries } ?? 0
    if inserted > 0 { later.groups[number] = Group(entries: inserted, generation: number) }
    if let group = transaction.updated { later.groups[group]?.generation = number }
    if let group = transaction.deleted { later.groups[group] = nil }
    later.last = number
    later.changes[number] = [inserted, updated, deleted]
    return later
  }

  /// Checked changes need not be checked again.
  mutating func forgetChanges() { changes = [:] }
}

/// The store, read without the library.
struct EntryFile {
  let path: String

  /// Whether another process is currently within a writing transaction.
  func isBeingWritten() throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let connection = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    defer { try? connection.close() }
    do {
      try connection.begin(.immediate)
      connection.rollback()
      return false
    } catch {
      // Recovery is not a transaction.
      return error.extendedCode == .busy
    }
  }

  /// What is wrong with the file itself; empty if it is valid and the history has every row.
  func findings() throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    var findings = try connection.integrityCheck()
    let counts = [
      "groups in part":
        "SELECT 1 FROM ZENTRY GROUP BY ZGROUP HAVING count(*) <> min(ZSIZE) OR min(ZGENERATION) <> max(ZGENERATION)",
      "rows of a generation and history of another":
        """
      SELECT 1 FROM ZENTRY JOIN (SELECT ZENTITYPK AS key, sum(ZCHANGETYPE = 1) AS updates, \
      sum(ZCHANGETYPE = 0) AS inserts, sum(ZCHANGETYPE = 2) AS deletes FROM ACHANGE GROUP BY 1) ON key = Z_PK \
      WHERE Z_OPT <> 1 + updates OR inserts <> 1 OR deletes <> 0
      """,
      "rows without history": "SELECT Z_PK FROM ZENTRY EXCEPT SELECT ZENTITYPK FROM ACHANGE",
      "rows that history has and the store has not":
        """
      SELECT ZENTITYPK FROM ACHANGE GROUP BY 1 HAVING sum(ZCHANGETYPE = 2) <> 1 OR sum(ZCHANGETYPE = 0) <> 1 \
      EXCEPT SELECT Z_PK FROM ZENTRY
      """,
      "changes without their transaction": "SELECT ZTRANSACTIONID FROM ACHANGE EXCEPT SELECT Z_PK FROM ATRANSACTION",
      "transactions without changes": "SELECT Z_PK FROM ATRANSACTION EXCEPT SELECT ZTRANSACTIONID FROM ACHANGE",
      "authors that are not the transaction's":
        """
      SELECT 1 FROM ATRANSACTION AS t LEFT JOIN ATRANSACTIONSTRING AS s ON s.Z_PK = ZAUTHORTS \
      WHERE ZNAME IS NOT CAST(t.Z_PK AS TEXT)
      """,
      "keys behind":
        """
      SELECT 1 FROM Z_PRIMARYKEY WHERE Z_MAX < CASE Z_NAME \
      WHEN 'Entry' THEN (SELECT max(ifnull(max(ZENTITYPK), 0), ifnull((SELECT max(Z_PK) FROM ZENTRY), 0)) FROM ACHANGE) \
      WHEN 'CHANGE' THEN (SELECT max(Z_PK) FROM ACHANGE) WHEN 'TRANSACTION' THEN (SELECT max(Z_PK) FROM ATRANSACTION) \
      WHEN 'TRANSACTIONSTRING' THEN (SELECT max(Z_PK) FROM ATRANSACTIONSTRING) ELSE 0 END
      """,
    ]
    for (name, sql) in counts {
      let count = try connection.scalar("SELECT count(*) FROM (\(sql))") ?? 0
      if count > 0 { findings.append("\(count) \(name)") }
    }
    return findings
  }

  /// Whether the store's layout exists; a process that is killed early may not have made it.
  func isMade() throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    return try connection.scalar(
      "SELECT count(*) FROM sqlite_master WHERE name IN ('ZENTRY', 'ACHANGE', 'Z_TRANSACTIONSTRING_UNIQUE_NAME')") == 3
  }

  /// The stored groups, and the last transaction of the history.
  func groups() throws -> (groups: [Int64: Groups.Group], last: Int64) {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    var groups: [Int64: Groups.Group] = [:]
    let statement = try connection.prepare("SELECT ZGROUP, count(*), max(ZGENERATION) FROM ZENTRY GROUP BY 1")
    while try statement.step() {
      groups[statement.int64(0)] = Groups.Group(entries: statement.int64(1), generation: statement.int64(2))
    }
    return (groups, try connection.scalar("SELECT max(Z_PK) FROM ATRANSACTION") ?? 0)
  }

  /// The number of changes of each kind that the history has for a transaction.
  func changes(of number: Int64) throws -> [Int64] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    return try (0...2).map {
      try connection.scalar("SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID = \(number) AND ZCHANGETYPE = \($0)")
        ?? 0
    }
  }

  /// Every row as text, columns joined by `|`.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "" }.joined(separator: "|"))
    }
    return rows
  }
}
