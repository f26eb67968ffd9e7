// The meter's figures for the life of a log: generations, commits, frames that wait for a checkpoint, syncs, time.
import Foundation
import SQLiteDriver
import Testing

extension MeterTests {
  @Suite("A4 · generations, commits, backlog and syncs")
  struct Log {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private var path: String { folder.path() }
    private var counters: SQLiteCounters { meter.counters(of: path) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
    }

    /// A store with a table `t(a)`.
    private func open(_ pragmas: (String, String)..., journal: String = "wal", autocheckpoint: Int = 0) throws
      -> Connection
    {
      let connection = try Connection(path: path, busyTimeout: 0)
      for (name, value) in pragmas { try connection.setPragma(name, to: value) }
      try connection.setPragma("journal_mode", to: journal)
      try connection.setPragma("wal_autocheckpoint", to: "\(autocheckpoint)")
      try connection.execute("CREATE TABLE t(a)")
      return connection
    }

    /// Rows that take a whole page each, in one transaction.
    private func insert(_ rows: Int, _ connection: Connection) throws {
      let insert = try connection.prepare("INSERT INTO t VALUES(zeroblob(3000))")
      try connection.transaction { for _ in 0..<rows { try insert.run() } }
    }

    @Test("There are as many generations as the log's own sequence numbers")
    func generations() throws {
      let connection = try open(autocheckpoint: 20)
      #expect(counters.walRestarts == 1)
      for _ in 0..<60 { try insert(1, connection) }
      let log = WALFile(of: path)
      #expect(log.sequence > 3)
      #expect(counters.walRestarts == Int64(log.sequence) + 1)
      _ = try connection.checkpoint(.truncate)
      let before = counters
      try insert(1, connection)
      #expect(counters.walRestarts == before.walRestarts + 1, "after a truncation, too")
      try insert(1, connection)
      #expect(counters.walRestarts == before.walRestarts + 1)
      try connection.close()
      let again = try Connection(path: path)
      try insert(1, again)
      #expect(counters.walRestarts == before.walRestarts + 2, "and in a new file")
    }

    @Test("A header written before a rollback begins one generation together with the next")
    func rolledBackHeader() throws {
      let connection = try open(("cache_size", "10"))
      _ = try connection.checkpoint(.truncate)
      let before = counters
      for _ in 0..<3 {
        try connection.begin()
        try connection.execute(
          "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200) SELECT zeroblob(900) FROM n"
        )
        connection.rollback()
      }
      #expect(counters.walFrames > before.walFrames)
      #expect(counters.walCommits == before.walCommits)
      try insert(1, connection)
      #expect(counters.walRestarts == before.walRestarts + 1)
      #expect(counters.walCommits == before.walCommits + 1)
    }

    @Test("Commits are counted, and the largest one with its frames")
    func commits() throws {
      let connection = try open()
      meter.markPeak()
      var before = counters
      #expect(before.walCommitPeak == 0)
      try insert(1, connection)
      try insert(40, connection)
      try insert(2, connection)
      #expect(counters.walCommits == before.walCommits + 3)
      #expect((40...43).contains(counters.walCommitPeak))
      before = counters
      _ = try connection.scalar("SELECT count(*) FROM t")
      try connection.transaction {}
      #expect(counters.walCommits == before.walCommits, "what writes nothing commits nothing")
    }

    @Test("A transaction's frames are those that stay in the log, whatever was rolled back before or within it")
    func framesOfACommit() throws {
      let connection = try open(("cache_size", "10"))
      func spill(_ rows: Int) throws {
        try connection.execute(
          """
          INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
          SELECT zeroblob(900) FROM n
          """)
      }
      for _ in 0..<4 {
        meter.markPeak()
        let log = try connection.checkpoint(.passive).logFrames
        try connection.begin()
        try spill(400)
        connection.rollback()
        try connection.begin()
        try connection.execute("SAVEPOINT s")
        try spill(300)
        try connection.execute("ROLLBACK TO s")
        try spill(200)
        try connection.commit()
        // The checkpoint has moved everything, so the log only has this transaction.
        let frames = WALFile(of: path).frames
        #expect(counters.walCommitPeak == Int64(try connection.checkpoint(.passive).logFrames))
        #expect(frames > 0 && log >= 0)
      }
    }

    @Test(
      "Frames that another process added do not count in a commit",
      .enabled(if: Shell.run(["--version"]) == 0, "there is no sqlite3 shell on PATH"))
    func framesOfAnother() throws {
      let connection = try open()
      try insert(3, connection)
      let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50)"
      #expect(Shell.run([path, rows + " INSERT INTO t SELECT zeroblob(3000) FROM n"]) == 0)
      meter.markPeak()
      try insert(2, connection)
      #expect(try connection.checkpoint(.passive).logFrames > 50)
      #expect((2...4).contains(counters.walCommitPeak))
    }

    @Test(
      "An open reader lets the backlog grow, and a checkpoint leaves some of it; otherwise checkpoints keep it small")
    func starvation() throws {
      let connection = try open(autocheckpoint: 10)
      for _ in 0..<30 { try insert(1, connection) }
      meter.markPeak()
      for _ in 0..<60 { try insert(1, connection) }
      let fed = counters.walBacklogPeak
      #expect((10...15).contains(fed))

      let reader = try Connection(path: path).prepare("SELECT count(*) FROM t")
      #expect(try reader.step())
      meter.markPeak()
      #expect(counters.walBacklogPeak == 0)
      let before = counters.walFrames
      for _ in 0..<60 { try insert(1, connection) }
      let starved = counters.walBacklogPeak
      #expect(starved > 100)
      #expect(counters.walCommitsWithBacklog == counters.walCommits)
      #expect(starved <= counters.walFrames - before + fed)
      let result = try connection.checkpoint(.passive)
      #expect(result.logFrames - result.checkpointedFrames == Int(starved))

      reader.reset()
      #expect(try connection.checkpoint(.passive).isComplete)
      meter.markPeak()
      try insert(1, connection)
      #expect(counters.walBacklogPeak == counters.walCommitPeak, "the log began afresh")
    }

    @Test(
      "In WAL mode a commit is synced if synchronous is full, and a new log and a checkpoint unless it is off",
      arguments: ["off", "normal", "full"])
    func syncsOfALog(synchronous: String) throws {
      let connection = try open(("synchronous", synchronous))
      for _ in 0..<9 { try insert(1, connection) }
      // Switching to WAL mode was a separate transaction, with a rollback journal.
      let before = (counters.database.syncs, meter.times(of: path).database.total)
      #expect(try connection.checkpoint(.passive).isComplete)
      for _ in 0..<5 { try insert(1, connection) }
      let figures = counters
      #expect(figures.walCommits == 15)
      #expect(figures.walRestarts == 2)
      let isSynced: Int64 = synchronous == "off" ? 0 : 1
      let commits = synchronous == "full" ? figures.walCommits : 0
      // A checkpoint syncs the log before it moves pages, and the database afterwards.
      #expect(figures.wal.syncs == commits + isSynced * (figures.walRestarts + 1))
      #expect(figures.database.syncs == before.0 + isSynced)
      let times = meter.times(of: path)
      #expect((times.database.total > before.1) == (isSynced > 0))
      for kind in FileKind.allCases {
        #expect((times[kind].total > .zero) == (figures[kind].syncs > 0))
        #expect((times[kind].longest == times[kind].total) == (figures[kind].syncs < 2))
      }
      #expect(times.syncs.total == FileKind.allCases.reduce(.zero) { $0 + times[$1].total })
    }

    @Test(
      "With a rollback journal a commit syncs journal and database; the journal twice if synchronous is full",
      arguments: ["off": 0, "normal": 1, "full": 2])
    func syncsOfAJournal(synchronous: String, journalSyncs: Int64) throws {
      let connection = try open(("synchronous", synchronous), journal: "delete")
      // The first row creates the table's page and changes the number of pages.
      try insert(1, connection)
      let before = counters
      for _ in 0..<10 { try connection.execute("UPDATE t SET a = randomblob(3000)") }
      #expect(counters.journal.syncs - before.journal.syncs == 10 * journalSyncs)
      #expect(counters.database.syncs - before.database.syncs == 10 * min(journalSyncs, 1))
      #expect(counters.wal == FileCounters())
      #expect(counters.walCommits == 0 && counters.walRestarts == 0)
    }

    @Test("Checkpoints are timed, even those that move nothing")
    func checkpointTimes() throws {
      let connection = try open()
      try insert(20, connection)
      #expect(meter.times(of: path).checkpoints == SpentTime())
      _ = try connection.checkpoint(.passive)
      let first = meter.times(of: path).checkpoints
      #expect(first.total > .zero && first.longest == first.total)
      _ = try connection.checkpoint(.full)
      let second = meter.times(of: path).checkpoints
      #expect(second.total > first.total)
      meter.markPeak()
      #expect(meter.times(of: path).checkpoints.longest == .zero)
      #expect(meter.times(of: path).checkpoints.total == second.total)
      try insert(20, connection)
      try connection.close()
      #expect(meter.times(of: path).checkpoints.total > second.total, "closing takes no lock and is timed all the same")
    }

    @Test("Calls for shared memory are counted; exclusive locking makes none")
    func sharedMemory() throws {
      let connection = try open()
      let before = counters.sharedMemory
      #expect(before.maps > 0)
      try insert(1, connection)
      #expect(counters.sharedMemory.locks > before.locks)
      #expect(counters.sharedMemory.barriers > before.barriers)
      #expect(counters.sharedMemory.calls > before.calls)
      try connection.close()

      let exclusive = try Connection(path: folder.path("exclusive"))
      try exclusive.setPragma("locking_mode", to: "exclusive")
      try exclusive.setPragma("journal_mode", to: "wal")
      try exclusive.execute("CREATE TABLE t(a)")
      for _ in 0..<5 { try insert(3, exclusive) }
      let counters = meter.counters(of: folder.path("exclusive"))
      #expect(counters.sharedMemory == SharedMemoryCounters())
      #expect(counters.walCommits == 6)
      #expect((3...5).contains(counters.walCommitPeak))
      #expect(counters.walBacklogPeak == 0 && counters.walCommitsWithBacklog == 0)
    }
  }
}

/// SQLite's own shell, a process without the meter.
private enum Shell {
  /// Its exit status; 127 if it is not on `PATH`.
  static func run(_ arguments: [String]) -> Int32 {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    shell.arguments = ["sqlite3"] + arguments
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    guard (try? shell.run()) != nil else { return 127 }
    shell.waitUntilExit()
    return shell.terminationStatus
  }
}
