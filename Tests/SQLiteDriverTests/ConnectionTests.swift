// Opening, kinds of access, closing.
import Foundation
import MissionTags
import SQLiteDriver
import Testing

@Suite("D2 D9 · connections", .tags(.d2, .d9))
struct ConnectionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func makeStore(_ name: String = "store.sqlite", journalMode: String = "wal") throws {
    let connection = try Connection(path: folder.path(name))
    try connection.setPragma("journal_mode", to: journalMode)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
    try connection.close()
  }

  @Test("A read-only connection reads and refuses to write")
  func readOnly() throws {
    try makeStore()
    let connection = try Connection(path: folder.path(), access: .readOnly)
    #expect(try connection.scalar("SELECT sum(a) FROM t") == 3)
    #expect { try connection.execute("DELETE FROM t") } throws: { ResultCode.readOnly ~= $0 }
  }

  @Test(
    "An immutable file is read under any name, and no other file is created",
    arguments: ["store.sqlite", "a b?c#d%41&e=f.sqlite", "žluť+地震.sqlite", "file:x.sqlite"])
  func immutable(name: String) throws {
    try makeStore(name)
    #expect(try folder.fileNames == [name])
    let connection = try Connection(path: folder.path(name), access: .immutable)
    #expect(try connection.scalar("SELECT sum(a) FROM t") == 3)
    #expect(try folder.fileNames == [name])
    #expect { try connection.execute("DELETE FROM t") } throws: { ResultCode.readOnly ~= $0 }
  }

  @Test("A path that looks like a URI is still used as a path")
  func pathLikeURI() throws {
    // As a URI it would be a database in memory and would open.
    #expect { _ = try Connection(path: "file:no-such-folder/store?mode=memory") } throws: {
      ResultCode.cantOpen ~= $0
    }
  }
}

extension ConnectionTests {
  @Test("A relative path is opened from the working folder", arguments: [Connection.Access.readOnly, .immutable])
  func relativePaths(access: Connection.Access) throws {
    try makeStore()
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let path = String(repeating: "../", count: depth) + folder.path().dropFirst()
    let connection = try Connection(path: path, access: access)
    #expect(connection.path == path)
    #expect(try connection.scalar("SELECT sum(a) FROM t") == 3)
  }

  @Test("A closed connection and its statements answer with an error, and closing again does nothing")
  func useAfterClose() throws {
    let connection = try Connection(path: folder.path())
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    let select = try connection.prepare("SELECT a, ? FROM t")
    #expect(try select.step())
    try connection.begin(.deferred)
    try connection.close()
    try connection.close()

    let uses: [() throws -> Void] = [
      { try connection.execute("SELECT 1") }, { _ = try connection.prepare("SELECT 1") },
      { try connection.begin() }, { try connection.commit() }, { try connection.transaction {} },
      { _ = try connection.pragma("user_version") }, { _ = try connection.setPragma("user_version", to: "1") },
      { _ = try connection.scalar("SELECT 1") }, { _ = try connection.checkpoint() },
      { _ = try connection.integrityCheck() }, { _ = try select.step() }, { try select.run() },
      { try select.bind(Int64(1), at: 1) }, { try select.bind(1.0, at: 1) }, { try select.bindNull(at: 1) },
      { try select.bind(text: "a", at: 1) }, { try select.bind(staticText: .init(start: nil, count: 0), at: 1) },
      { try select.bind(blob: .init(start: nil, count: 0), at: 1) },
      { try select.bind(staticBlob: .init(start: nil, count: 0), at: 1) },
    ]
    for use in uses {
      let error = #expect(throws: SQLiteError.self) { try use() }
      #expect(error?.code == .misuse)
      #expect(error?.message == "the connection is closed")
    }
    connection.rollback()
    connection.interrupt()
    select.reset()
    select.clearBindings()
    #expect(!connection.isInTransaction)
    #expect(connection.lastInsertRowID == 0)
    #expect(connection.changes == 0)
    #expect(connection.totalChanges == 0)
    #expect(select.columnCount == 0)
    #expect(select.columnName(0) == "")
    #expect(select.columnType(0) == .null)
    #expect(select.string(0) == nil)
    #expect(select.bytes(0) == nil)
    #expect(select.int64(0) == 0)
    #expect(select.double(0) == 0)
  }

  @Test("A statement keeps its connection open, and the last one to end closes it")
  func statementKeepsConnection() throws {
    try makeStore()
    func select() throws -> Statement { try Connection(path: folder.path()).prepare("SELECT a FROM t") }
    do {
      let statement = try select()
      #expect(try statement.step())
      #expect(try folder.fileNames.contains("store.sqlite-wal"))
    }
    #expect(try folder.fileNames == ["store.sqlite"], "the last connection to close removes the log")
  }
}

extension ConnectionTests {
  @Test("Finalized statements do not keep the connection from closing")
  func manyStatements() throws {
    let connection = try Connection(path: ":memory:")
    var kept: [Statement] = []
    for index in 0..<100 {
      let statement = try connection.prepare("SELECT \(index)")
      #expect(try statement.step())
      if index.isMultiple(of: 3) { kept.append(statement) }
    }
    try connection.close()
    for statement in kept { #expect { _ = try statement.step() } throws: { ResultCode.misuse ~= $0 } }
  }

  @Test("A sound database has no findings; a broken check constraint is one")
  func integrity() throws {
    let connection = try Connection(path: folder.path())
    try connection.execute("CREATE TABLE t(a CHECK(a > 0)); INSERT INTO t VALUES(1)")
    #expect(try connection.integrityCheck() == [])
    try connection.setPragma("ignore_check_constraints", to: "ON")
    try connection.execute("INSERT INTO t VALUES(-1)")
    try connection.setPragma("ignore_check_constraints", to: "OFF")
    #expect(try connection.integrityCheck() == ["CHECK constraint failed in t"])
  }

  @Test("The library reports its version, sources, options and memory")
  func library() throws {
    #expect(SQLiteLibrary.version.split(separator: ".").count == 3)
    #expect(try Connection(path: ":memory:").strings("SELECT sqlite_version()") == [SQLiteLibrary.version])
    #expect(try Connection(path: ":memory:").strings("SELECT sqlite_source_id()") == [SQLiteLibrary.sourceID])
    let options = try Connection(path: ":memory:").strings("PRAGMA compile_options")
    #expect(SQLiteLibrary.compileOptions == options)
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(1000000))")
    #expect(SQLiteLibrary.memoryUsed > 1_000_000)
    #expect(SQLiteLibrary.memoryHighWater(reset: false) > 1_000_000)
  }
}
