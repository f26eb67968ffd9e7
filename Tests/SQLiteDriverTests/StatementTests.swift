// Preparing and running statements.
import MissionTags
import SQLiteDriver
import Testing

@Suite("D2 · statements", .tags(.d2))
struct StatementTests {
  private func counted() throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT NOT NULL)")
    return connection
  }

  @Test("A statement is prepared once and run many times")
  func reuse() throws {
    let connection = try counted()
    let insert = try connection.prepare("INSERT INTO t(b) VALUES(?)")
    for row in 1...1_000 {
      try insert.bind(text: "row \(row)", at: 1)
      try insert.run()
      #expect(connection.lastInsertRowID == row)
    }
    #expect(connection.changes == 1)
    #expect(connection.totalChanges == 1_000)
    #expect(try connection.scalar("SELECT count(*) FROM t") == 1_000)
    #expect(try connection.strings("SELECT b FROM t WHERE a = 777") == ["row 777"])
  }

  @Test("Rows are stepped through in order, and the last step reports the end")
  func rows() throws {
    let connection = try counted()
    try connection.execute("INSERT INTO t VALUES(1, 'one'), (2, 'two')")
    let select = try connection.prepare("SELECT a, b AS name FROM t ORDER BY a")
    #expect(select.columnCount == 2)
    #expect(select.columnName(0) == "a")
    #expect(select.columnName(1) == "name")
    #expect(select.columnName(2) == "")
    #expect(select.columnName(-1) == "")
    #expect(try select.step())
    #expect(select.int64(0) == 1)
    #expect(try select.step())
    #expect(select.string(1) == "two")
    #expect(try !select.step())
    #expect(try select.step(), "the next step starts again")
    #expect(select.int64(0) == 1)
  }

  @Test("A column that does not exist, or is read without a row, is NULL")
  func missingColumns() throws {
    let select = try counted().prepare("SELECT 5")
    #expect(select.isNull(0))
    #expect(try select.step())
    #expect(select.int64(0) == 5)
    for column in [1, -1, .max, .min] {
      #expect(select.isNull(column))
      #expect(select.string(column) == nil)
      #expect(select.bytes(column) == nil)
      #expect(select.columnType(column) == .null)
    }
    select.reset()
    #expect(select.isNull(0))
  }
}

extension StatementTests {
  @Test("A statement cannot be bound between a step and its reset, and its row stays as it was")
  func boundWhileActive() throws {
    let select = try counted().prepare("SELECT ?1 UNION ALL SELECT ?1")
    try select.bind(text: "before", at: 1)
    #expect(try select.step())
    for bind in [
      { try select.bind(text: "after!", at: 1) }, { try select.bind(Int64(1), at: 1) },
      { try select.bind(text: String(repeating: "a", count: 20_000), at: 1) },
    ] as [() throws -> Void] {
      #expect { try bind() } throws: { ResultCode.misuse ~= $0 }
    }
    select.clearBindings()
    #expect(try select.step())
    #expect(select.string(0) == "before")
    select.reset()
    try select.bind(text: "after!", at: 1)
    #expect(try select.step())
    #expect(select.string(0) == "after!")
  }

  @Test("After an error the statement is ready again")
  func resetAfterError() throws {
    let connection = try counted()
    let insert = try connection.prepare("INSERT INTO t(a, b) VALUES(?, ?)")
    try insert.bind(1, at: 1)
    for run in [{ try insert.run() }, { _ = try insert.step() }] as [() throws -> Void] {
      #expect { try run() } throws: { ResultCode.constraintNotNull ~= $0 }
      try insert.bindNull(at: 2)
    }
    try insert.bind(text: "now", at: 2)
    try insert.run()
    #expect(try connection.scalar("SELECT count(*) FROM t") == 1)
  }

  @Test(
    "Exactly one statement is prepared, even with blanks, comments and semicolons after it",
    arguments: ["SELECT 1", "SELECT 1;", "  SELECT 1 ; ; -- a comment", "/* before */ SELECT 1; /* after */\n"])
  func oneStatement(sql: String) throws {
    let connection = try counted()
    #expect(try connection.prepare(sql).step())
    #expect(try connection.prepare(sql, isPersistent: false).sql == sql)
  }
}

extension StatementTests {
  @Test(
    "SQL without a statement, with several, or with a zero byte is refused",
    arguments: [
      ("", "found none"), (" -- nothing", "found none"), (";", "found none"), ("SELECT 1; SELECT 2", "found more"),
      ("CREATE TABLE u(a); INSERT INTO u VALUES(1)", "found more"), ("SELECT 1; nonsense", "found more"),
      ("SELECT 1\0; DROP TABLE t", "zero byte"),
    ])
  func notOneStatement(sql: String, complaint: String) throws {
    let connection = try counted()
    let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains(complaint) == true)
    #expect(error?.sql == sql)
  }

  @Test("Several statements are run in order, up to the first that fails")
  func execute() throws {
    let connection = try counted()
    try connection.execute("")
    try connection.execute("INSERT INTO t(b) VALUES('x'); SELECT b FROM t; -- done\n")
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO t(b) VALUES('ý'); INSERT INTO t(b) VALUES(NULL); DELETE FROM t")
    }
    #expect(error?.extendedCode == .constraintNotNull)
    #expect(error?.sql == " INSERT INTO t(b) VALUES(NULL);")
    #expect(try connection.strings("SELECT b FROM t ORDER BY a") == ["x", "ý"])
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM t\0") }
    #expect(try connection.scalar("SELECT count(*) FROM t") == 2)
  }

  @Test("A running statement is interrupted, and runs again afterwards")
  func interrupt() throws {
    let connection = try counted()
    let select = try connection.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n")
    #expect(try select.step())
    connection.interrupt()
    #expect { _ = try select.step() } throws: { ResultCode.interrupt ~= $0 }
    #expect(try select.step())
    #expect(select.int64(0) == 1)
  }

  @Test("The first column of the first row is read as an integer, NULL and a missing row as nil")
  func scalar() throws {
    let connection = try counted()
    #expect(try connection.scalar("SELECT 7, 8") == 7)
    #expect(try connection.scalar("SELECT NULL") == nil)
    #expect(try connection.scalar("SELECT a FROM t") == nil)
    #expect { _ = try connection.scalar("SELECT missing FROM t") } throws: { ResultCode.error ~= $0 }
  }
}
