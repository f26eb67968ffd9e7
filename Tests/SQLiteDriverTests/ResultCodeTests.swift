// Result codes: their names and how they match.
import MissionTags
import SQLiteDriver
import Testing

@Suite("D2 · result codes", .tags(.d2))
struct ResultCodeTests {
  @Test(
    "A code has SQLite's name and number",
    arguments: [
      (ResultCode.ok, 0, "SQLITE_OK"), (.busy, 5, "SQLITE_BUSY"), (.busySnapshot, 517, "SQLITE_BUSY_SNAPSHOT"),
      (.constraintUnique, 2067, "SQLITE_CONSTRAINT_UNIQUE"), (.constraintNotNull, 1299, "SQLITE_CONSTRAINT_NOTNULL"),
      (.constraintPrimaryKey, 1555, "SQLITE_CONSTRAINT_PRIMARYKEY"), (.notADatabase, 26, "SQLITE_NOTADB"),
      (.abortRollback, 516, "SQLITE_ABORT_ROLLBACK"), (.ioErrorWrite, 778, "SQLITE_IOERR_WRITE"),
      (.done, 101, "SQLITE_DONE"), (ResultCode(rawValue: 8202), 8202, "SQLITE_IOERR_DATA"),
    ])
  func names(code: ResultCode, number: Int32, name: String) {
    #expect(code.rawValue == number)
    #expect(code.name == name)
    #expect("\(code)" == name)
  }

  @Test("A code unknown to this version still has a name, with its number")
  func unknownNames() {
    #expect(ResultCode(rawValue: 19 | 99 << 8).name == "SQLITE_CONSTRAINT, extended code 25363")
    #expect(ResultCode(rawValue: 77).name == "SQLite code 77")
  }

  @Test("A primary code matches its extended codes; an extended code matches itself alone")
  func matching() {
    #expect(ResultCode.constraint ~= .constraintUnique)
    #expect(ResultCode.constraint ~= .constraint)
    #expect(!(ResultCode.constraintUnique ~= .constraint))
    #expect(!(ResultCode.constraintUnique ~= .constraintNotNull))
    #expect(!(ResultCode.busy ~= .constraintUnique))
    #expect(ResultCode.constraintUnique.primary == .constraint)
  }

  @Test("An error is caught by its code")
  func catching() throws {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES(1)")
    do {
      try connection.execute("INSERT INTO t VALUES(1)")
      Issue.record("the second row must be refused")
    } catch ResultCode.busy {
      Issue.record("it is not busy")
    } catch ResultCode.constraint {
      // This is expected.
    }
    struct Other: Error {}
    #expect(!(ResultCode.constraint ~= Other()))
  }
}
