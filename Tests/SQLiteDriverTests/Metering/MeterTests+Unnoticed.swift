// Inspecting an open database without affecting its counters.
import SQLiteDriver
import Testing

extension MeterTests {
  /// Writes, optionally lets another connection look, and empties the log; returns the counters and what was seen.
  private func work(lookingBy access: Connection.Access?, journal: String) throws -> (SQLiteCounters, Int64?) {
    let meter = try AttachedMeter.meter
    let folder = try TemporaryDirectory()
    let writer = try Connection(path: folder.path())
    try writer.setPragma("journal_mode", to: journal)
    try writer.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2), (3); BEGIN; INSERT INTO t VALUES(4)")
    let looker = try access.map { try Connection(path: folder.path(), access: $0) }
    let seen = try looker?.scalar("SELECT count(*) FROM t")
    if access == .readOnly { try looker?.close() }
    try writer.execute("COMMIT; PRAGMA wal_checkpoint(truncate); INSERT INTO t VALUES(5)")
    let counters = meter.counters(of: folder.path())
    try writer.close()
    try looker?.close()
    return (counters, seen)
  }

  @Test("An unnoticed connection sees what is committed, and no counter shows that it was there")
  func unnoticed() throws {
    let (alone, _) = try work(lookingBy: nil, journal: "wal")
    let (unnoticed, seen) = try work(lookingBy: .unnoticed, journal: "wal")
    #expect(seen == 3, "the fourth row is not committed")
    #expect(unnoticed == alone)
    let (noticed, _) = try work(lookingBy: .readOnly, journal: "wal")
    #expect(noticed.sharedMemory != alone.sharedMemory, "an ordinary reader leaves a mark in shared memory")
  }

  @Test("An unnoticed connection writes nothing and leaves the log unchanged")
  func unnoticedIsReadOnly() throws {
    let folder = try TemporaryDirectory()
    let writer = try Connection(path: folder.path())
    try writer.setPragma("journal_mode", to: "wal")
    try writer.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    let size = fileSize(folder.path() + "-wal")
    let looker = try Connection(path: folder.path(), access: .unnoticed)
    #expect(throws: SQLiteError.self) { try looker.execute("INSERT INTO t VALUES(2)") }
    #expect(try looker.scalar("SELECT count(*) FROM t") == 1)
    try looker.close()
    #expect(fileSize(folder.path() + "-wal") == size)
    try writer.execute("INSERT INTO t VALUES(2)")
    try writer.close()
    #expect(try Connection(path: folder.path()).scalar("SELECT count(*) FROM t") == 2)
  }
}
