// A deletion that forgets a row below a deleted one.
internal import BatchmarkEngine
internal import SQLiteDriver

/// Deletes one half of the trees of folders, except for the row with the key 7.
final class OrphanSession: ChangeSession {
  private let connection: Connection

  init(_ setup: StoreSetup) throws { connection = try setup.connect() }

  func change(where condition: RowCondition?) throws {
    try connection.execute("DELETE FROM ZFOLDER WHERE ZHALF = 0 AND Z_PK <> 7")
  }

  func checkpoint() throws { _ = try connection.checkpoint(.truncate) }

  func close() throws { try connection.close() }
}
