// Syncs of directories, and bytes of transactions that overwrite their own frames.
import Foundation
import SQLiteDriver
import Support
import Testing

extension MeterTests {
  @Suite("A4 · synced directories and overwritten frames")
  struct Directories {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private var path: String { folder.path() }
    private var counters: SQLiteCounters { meter.counters(of: path) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
    }

    /// The syncs of one transaction: of the journal, the database and the directory, as strace showed them.
    struct Syncs: Sendable, Hashable {
      var mode: String
      var synchronous: String
      var journal: Int64
      var database: Int64
      var directory: Int64
    }

    private static let known = [
      Syncs(mode: "delete", synchronous: "off", journal: 0, database: 0, directory: 0),
      Syncs(mode: "delete", synchronous: "normal", journal: 1, database: 1, directory: 1),
      Syncs(mode: "delete", synchronous: "full", journal: 2, database: 1, directory: 1),
      Syncs(mode: "delete", synchronous: "extra", journal: 2, database: 1, directory: 2),
      Syncs(mode: "truncate", synchronous: "normal", journal: 1, database: 1, directory: 1),
      Syncs(mode: "truncate", synchronous: "full", journal: 3, database: 1, directory: 1),
      Syncs(mode: "persist", synchronous: "normal", journal: 2, database: 1, directory: 1),
      Syncs(mode: "persist", synchronous: "full", journal: 3, database: 1, directory: 1),
    ]

    @Test("With a rollback journal each transaction syncs the directory too", arguments: known)
    func rollbackJournals(known: Syncs) throws {
      #expect(meter.countsDirectorySyncs)
      let connection = try Connection(path: path)
      try connection.setPragma("journal_mode", to: known.mode)
      try connection.setPragma("synchronous", to: known.synchronous)
      try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(0)")
      let (before, times) = (counters, meter.times(of: path))
      for _ in 0..<10 { try connection.execute("UPDATE t SET a = a + 1") }
      let after = counters
      #expect(after.journal.syncs - before.journal.syncs == 10 * known.journal)
      #expect(after.database.syncs - before.database.syncs == 10 * known.database)
      #expect(after.directorySyncs - before.directorySyncs == 10 * known.directory)
      #expect(after.syncs - before.syncs == 10 * (known.journal + known.database + known.directory))
      let isRemovalSynced = known.synchronous == "extra"
      #expect((meter.times(of: path).directory.total > times.directory.total) == isRemovalSynced)
    }

    @Test("A write-ahead log syncs its directory once, when it is created", arguments: ["off", "normal", "full"])
    func writeAheadLog(synchronous: String) throws {
      let connection = try Connection(path: path)
      try connection.setPragma("journal_mode", to: "wal")
      try connection.setPragma("synchronous", to: synchronous)
      let before = counters.directorySyncs
      try connection.execute("CREATE TABLE t(a)")
      #expect(counters.directorySyncs - before == (synchronous == "off" ? 0 : 1))
      for _ in 0..<5 { try connection.execute("INSERT INTO t VALUES(1)") }
      _ = try connection.checkpoint(.truncate)
      try connection.execute("INSERT INTO t VALUES(1)")
      #expect(counters.directorySyncs - before == (synchronous == "off" ? 0 : 1))
    }

    @Test("A transaction over two files also syncs the directory of its super-journal, which counts for no database")
    func superJournal() throws {
      let connection = try Connection(path: path)
      try connection.execute("ATTACH '\(folder.path("other"))' AS other; CREATE TABLE t(a); CREATE TABLE other.t(a)")
      let before = (meter.counters().directorySyncs, counters.directorySyncs, counters.syncs)
      try connection.execute("BEGIN; INSERT INTO t VALUES(1); INSERT INTO other.t VALUES(1); COMMIT")
      let own = meter.counters(of: folder.path("other")).directorySyncs
      #expect(counters.directorySyncs == before.1 + 1 && own > 0)
      // Both journals, and the super-journal when it is made and when it is removed.
      #expect(meter.counters().directorySyncs >= before.0 + 4)
    }

    @Test("Bytes written to the log are its headers, its frames, and rewrites", arguments: [512, 4_096])
    func rewritten(pageSize: Int) throws {
      let connection = try Connection(path: path)
      try connection.setPragma("page_size", to: "\(pageSize)")
      try connection.setPragma("journal_mode", to: "wal")
      try connection.setPragma("cache_size", to: "10")
      try connection.setPragma("wal_autocheckpoint", to: "0")
      try connection.execute("CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID")
      #expect(counters.walBytesRewritten == 0)
      var random = SplitMix64(seed: 5)
      func insert(_ rows: Int) throws {
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        for _ in 0..<rows {
          try insert.bind(text: "\(random.next()) \(random.next())", at: 1)
          try insert.run()
        }
      }
      try connection.transaction { try insert(2_000) }
      let log = WALFile(of: path)
      #expect(counters.walFrames == log.frames)
      #expect(counters.walBytesAppended == log.size, "the file was never started afresh, and every frame is there")
      let headers = counters.walBytesRewritten - counters.walOverwrites * Int64(pageSize)
      #expect(counters.walOverwrites > 100 && headers > 0 && headers % 24 == 0)
      #expect(counters.walBytesWritten == Int64(log.size) + counters.walBytesRewritten)
      // The next transaction overwrites the frames of a rolled-back one and counts them.
      try connection.begin()
      try insert(20)
      connection.rollback()
      let before = counters
      try connection.transaction { try connection.execute("DELETE FROM t WHERE a = (SELECT a FROM t LIMIT 1)") }
      #expect(counters.walBytesRewritten == before.walBytesRewritten)
      #expect(WALFile(of: path).size == Int(before.walSize), "it wrote over frames that were rolled back")
      #expect(counters.walFrames > before.walFrames)
    }
  }
}
