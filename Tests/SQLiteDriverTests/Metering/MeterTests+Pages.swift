// The meter's figures for page caches, sorts and full scans.
import Foundation
import SQLiteDriver
import Testing

extension MeterTests {
  @Suite("A4 · counters of page caches, sorts and scans")
  struct Pages {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private var path: String { folder.path() }
    private var counters: SQLiteCounters { meter.counters(of: path) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
    }

    private func open(cache: Int = 1_000) throws -> Connection {
      let connection = try Connection(path: path)
      try connection.setPragma("journal_mode", to: "wal")
      try connection.setPragma("cache_size", to: "\(cache)")
      try connection.execute("CREATE TABLE IF NOT EXISTS t(a, b)")
      return connection
    }

    private func fill(_ connection: Connection, rows: Int) throws {
      try connection.execute(
        """
        INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
        SELECT i, zeroblob(900) FROM n
        """)
    }

    @Test("Pages written match the connection's own count and the log's frames")
    func writes() throws {
      let connection = try open()
      let before = counters.pageCache.writes - counters.walFrames
      try fill(connection, rows: 500)
      #expect(counters.pageCache.writes == Int64(connection.pagesWritten))
      #expect(counters.pageCache.writes == before + counters.walFrames)
      #expect(counters.pageCache.spills == 0)
    }

    @Test("A cache that is too small spills, and pages that it writes again are overwritten in the log")
    func spills() throws {
      let connection = try open(cache: 10)
      try connection.execute("CREATE INDEX ti ON t(b, a)")
      let before = counters.pageCache.writes - counters.walFrames
      try fill(connection, rows: 500)
      #expect(counters.pageCache.spills > 50)
      #expect(counters.pageCache.writes == Int64(connection.pagesWritten))
      #expect(counters.pageCache.writes == before + counters.walFrames + counters.walOverwrites)
    }

    @Test("A page is missed once by a connection that can keep it")
    func misses() throws {
      let writer = try open()
      try fill(writer, rows: 500)
      let pages = try #require(try writer.scalar("PRAGMA page_count"))
      let reader = try Connection(path: path)
      func scan() throws -> PageCacheCounters {
        let before = counters.pageCache
        #expect(try reader.scalar("SELECT sum(length(b)) FROM t") == 450_000)
        var change = counters.pageCache
        change.hits -= before.hits
        change.misses -= before.misses
        return change
      }
      #expect(try scan().misses == pages)
      let second = try scan()
      #expect(second.misses == 0)
      #expect(second.hits >= pages - 2)
    }

    @Test("Connections that stay open, and one that closes meanwhile, are counted to the page")
    func boundaries() throws {
      let kept = try open()
      try fill(kept, rows: 300)
      let passing = try Connection(path: path)
      #expect(try passing.scalar("SELECT count(*) FROM t") == 300)
      let (before, written) = (counters.pageCache, kept.pagesWritten)
      // The closing one still works after its last finished statement.
      let select = try passing.prepare("SELECT b FROM t")
      for _ in 0..<200 { #expect(try select.step()) }
      #expect(counters.pageCache == before, "a statement that is not over is not counted")
      try passing.close()
      #expect(counters.pageCache.hits > before.hits)
      try fill(kept, rows: 50)
      #expect(counters.pageCache.writes - before.writes == Int64(kept.pagesWritten - written))
      let after = counters.pageCache
      try kept.close()
      #expect(counters.pageCache.writes == after.writes, "what it did was counted before")
    }

    @Test("Detaching a database loses no counts")
    func detached() throws {
      let connection = try open()
      try fill(connection, rows: 100)
      try connection.execute("ATTACH '\(folder.path("other"))' AS other")
      try connection.execute("CREATE TABLE other.u AS SELECT * FROM t")
      let before = counters.pageCache
      #expect(before.writes > Int64(connection.pagesWritten) / 2)
      try connection.execute("DETACH other")
      let after = counters.pageCache
      #expect(after.writes == before.writes && after.hits >= before.hits && after.hits < before.hits + 1_000)
      let written = connection.pagesWritten
      try fill(connection, rows: 100)
      #expect(counters.pageCache.writes == after.writes + Int64(connection.pagesWritten - written))
    }

    @Test("Sorts and full scans are counted, and an index avoids both")
    func sorts() throws {
      let connection = try open()
      try fill(connection, rows: 100)
      func change(_ sql: String) throws -> [Int64] {
        let before = counters
        let select = try connection.prepare(sql)
        while try select.step() {}
        return [counters.sorts - before.sorts, counters.fullScanSteps - before.fullScanSteps]
      }
      #expect(try change("SELECT a FROM t ORDER BY a DESC") == [1, 99])
      #expect(try change("SELECT count(*) FROM t WHERE a > 50") == [0, 99])
      try connection.execute("CREATE INDEX ti ON t(a)")
      #expect(try change("SELECT a FROM t WHERE a BETWEEN 10 AND 20 ORDER BY a DESC") == [0, 0])
    }
  }
}

extension MeterTests.Pages {
  @Test("Full table scans, automatic indexes and statements prepared again are counted")
  func plans() throws {
    let connection = try open()
    try fill(connection, rows: 100)
    func change(_ work: () throws -> Void) throws -> [Int64] {
      let before = counters
      try work()
      let after = counters
      return [
        after.fullScans - before.fullScans, after.automaticIndexRows - before.automaticIndexRows,
        after.repreparations - before.repreparations,
      ]
    }
    func run(_ sql: String) throws {
      let select = try connection.prepare(sql)
      while try select.step() {}
    }
    let scan = "SELECT count(*) FROM t WHERE a > 50"
    #expect(
      try change {
        try run(scan)
        try run(scan)
      } == [2, 0, 0])
    // One table is scanned, and the rows of the other one are put into an index for this run; SQLite counts steps to
    // further rows.
    #expect(try change { try run("SELECT count(*) FROM t AS x, t AS y WHERE x.a = y.a") } == [1, 99, 0])
    let kept = try connection.prepare("SELECT b FROM t WHERE rowid = 7")
    #expect(try change { while try kept.step() {} } == [0, 0, 0])
    kept.reset()
    try connection.execute("CREATE INDEX ti ON t(a)")
    #expect(try change { while try kept.step() {} } == [0, 0, 1], "the schema is another")
    #expect(try change { try run("SELECT count(*) FROM t WHERE a > 50") } == [0, 0, 0])
  }
}
