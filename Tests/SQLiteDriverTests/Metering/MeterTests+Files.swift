// The meter's figures for files, the write-ahead log and checkpoints, compared with known answers.
import Foundation
import SQLiteDriver
import Support
import Testing

extension MeterTests {
  @Suite("A4 · counters of files, log and checkpoints")
  struct Files {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private var path: String { folder.path() }
    private var counters: SQLiteCounters { meter.counters(of: path) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
    }

    /// A store in WAL mode with a table `t(a)`.
    private func open(_ pragmas: [(String, String)] = [], autocheckpoint: Int = 0) throws -> Connection {
      let connection = try Connection(path: path)
      for (name, value) in pragmas { try connection.setPragma(name, to: value) }
      try connection.setPragma("journal_mode", to: "wal")
      try connection.setPragma("wal_autocheckpoint", to: "\(autocheckpoint)")
      try connection.execute("CREATE TABLE t(a)")
      return connection
    }

    private func insert(_ rows: Int, _ connection: Connection) throws {
      let insert = try connection.prepare("INSERT INTO t VALUES(zeroblob(300))")
      for _ in 0..<rows { try insert.run() }
    }

    @Test("Frames and sizes match the file, whatever the page size", arguments: [512, 1_024, 4_096, 65_536])
    func framesAndSizes(pageSize: Int) throws {
      let connection = try open([("page_size", "\(pageSize)")])
      try insert(50, connection)
      let log = WALFile(of: path)
      #expect(log.pageSize == pageSize)
      #expect(counters.walFrames == log.frames)
      #expect(counters.walFrames == log.frameSlots)
      #expect(counters.walSize == log.size)
      #expect(counters.walPeak == log.size)
      #expect(counters.walBytesWritten == log.size, "nothing was written twice")
      #expect(counters.walOverwrites == 0)
      #expect(counters.checkpoints == 0)
      #expect(counters.wal.writes == 1 + 2 * counters.walFrames, "one for the header, two for a frame")
    }

    @Test("A checkpoint counts the pages it moves, and only when it moves some")
    func checkpoint() throws {
      let connection = try open()
      try insert(200, connection)
      let before = counters
      let result = try connection.checkpoint(.passive)
      #expect(before.walFrames == result.logFrames)
      let pages = try #require(try connection.scalar("PRAGMA page_count"))
      #expect(counters.checkpoints == before.checkpoints + 1)
      #expect(counters.checkpointedPages == before.checkpointedPages + pages)
      #expect(counters.database.bytesWritten == before.database.bytesWritten + pages * 4_096)
      #expect(counters.database.writes == before.database.writes + pages)
      #expect(counters.walSize == before.walSize, "a passive checkpoint leaves the file as long as it was")

      _ = try connection.checkpoint(.passive)
      #expect(counters.checkpoints == before.checkpoints + 1, "there was nothing left to move")
      #expect(try connection.checkpoint(.truncate).isComplete)
      #expect(counters.checkpoints == before.checkpoints + 1)
      #expect(counters.walSize == 0)
      #expect(counters.wal.truncates == before.wal.truncates + 1)
      #expect(counters.walPeak == before.walSize)
      meter.markPeak()
      #expect(counters.walPeak == 0)
      try insert(1, connection)
      #expect(counters.walPeak == 32 + 4_120)
      #expect(counters.walPeak == fileSize(path + "-wal"))
    }

    @Test("There are as many automatic checkpoints as restarts of the log")
    func automaticCheckpoints() throws {
      let connection = try open(autocheckpoint: 20)
      try insert(100, connection)
      // After a checkpoint following the last row, the log would not be restarted yet.
      if WALFile(of: path).frames >= 20 { try insert(1, connection) }
      let log = WALFile(of: path)
      #expect(log.sequence > 3)
      #expect(counters.checkpoints == log.sequence)
      #expect(counters.walSize == log.size)
      #expect(counters.walFrames > log.frameSlots, "the file was written over several times")
      #expect(counters.walPeak == counters.walSize)
    }

    @Test("An open reader keeps pages from being moved")
    func pinnedReader() throws {
      let connection = try open()
      try insert(20, connection)
      let reader = try Connection(path: path).prepare("SELECT count(*) FROM t")
      #expect(try reader.step())
      #expect(try connection.checkpoint(.passive).isComplete)
      let before = counters
      try insert(20, connection)
      let result = try connection.checkpoint(.passive)
      #expect(result.checkpointedFrames < result.logFrames)
      #expect(counters.checkpoints == before.checkpoints)
      reader.reset()
      #expect(try connection.checkpoint(.passive).isComplete)
      #expect(counters.checkpoints == before.checkpoints + 1)
    }

    @Test("Pages that a spilling transaction writes again are overwritten, not appended")
    func spilling() throws {
      let connection = try open([("cache_size", "10")])
      try connection.execute("CREATE INDEX ti ON t(a)")
      var random = SplitMix64(seed: 3)
      let insert = try connection.prepare("INSERT INTO t VALUES(?)")
      try connection.begin()
      for _ in 0..<3_000 {
        try insert.bind(text: "\(random.next())", at: 1)
        try insert.run()
      }
      try connection.commit()
      let log = WALFile(of: path)
      #expect(counters.walFrames == log.frames)
      #expect(counters.walFrames == (try connection.checkpoint(.passive)).logFrames)
      #expect(counters.walOverwrites > 100)
      let headers = counters.walBytesWritten - Int64(log.size) - counters.walOverwrites * 4_096
      #expect(headers > 0, "the checksums of frames after an overwritten one are written again")
      #expect(headers % 24 == 0)
    }

    @Test("Frames of a rolled-back transaction still count as written")
    func rolledBack() throws {
      let connection = try open([("cache_size", "10")])
      try insert(10, connection)
      let before = counters
      try connection.begin()
      try insert(1_000, connection)
      connection.rollback()
      #expect(WALFile(of: path).frameSlots > 50)
      #expect(counters.walFrames == Int64(WALFile(of: path).frameSlots))
      #expect(try connection.checkpoint(.passive).logFrames == before.walFrames)
    }

    @Test("Closing the last connection checkpoints and removes the log")
    func closing() throws {
      let connection = try open()
      try insert(50, connection)
      let size = counters.walSize
      #expect(size > 0)
      try connection.close()
      #expect(counters.walSize == 0)
      #expect(counters.walPeak == size)
      #expect(counters.checkpoints == 1)
      #expect(try folder.fileNames == ["store.sqlite"])
      #expect(counters.checkpointedPages * 4_096 == fileSize(path))
    }

    @Test("An existing log is counted with its size when it is opened")
    func existingLog() throws {
      let connection = try open()
      try insert(50, connection)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path("copy") + suffix)
      }
      let copy = try Connection(path: folder.path("copy"))
      #expect(try copy.scalar("SELECT count(*) FROM t") == 50)
      let counters = meter.counters(of: folder.path("copy"))
      #expect(counters.walSize == fileSize(path + "-wal"))
      #expect(counters.walFrames == 0)
      #expect(counters.wal.bytesRead >= counters.walSize, "recovery reads the whole log")
    }

    @Test("Each commit with full synchronization syncs the log once; with normal, none does")
    func syncs() throws {
      let connection = try open([("synchronous", "normal")])
      try insert(1, connection)
      var before = counters
      try insert(10, connection)
      #expect(counters.syncs == before.syncs)
      try connection.setPragma("synchronous", to: "full")
      before = counters
      try insert(10, connection)
      #expect(counters.wal.syncs == before.wal.syncs + 10)
      #expect(counters.syncs == before.syncs + 10)
    }

    @Test("With a rollback journal, each commit writes journal and database and leaves no log")
    func rollbackJournal() throws {
      let connection = try Connection(path: path)
      try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(0)")
      let before = counters
      try connection.execute("INSERT INTO t VALUES(1)")
      #expect(counters.database.writes == before.database.writes + 2, "the first page and the table's")
      #expect(counters.database.bytesWritten == before.database.bytesWritten + 2 * 4_096)
      #expect(counters.database.syncs == before.database.syncs + 1)
      #expect(counters.journal.bytesWritten > before.journal.bytesWritten + 2 * 4_096)
      #expect(counters.journal.syncs > before.journal.syncs)
      #expect(counters.wal == FileCounters())
      #expect(counters.walFrames == 0)
    }

    @Test("Reads are counted, except those through a memory map")
    func reading() throws {
      let connection = try open()
      try insert(1_000, connection)
      try connection.close()
      func bytesRead(mapped: Bool) throws -> Int64 {
        let reader = try Connection(path: path)
        try reader.setPragma("mmap_size", to: mapped ? "100000000" : "0")
        let before = counters.bytesRead
        #expect(try reader.scalar("SELECT sum(length(a)) FROM t") == 300_000)
        return counters.bytesRead - before
      }
      let size = try #require(fileSize(path))
      #expect(try bytesRead(mapped: false) >= size)
      #expect(try bytesRead(mapped: true) < size / 10)
    }

    @Test("Attached databases are counted for their own files")
    func attached() throws {
      let connection = try open()
      try connection.execute("ATTACH '\(folder.path("other"))' AS other; PRAGMA other.journal_mode = wal")
      let before = counters
      try connection.execute("CREATE TABLE other.u(a); INSERT INTO u VALUES(1)")
      #expect(counters.walFrames == before.walFrames)
      #expect(counters.statements == before.statements + 2)
      let other = meter.counters(of: folder.path("other"))
      #expect(other.walFrames == WALFile(of: folder.path("other")).frames)
      #expect(other.walFrames > 0)
      #expect(other.statements == 0)
    }

    @Test("Any path of a file finds its counters; a file that was never opened has none")
    func paths() throws {
      try open().close()
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
      #expect(counters.bytesWritten > 0)
      #expect(meter.counters(of: folder.path("link")) == counters)
      #expect(meter.counters(of: folder.url.path + "/./x/../store.sqlite").bytesWritten > 0)
      #expect(meter.counters(of: folder.path("never")) == SQLiteCounters())
      #expect(meter.counters().bytesWritten >= counters.bytesWritten)
    }

    @Test("Temporary files count in the total")
    func temporaryFiles() throws {
      let connection = try open([("temp_store", "file")])
      let before = meter.counters().temporary
      try connection.execute("PRAGMA temp.cache_size = 10; CREATE TEMP TABLE u(a)")
      try connection.execute(
        """
        INSERT INTO u WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
        SELECT zeroblob(500) FROM n
        """)
      let after = meter.counters().temporary
      #expect(after.bytesWritten - before.bytesWritten > 500_000)
      #expect(counters.temporary == FileCounters())
    }
  }
}
