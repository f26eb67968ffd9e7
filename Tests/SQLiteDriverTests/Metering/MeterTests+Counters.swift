// SQLite's counters of a statement stay available to the program, and are read for each statement, however many exist.
import SQLiteDriver
import Testing

extension MeterTests {
  @Suite("A4 · a statement's own counters")
  struct StatementCounters {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private let connection: Connection

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
      connection = try Connection(path: folder.path())
      try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2), (3)")
    }

    private func steps(of work: () throws -> Void) throws -> Int64 {
      let before: Int64 = meter.counters(of: folder.path()).vmSteps
      try work()
      return meter.counters(of: folder.path()).vmSteps - before
    }

    @Test("A schema that another connection changed is noticed once by each statement, as without the meter")
    func schemaReloads() throws {
      let insert = try connection.prepare("INSERT INTO t VALUES(4)")
      let select = try connection.prepare("SELECT a FROM t")
      try insert.run()
      try select.run()
      connection.schemaReloads = 0
      try changeSchema("another")
      for expected in [1, 1] {
        try insert.run()
        #expect(connection.schemaReloads == expected)
      }
      for expected in [2, 2] {
        try select.run()
        #expect(connection.schemaReloads == expected)
      }
    }

    /// Makes SQLite prepare every statement again when it next begins.
    private func changeSchema(_ table: String) throws {
      let other = try Connection(path: folder.path())
      try other.execute("CREATE TABLE \(table)(a)")
      try other.close()
    }

    @Test("Queries that stay open while hundreds of others run lose no step, even if they are prepared again")
    func keptStatements() throws {
      let queries = try (0..<8).map { try connection.prepare("SELECT a + \($0) FROM t") }
      let others = try (0..<600).map { try connection.prepare("SELECT a - \($0) FROM t") }
      for statement in queries + others { try statement.run() }
      try changeSchema("first")
      let alone: Int64 = try steps { for statement in queries + others { try statement.run() } }
      try changeSchema("second")
      let together: Int64 = try steps {
        for query in queries { #expect(try query.step()) }
        for other in others { try other.run() }
        for query in queries {
          while try query.step() {}
          query.reset()
        }
      }
      #expect(together == alone && alone > 608, "\(together), \(alone)")
    }
  }
}
