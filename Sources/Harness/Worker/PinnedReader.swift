// A reader that sees the store as it was, for as long as it likes: what keeps a log from being emptied.
internal import BatchmarkEngine
internal import SQLiteDriver

/// A connection of plain SQLite in a read transaction that began before the operation.
struct PinnedReader {
  private let connection: Connection

  /// Begins to read; the transaction has its snapshot once it has read a row.
  init(_ setup: StoreSetup) throws(SQLiteError) {
    connection = try Connection(path: setup.path, access: .readOnly)
    try connection.begin(.deferred)
    _ = try connection.scalar("SELECT count(*) FROM Z_PRIMARYKEY")
  }

  func close() throws(SQLiteError) {
    connection.rollback()
    try connection.close()
  }
}
