// D9, C3: a change of the journal mode waits for another connection's lock, like every other statement.
import Dispatch
import Foundation
import MissionTags
import SQLiteDriver
import Testing

@Suite("C3 D9 · journal mode of a store that others have open too", .tags(.d9))
struct JournalModeTests {
  @Test("The mode changes once the other connection releases its lock, and is refused after the timeout")
  func waiting() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "store.sqlite").path
    let holder = try Connection(path: path, access: .readWriteCreate)
    try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")

    let hasty = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    let error = #expect(throws: SQLiteError.self) { try hasty.setPragma("journal_mode", to: "wal") }
    #expect(error?.code == .busy)
    try hasty.close()

    try holder.execute("COMMIT")
    try holder.close()

    let isLocked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      guard let other = try? Connection(path: path, access: .readWrite) else { return }
      try? other.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
      isLocked.signal()
      usleep(30_000)
      try? other.execute("COMMIT")
      try? other.close()
    }
    isLocked.wait()
    let patient = try Connection(path: path, access: .readWrite)
    #expect(try patient.setPragma("journal_mode", to: "wal") == "wal")
    try patient.close()
  }
}
