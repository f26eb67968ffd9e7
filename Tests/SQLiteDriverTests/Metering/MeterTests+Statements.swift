// The meter's figures for statements, and the growth of the log over the rows of a table.
import Foundation
import SQLiteDriver
import Testing

extension MeterTests {
  @Suite("A4 · counters of statements and growth")
  struct Statements {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private let connection: Connection
    private var path: String { folder.path() }
    private var counters: SQLiteCounters { meter.counters(of: path) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
      connection = try Connection(path: folder.path())
      try connection.setPragma("journal_mode", to: "wal")
      try connection.execute("CREATE TABLE MeteredRows(a INTEGER PRIMARY KEY, b); CREATE TABLE Others(a)")
    }

    @Test("A kept statement counts each time it runs, without being finalized")
    func keptStatements() throws {
      let insert = try connection.prepare("INSERT INTO MeteredRows(b) VALUES(?)")
      let before = counters
      try connection.begin()
      for row in 0..<1_000 {
        try insert.bind(Int64(row), at: 1)
        try insert.run()
      }
      try connection.commit()
      #expect(counters.statements == before.statements + 1_002, "BEGIN and COMMIT are two")
    }

    @Test("A statement counts when it is done or given up, not while it is on a row")
    func standingOnARow() throws {
      try connection.execute("INSERT INTO Others VALUES(1), (2), (3)")
      let select = try connection.prepare("SELECT a FROM Others")
      let before = counters
      #expect(try select.step())
      #expect(counters.statements == before.statements)
      select.reset()
      #expect(counters.statements == before.statements + 1)
      while try select.step() {}
      #expect(counters.statements == before.statements + 2)
      select.reset()
      #expect(counters.statements == before.statements + 2, "resetting what was done is no second run")
      #expect(try select.step())
      try connection.close()
      #expect(counters.statements == before.statements + 3, "finalizing gives up")
    }

    @Test("A statement that fails counts as run; one that cannot be prepared does not")
    func failures() throws {
      try connection.execute("INSERT INTO MeteredRows VALUES(1, 1)")
      let before = counters
      #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO MeteredRows VALUES(1, 1)") }
      #expect(counters.statements == before.statements + 1)
      #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO nowhere VALUES(1)") }
      #expect(counters.statements == before.statements + 1)
    }

    @Test("Steps of the virtual machine add up over runs")
    func virtualMachineSteps() throws {
      try connection.execute("INSERT INTO Others VALUES(1), (2), (3)")
      let select = try connection.prepare("SELECT a FROM Others")
      func steps(runs: Int) throws -> Int64 {
        let before = counters.vmSteps
        for _ in 0..<runs { try select.run() }
        return counters.vmSteps - before
      }
      let one = try steps(runs: 1)
      #expect(one > 5)
      #expect(try steps(runs: 100) == 100 * one)
      try connection.execute("INSERT INTO Others SELECT a FROM Others")
      // Three more rows, each with the same few instructions.
      let two = try steps(runs: 1)
      #expect(two > one)
      #expect((two - one) % 3 == 0)
    }

    @Test("Statements of several threads are counted to the last one")
    func threads() async throws {
      let meter = meter
      let folder = folder.url
      let total = meter.counters()
      try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<4 {
          let path = folder.appendingPathComponent("thread-\(index)").path
          group.addTask {
            let connection = try Connection(path: path)
            try connection.setPragma("journal_mode", to: "wal")
            try connection.execute("CREATE TABLE t(a)")
            let insert = try connection.prepare("INSERT INTO t VALUES(1)")
            for _ in 0..<300 { try insert.run() }
            #expect(meter.counters(of: path).walFrames == WALFile(of: path).frames)
            return path
          }
        }
        var counted: [SQLiteCounters] = []
        for try await path in group { counted.append(meter.counters(of: path)) }
        #expect(counted.allSatisfy { $0 == counted[0] })
        #expect(counted[0].walFrames == 302)
        let statements = counted.reduce(0) { $0 + $1.statements }
        #expect(meter.counters().statements - total.statements >= statements)
      }
    }

    @Test(
      "The log's size is recorded at the requested rows: it is constant within a transaction and rises with each one")
    func growth() throws {
      let insert = try connection.prepare("INSERT INTO MeteredRows(b) VALUES(zeroblob(2000))")
      let other = try connection.prepare("INSERT INTO Others VALUES(1)")
      let framesBefore = counters.walFrames
      meter.watchGrowth(of: ["meteredrows"], at: [30, 1, 10, 20, 11, 21, 20, 0, -5, 1_000])
      var expected: [WALPoint] = []
      for transaction in 0..<3 {
        let log = WALFile(of: path)
        for row in transaction == 0 ? [1, 10] : [1 + transaction * 10, 10 + transaction * 10] {
          let frames = Int64(log.frames) - framesBefore
          expected.append(WALPoint(rows: row, walBytes: Int64(log.size), walFrames: frames))
        }
        try connection.transaction {
          for _ in 0..<10 {
            try insert.run()
            try other.run()
          }
        }
      }
      #expect(meter.growth() == expected)
      #expect(expected.map(\.walFrames) == expected.map(\.walFrames).sorted())
      #expect(expected[0].walFrames == 0)
      #expect(try #require(expected.last).walFrames > 5)

      meter.stopWatching()
      for _ in 0..<2_000 { try insert.run() }
      #expect(meter.growth() == expected, "nothing is noted after stopping")
      meter.watchGrowth(of: ["MeteredRows"], at: [1])
      #expect(meter.growth() == [], "watching again starts afresh")
      meter.stopWatching()
    }

    @Test("Rows of several tables are counted together")
    func growthOfTables() throws {
      meter.watchGrowth(of: ["Others", "METEREDROWS", "nothing"], at: [2, 3, 9])
      try connection.execute("INSERT INTO MeteredRows VALUES(1, 1), (2, 2); INSERT INTO Others VALUES(1)")
      #expect(meter.growth().map(\.rows) == [2, 3])
      meter.stopWatching()
    }

    @Test("Updates and deletes change rows too")
    func growthByUpdates() throws {
      try connection.execute("INSERT INTO MeteredRows VALUES(1, 1), (2, 2)")
      meter.watchGrowth(of: ["MeteredRows"], at: [1, 2, 3, 4, 5, 6])
      try connection.execute("UPDATE MeteredRows SET b = 3")
      try connection.execute("INSERT INTO MeteredRows VALUES(2, 4) ON CONFLICT DO UPDATE SET b = 9")
      try connection.execute("DELETE FROM MeteredRows WHERE a = 1")
      #expect(meter.growth().map(\.rows) == [1, 2, 3, 4])
      meter.stopWatching()
    }
  }
}
