// The meter's gaps for connections that it cannot observe completely: those with another VFS, and those that lost its
// trace.
import CSQLite
import Foundation
import SQLiteDriver
import Testing

extension MeterTests {
  @Suite("A4 · connections that the meter sees only in part")
  struct Connections {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private var path: String { folder.path() }
    private var seen: ConnectionCounters { meter.connections(of: path) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
    }

    /// A connection that something else opened, with a row in a table.
    private func open(vfs: String? = nil) throws -> OpaquePointer {
      var handle: OpaquePointer?
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
      #expect(sqlite3_open_v2(path, &handle, flags, vfs) == SQLITE_OK)
      let connection = try #require(handle)
      #expect(sqlite3_exec(connection, "CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES(1)", nil, nil, nil) == 0)
      return connection
    }

    private func counters(opened: Int, unmetered: Int = 0, untraced: Int = 0, open: Int = 0) -> ConnectionCounters {
      var counters = ConnectionCounters()
      (counters.opened, counters.unmetered, counters.untraced, counters.open) = (opened, unmetered, untraced, open)
      return counters
    }

    @Test("Connections are counted as they open and close; a path that was never opened has none")
    func counted() throws {
      #expect(seen == ConnectionCounters())
      let first = try open()
      let second = try Connection(path: path)
      #expect(seen == counters(opened: 2, open: 2))
      try second.close()
      #expect(seen == counters(opened: 2, open: 1))
      sqlite3_close(first)
      #expect(seen == counters(opened: 2))
      #expect(try Connection(path: path).scalar("SELECT count(*) FROM t") == 1)
      #expect(seen == counters(opened: 3))
    }

    @Test(
      "A connection that names another VFS is unmetered, and none of its bytes are counted",
      arguments: ["unix", "unix-excl"])
    func otherVFS(name: String) throws {
      let connection = try open(vfs: name)
      #expect(seen == counters(opened: 1, unmetered: 1, open: 1))
      #expect(meter.counters(of: path).bytesWritten == 0 && meter.counters(of: path).statements == 2)
      sqlite3_close(connection)
      let metered = try open()
      #expect(seen == counters(opened: 2, unmetered: 1, open: 1))
      sqlite3_close(metered)
      #expect(meter.counters(of: path).bytesWritten > 0)
    }

    @Test("Databases in memory have no file that could use a VFS")
    func memory() throws {
      // Other tests open such databases at the same time.
      let connection = try Connection(path: ":memory:", access: .readWriteCreate)
      try connection.execute("CREATE TABLE t(a)")
      #expect(meter.connections(of: "").opened > 0)
      #expect(meter.connections(of: "").unmetered == 0)
      try connection.close()
    }

    @Test("A replaced or removed trace is noticed when the connection closes")
    func takenTrace() throws {
      for (number, takes) in [
        { sqlite3_trace_v2($0, UInt32(SQLITE_TRACE_STMT), { _, _, _, _ in 0 }, nil) },
        { sqlite3_trace_v2($0, 0, nil, nil) },
        { sqlite3_trace_v2($0, UInt32(SQLITE_TRACE_CLOSE), { _, _, _, _ in 0 }, nil) },
      ].enumerated() as EnumeratedSequence<[(OpaquePointer) -> Int32]> {
        let connection = try open()
        #expect(takes(connection) == SQLITE_OK)
        let statements = meter.counters(of: path).statements
        #expect(sqlite3_exec(connection, "INSERT INTO t VALUES(2)", nil, nil, nil) == SQLITE_OK)
        #expect(meter.counters(of: path).statements == statements)
        #expect(seen == counters(opened: number + 1, untraced: number, open: 1))
        sqlite3_close(connection)
        #expect(seen == counters(opened: number + 1, untraced: number + 1))
      }
      let traced = try Connection(path: path)
      traced.trace { _ in }
      try traced.close()
      #expect(seen == counters(opened: 4, untraced: 4), "the driver's own observer, too")
    }

    @Test("A database attached through another VFS is unmetered each time; one through the default VFS is metered")
    func attached() throws {
      let connection = try open()
      defer { sqlite3_close(connection) }
      func run(_ sql: String, _ code: Int32 = SQLITE_OK) {
        #expect(sqlite3_exec(connection, sql, nil, nil, nil) == code, "\(sql)")
      }
      let (metered, other) = (folder.path("metered.sqlite"), folder.path("other.sqlite"))
      run("ATTACH '\(metered)' AS metered; CREATE TABLE metered.t(a)")
      #expect(seen == counters(opened: 1, open: 1) && meter.counters(of: metered).bytesWritten > 0)
      run("ATTACH ':memory:' AS memory")
      #expect(seen.unmetered == 0)
      run("ATTACH 'file:\(other)?vfs=unix' AS other; CREATE TABLE other.t(a)")
      #expect(seen == counters(opened: 1, unmetered: 1, open: 1) && meter.counters(of: other).bytesWritten == 0)
      run("ATTACH '\(other)' AS other", SQLITE_ERROR)
      run("DETACH metered; DETACH memory")
      #expect(seen.unmetered == 1, "what failed or went attached nothing")
      run("DETACH other; ATTACH 'file:\(other)?vfs=unix' AS again")
      #expect(seen.unmetered == 2)
      // An attached file only accounts for its own opening.
      run("ATTACH '\(metered)' AS metered")
      var elsewhere: OpaquePointer?
      #expect(sqlite3_open_v2(metered, &elsewhere, SQLITE_OPEN_READWRITE, "unix") == SQLITE_OK)
      #expect(meter.connections(of: metered).unmetered == 1)
      sqlite3_close(elsewhere)
    }

    @Test("A connection that is closed while a statement is open stays open until the statement ends")
    func zombie() throws {
      let connection = try open()
      var statement: OpaquePointer?
      #expect(sqlite3_prepare_v2(connection, "SELECT a FROM t", -1, &statement, nil) == SQLITE_OK)
      #expect(sqlite3_close_v2(connection) == SQLITE_OK)
      #expect(seen == counters(opened: 1, open: 1))
      sqlite3_finalize(statement)
      #expect(seen == counters(opened: 1))
    }
  }
}
