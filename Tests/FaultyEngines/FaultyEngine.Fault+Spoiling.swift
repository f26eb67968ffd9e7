// The changes of a faulty engine to a store with correct rows, over a separate connection.
import Foundation
import SQLiteDriver

extension FaultyEngine.Fault {
  /// Spoils the store; does nothing for other kinds of faults.
  func spoil(storeAt path: String) throws {
    guard let sql else { return }
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// The SQL that spoils a store of earthquakes with at least seven rows.
  private var sql: String? {
    switch self {
    case .textAsBlob: "UPDATE ZQUAKE SET ZPLACE = CAST(ZPLACE AS BLOB) WHERE Z_PK = 7"
    case .realInInteger: "UPDATE ZQUAKE SET ZNST = 7.5 WHERE Z_PK = 7"
    case .dateAsText: "UPDATE ZQUAKE SET ZTIME = '2024-02-29' WHERE Z_PK = 7"
    case .extraColumn: "ALTER TABLE ZQUAKE ADD COLUMN ZNOTE VARCHAR"
    case .extraTable: "CREATE TABLE NOTES (note VARCHAR)"
    case .missingIndex: "DROP INDEX Z_Quake_UNIQUE_code"
    case .plainIndex:
      "DROP INDEX Z_Quake_UNIQUE_code; CREATE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE COLLATE BINARY ASC)"
    case .wrongEntityNumber: "UPDATE ZQUAKE SET Z_ENT = 9 WHERE Z_PK = 7"
    case .versionMissing: "UPDATE ZQUAKE SET Z_OPT = NULL WHERE Z_PK = 7"
    case .negativeKey: "UPDATE ZQUAKE SET Z_PK = -7 WHERE Z_PK = 7"
    case .keyNotCounted: "UPDATE Z_PRIMARYKEY SET Z_MAX = 3"
    case .metadataGone: "DELETE FROM Z_METADATA"
    case .oneWrongRow: "UPDATE ZQUAKE SET ZMAGNITUDE = 99.5 WHERE Z_PK = 7"
    case .checkAdded: FaultyEngine.Fault.redeclared("ZCODE VARCHAR", "ZCODE VARCHAR CHECK (length(ZCODE) > 0)")
    case .collateAdded: FaultyEngine.Fault.redeclared("ZPLACE VARCHAR", "ZPLACE VARCHAR COLLATE RTRIM")
    case .wrongMetadataVersion: "UPDATE Z_METADATA SET Z_VERSION = 7"
    case .wrongIdentifier: "UPDATE Z_METADATA SET Z_UUID = 'mine'"
    case .otherAutoVacuum: "PRAGMA auto_vacuum = none; VACUUM"
    case .rowWhileOpening: "INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE, ZTIME) VALUES (1, 1, 1, 'early', 0)"
    // The rows stay unchanged.
    case .moreWork:
      ProcessInfo.processInfo.environment["FAULTY_MORE_WORK"] == nil ? nil : "UPDATE ZQUAKE SET ZPLACE = ZPLACE"
    default: nil
    }
  }

  /// Changes the declaration of a column of earthquakes in the schema table, because SQLite has no statement for that.
  private static func redeclared(_ before: String, _ after: String) -> String {
    "PRAGMA writable_schema = on; UPDATE sqlite_master SET sql = replace(sql, '\(before)', '\(after)') "
      + "WHERE name = 'ZQUAKE'; PRAGMA writable_schema = reset"
  }
}
