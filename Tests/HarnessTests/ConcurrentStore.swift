// A store for tests of concurrent readers and writers.
import HarnessFixtures
import SQLiteDriver
import Support

@testable import Harness

/// A store in WAL mode in its own folder, and the connection that made it.
struct ConcurrentStore {
  let path: String
  let owner: Connection
  private let folder: TemporaryFolder

  /// Makes the store with SQL that makes its table and fills it.
  init(_ rows: String) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/store.sqlite"
    owner = try Connection(path: path, access: .readWriteCreate, busyTimeout: 0)
    _ = try owner.setPragma("journal_mode", to: "wal")
    try owner.execute("\(rows); \(ConcurrentTable.creation)")
  }
}
