// The tables of persistent history in Core Data's layout: creates them, completes older ones, and empties them.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The numbers and names under which `Z_PRIMARYKEY` counts rows of history.
enum HistoryEntity: Int64, CaseIterable {
  case change = 16001
  case transaction = 16002
  case transactionString = 16003

  var name: String {
    switch self {
    case .change: "CHANGE"
    case .transaction: "TRANSACTION"
    case .transactionString: "TRANSACTIONSTRING"
    }
  }
}

/// The tables and indexes that a store needs for history.
struct HistorySchema {
  /// The most values that are kept of a deleted object.
  let tombstones: Int

  init(_ model: CompiledModel) { tombstones = model.layouts.map { $0.tombstoneSlots.count }.max() ?? 0 }

  /// A table with the declarations of its columns.
  struct Table {
    let name: String
    let columns: [String]

    var columnNames: [String] { columns.map { String($0.prefix { $0 != " " }) } }
  }

  var tables: [Table] {
    let row = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    let change =
      ["ZCHANGETYPE INTEGER", "ZENTITY INTEGER", "ZENTITYPK INTEGER", "ZTRANSACTIONID INTEGER", "ZCOLUMNS BLOB"]
      + (0..<tombstones).map { "ZTOMBSTONE\($0) BLOB" }
    let transaction =
      ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].map { "\($0) INTEGER" }
      + ["ZTIMESTAMP FLOAT"] + ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { "\($0) VARCHAR" }
      + ["ZQUERYGEN BLOB"]
    return [
      Table(name: "ACHANGE", columns: row + change), Table(name: "ATRANSACTION", columns: row + transaction),
      Table(name: "ATRANSACTIONSTRING", columns: row + ["ZNAME VARCHAR"]),
    ]
  }

  private var indexes: [(name: String, sql: String)] {
    [
      ("ACHANGE_ZTRANSACTIONID_INDEX", "INDEX", "ACHANGE (ZTRANSACTIONID)"),
      ("ATRANSACTION_ZAUTHORTS_INDEX", "INDEX", "ATRANSACTION (ZAUTHORTS)"),
      ("ATRANSACTION_ZBUNDLEIDTS_INDEX", "INDEX", "ATRANSACTION (ZBUNDLEIDTS)"),
      ("ATRANSACTION_ZCONTEXTNAMETS_INDEX", "INDEX", "ATRANSACTION (ZCONTEXTNAMETS)"),
      ("ATRANSACTION_ZPROCESSIDTS_INDEX", "INDEX", "ATRANSACTION (ZPROCESSIDTS)"),
      ("Z_TRANSACTION_TransactionAuthorIndex", "INDEX", "ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)"),
      ("Z_TRANSACTION_TransactionTimestampIndex", "INDEX", "ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)"),
      ("Z_TRANSACTIONSTRING_UNIQUE_NAME", "UNIQUE INDEX", "ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)"),
    ].map { name, kind, position in (name, "CREATE \(kind) \(name) ON \(position)") }
  }

  /// Creates what the store lacks; a complete store is only read.
  func make(in connection: Connection) throws(SQLiteError) {
    if try missing(in: connection).isEmpty { return }
    try connection.begin(.immediate)
    do {
      // Another process may have created it by now.
      for sql in try missing(in: connection) { try connection.execute(sql) }
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Deletes transactions and changes, as Core Data does when a store is no longer tracked.
  ///
  /// The assigned numbers stay, and so do the strings. If no transaction number was assigned yet, one is: a token of
  /// the empty history must not be valid for later history.
  static func forget(in connection: Connection) throws(SQLiteError) {
    let count = try connection.scalar(
      "SELECT EXISTS (SELECT 1 FROM ACHANGE) + EXISTS (SELECT 1 FROM ATRANSACTION) "
        + "+ NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = 16002 AND Z_MAX > 0)")
    if count ?? 0 == 0 { return }
    try connection.begin(.immediate)
    do {
      try connection.execute(
        """
        DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (16002, 'TRANSACTION', 0, 1)
          ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = max(Z_MAX, 1)
        """)
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  private func missing(in connection: Connection) throws(SQLiteError) -> [String] {
    var statements: [String] = []
    for table in tables {
      let columns = try connection.texts("SELECT name FROM pragma_table_info('\(table.name)')")
      if columns.isEmpty {
        statements.append("CREATE TABLE \(table.name) ( \(table.columns.joined(separator: ", ")) )")
      } else {
        // Before 2018, transactions contained their strings; and a model may keep more values of deleted objects now.
        statements += table.columns.filter { !columns.contains(String($0.prefix { $0 != " " })) }
          .map { "ALTER TABLE \(table.name) ADD COLUMN \($0)" }
      }
    }
    let names = try connection.texts("SELECT name FROM sqlite_master WHERE type = 'index'")
    statements += indexes.filter { !names.contains($0.name) }.map(\.sql)
    if statements.isEmpty, try wasForgotten(in: connection) { statements += beginning }
    return statements
  }

  /// Whether there was history, and later changes may not have been recorded.
  private func wasForgotten(in connection: Connection) throws(SQLiteError) -> Bool {
    try connection.scalar(
      "SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = 16002 AND Z_MAX > 0 AND NOT EXISTS (SELECT 1 FROM ATRANSACTION)") == 1
  }

  /// An empty transaction with which history begins again, so that all earlier tokens are older and therefore expired.
  private var beginning: [String] {
    [
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 16002",
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) "
        + "SELECT Z_MAX, 16002, \(Date().timeIntervalSinceReferenceDate) FROM Z_PRIMARYKEY WHERE Z_ENT = 16002",
    ]
  }
}
