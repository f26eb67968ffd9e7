// Checkpoints and what prevents them from finishing.
import MissionTags
import SQLiteDriver
import Testing

@Suite("A4 · checkpoints", .tags(.a4))
struct CheckpointTests {
  private let folder: TemporaryDirectory
  private let connection: Connection

  init() throws {
    folder = try TemporaryDirectory()
    connection = try Connection(path: folder.path(), busyTimeout: 0)
    try connection.setPragma("journal_mode", to: "wal")
    try connection.setPragma("wal_autocheckpoint", to: "0")
    try connection.execute("CREATE TABLE t(a)")
  }

  private func insert(rows: Int) throws {
    for row in 0..<rows { try connection.execute("INSERT INTO t VALUES(\(row))") }
  }

  private var logFrames: Int64 { ((fileSize(folder.path() + "-wal") ?? 0) - 32) / 4_120 }

  @Test("Every mode moves the whole log if nothing hinders it", arguments: CheckpointMode.allCases)
  func complete(mode: CheckpointMode) throws {
    try insert(rows: 10)
    let frames = Int(logFrames)
    #expect(frames == 12, "two for the table and one for each row")
    let result = try connection.checkpoint(mode)
    #expect(result.isComplete)
    let left = mode == .truncate ? 0 : frames
    #expect(result == CheckpointResult(isBusy: false, logFrames: left, checkpointedFrames: left))
    #expect((fileSize(folder.path() + "-wal") == 0) == (mode == .truncate))
  }

  @Test("An open reader holds a checkpoint back: a passive one reports fewer frames, the other modes are busy")
  func pinnedReader() throws {
    try insert(rows: 3)
    let reader = try Connection(path: folder.path())
    let select = try reader.prepare("SELECT a FROM t")
    #expect(try select.step())
    try insert(rows: 5)
    let passive = try connection.checkpoint(.passive)
    #expect(passive == CheckpointResult(isBusy: false, logFrames: 10, checkpointedFrames: 5))
    #expect(!passive.isComplete)
    for mode in [CheckpointMode.full, .restart, .truncate] {
      let result = try connection.checkpoint(mode)
      #expect(result.isBusy)
      #expect(!result.isComplete)
    }
    select.reset()
    #expect(try connection.checkpoint(.truncate).isComplete)
    #expect(try connection.scalar("SELECT count(*) FROM t") == 8)
  }

  @Test("Without a write-ahead log there is nothing to move")
  func notWAL() throws {
    let plain = try Connection(path: folder.path("plain.sqlite"))
    try plain.execute("CREATE TABLE t(a)")
    #expect(try plain.checkpoint(.full) == CheckpointResult(isBusy: false, logFrames: -1, checkpointedFrames: -1))
    #expect(plain.logFileBytes == nil)
  }

  @Test("A checkpoint inside a writing transaction is refused")
  func insideTransaction() throws {
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES(1)")
    #expect { _ = try connection.checkpoint() } throws: { ResultCode.locked ~= $0 }
    connection.rollback()
    #expect(try connection.checkpoint().isComplete)
  }

  @Test("A checkpoint without waiting leaves the busy timeout unchanged")
  func withoutWaiting() throws {
    try connection.setPragma("busy_timeout", to: "1234")
    try insert(rows: 3)
    let reader = try Connection(path: folder.path())
    try reader.execute("BEGIN")
    #expect(try reader.scalar("SELECT count(*) FROM t") == 3)
    #expect(try connection.checkpointWithoutWaiting(.restart).isBusy)
    #expect(try connection.scalar("PRAGMA busy_timeout") == 1234)
    try reader.close()
    #expect(try connection.checkpointWithoutWaiting(.truncate).isComplete)
  }

  @Test("Flushed pages are in the log before the commit, and a rollback discards them")
  func flushing() throws {
    let before = (frames: logFrames, pages: connection.pagesWritten)
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES (zeroblob(40000))")
    #expect(logFrames == before.frames && connection.pagesWritten == before.pages)
    try connection.flushPages()
    #expect(logFrames > before.frames + 9)
    #expect(Int64(connection.pagesWritten &- before.pages) == logFrames - before.frames)
    #expect(connection.logFileBytes == fileSize(folder.path() + "-wal"))
    connection.rollback()
    #expect(try connection.scalar("SELECT count(*) FROM t") == 0)
    #expect(try connection.integrityCheck() == [])
  }
}
