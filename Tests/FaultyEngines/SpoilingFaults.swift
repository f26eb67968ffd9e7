// What a faulty engine does to a store whose rows are right, over a connection of its own.
import Foundation
import SQLiteDriver

extension FaultyEngine.Fault {
  /// Spoils the store; does nothing for faults of another kind.
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
    // The rows stay as they are.
    case .moreWork:
      ProcessInfo.processInfo.environment["FAULTY_MORE_WORK"] == nil ? nil : "UPDATE ZQUAKE SET ZPLACE = ZPLACE"
    default: nil
    }
  }
}
