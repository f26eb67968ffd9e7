// Refused calls and their errors.
import Foundation
import MissionTags
import SQLiteDriver
import Testing

@Suite("D2 · SQLite errors", .tags(.d2))
struct ErrorTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func failure(_ body: () throws -> Void) -> SQLiteError? {
    #expect(throws: SQLiteError.self) { try body() }
  }

  @Test("Bad SQL is refused with SQLite's message, the SQL and the file")
  func badSQL() throws {
    let connection = try Connection(path: folder.path())
    let error = failure { _ = try connection.prepare("SELEKT 1") }
    #expect(error?.code == .error)
    #expect(error?.message == "near \"SELEKT\": syntax error")
    #expect(error?.sql == "SELEKT 1")
    #expect(error?.path == folder.path())
    #expect(
      error?.description
        == "near \"SELEKT\": syntax error (SQLITE_ERROR, 1) in `SELEKT 1` on \(folder.path())")
  }

  @Test("A broken constraint has its extended code; the bound values are shown only when asked for")
  func constraint() throws {
    let connection = try Connection(path: folder.path())
    try connection.execute("CREATE TABLE t(a TEXT UNIQUE, b, c, d, e)")
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?, ?, ?, ?)")
    try insert.bind(text: "secret", at: 1)
    try insert.bind(Int64(424_242_424_242), at: 2)
    try insert.bind(1.5, at: 3)
    try [UInt8(0), 171].withUnsafeBytes { try insert.bind(blob: $0, at: 5) }
    try insert.run()
    let error = try #require(failure { try insert.run() })
    #expect(error.extendedCode == .constraintUnique)
    #expect(error.code == .constraint)
    #expect(error.message == "UNIQUE constraint failed: t.a")
    #expect(error.sql == "INSERT INTO t VALUES(?, ?, ?, ?, ?)")
    #expect(error.boundValues == ["'secret'", "424242424242", "1.5", "NULL", "x'00ab'"])
    #expect(!"\(error)".contains("secret"))
    #expect(!error.description.contains("424242424242"))
    #expect(error.expandedDescription.hasSuffix("with 'secret', 424242424242, 1.5, NULL, x'00ab'"))
  }

  @Test("Long values and long SQL are truncated in messages")
  func longValues() throws {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a, b NOT NULL)")
    let comment = String(repeating: "-", count: 1_000)
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?) --\(comment)")
    for (count, shown) in [
      (1_000, "'\(String(repeating: "a", count: 80))'… (1000 bytes)"), (20_000, "(text of 20000 bytes)"),
    ] {
      try insert.bind(text: String(repeating: "a", count: count), at: 1)
      let error = try #require(failure { try insert.run() })
      #expect(error.boundValues == [shown, "NULL"])
      #expect(error.sql?.hasSuffix(comment) == true)
      #expect(error.description.utf8.count < 600)
    }
  }
}

extension ErrorTests {
  @Test("A database that another connection is writing is busy")
  func busy() throws {
    let first = try Connection(path: folder.path())
    let second = try Connection(path: folder.path(), busyTimeout: 0)
    try first.execute("CREATE TABLE t(a)")
    try first.begin(.immediate)
    let error = failure { try second.begin(.immediate) }
    #expect(error?.code == .busy)
    #expect(error?.message == "database is locked")
    #expect(error?.sql == "BEGIN IMMEDIATE")
    try first.commit()
    try second.begin(.immediate)
    try second.commit()
  }

  @Test("A store that may not grow further is full, and stays sound")
  func full() throws {
    let connection = try Connection(path: folder.path())
    try connection.execute("CREATE TABLE t(a)")
    #expect(try connection.setPragma("max_page_count", to: "8") == "8")
    let insert = try connection.prepare("INSERT INTO t VALUES(zeroblob(1000))")
    let error = failure {
      try connection.transaction {
        for _ in 0..<1_000 { try insert.run() }
      }
    }
    #expect(error?.code == .full)
    #expect(error?.message == "database or disk is full")
    #expect(!connection.isInTransaction)
    #expect(try connection.scalar("SELECT count(*) FROM t") == 0)
    #expect(try connection.integrityCheck() == [])
  }

  @Test("A file that is not a database is refused when first used")
  func notADatabase() throws {
    try Data(String(repeating: "This is a letter. ", count: 100).utf8).write(to: URL(fileURLWithPath: folder.path()))
    let connection = try Connection(path: folder.path())
    let error = failure { _ = try connection.pragma("schema_version") }
    #expect(error?.code == .notADatabase)
    #expect(error?.message == "file is not a database")
    #expect(error?.path == folder.path())
  }
}

extension ErrorTests {
  @Test("A missing folder, and a folder instead of the file, are reported with the system's reason")
  func cannotOpen() {
    let missing = folder.path("none/store.sqlite")
    let error = failure { _ = try Connection(path: missing) }
    #expect(error?.code == .cantOpen)
    #expect(error?.path == missing)
    #expect(error?.message == "unable to open database file: No such file or directory")
    let directory = failure { _ = try Connection(path: folder.url.path) }
    #expect(directory?.code == .cantOpen)
    #expect(directory?.message.hasSuffix("directory") == true)
  }

  @Test("A file that must exist is not created", arguments: [Connection.Access.readWrite, .readOnly, .immutable])
  func missingFile(access: Connection.Access) throws {
    let error = failure { _ = try Connection(path: folder.path(), access: access) }
    #expect(error?.code == .cantOpen)
    #expect(try folder.fileNames == [])
  }

  @Test("A path with a zero byte is refused, not truncated")
  func zeroByteInPath() throws {
    let error = failure { _ = try Connection(path: folder.path("a") + "\0b") }
    #expect(error?.code == .cantOpen)
    #expect(try folder.fileNames == [])
  }

  @Test("A value beyond SQLite's limit is too big")
  func tooBig() throws {
    let connection = try Connection(path: ":memory:")
    #expect { _ = try connection.scalar("SELECT length(zeroblob(2000000000))") } throws: { ResultCode.tooBig ~= $0 }
  }
}
