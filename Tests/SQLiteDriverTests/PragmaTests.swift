// Pragmas set, read back, and refused.
import SQLiteDriver
import Testing

@Suite("D9 · pragmas", .tags(.d9))
struct PragmaTests {
  private let folder: TemporaryDirectory
  private let connection: Connection

  init() throws {
    folder = try TemporaryDirectory()
    connection = try Connection(path: folder.path())
  }

  @Test(
    "A pragma is set and read back",
    arguments: [
      ("page_size", "8192", "8192"), ("journal_mode", "WAL", "wal"), ("journal_mode", "delete", "delete"),
      ("main.synchronous", "NORMAL", "1"), ("synchronous", "off", "0"), ("cache_size", "-16000", "-16000"),
      ("cache_size", "+2000", "2000"), ("wal_autocheckpoint", "0", "0"), ("mmap_size", "1048576", "1048576"),
      ("temp_store", "memory", "2"), ("auto_vacuum", "INCREMENTAL", "2"), ("secure_delete", "on", "1"),
      ("encoding", "'UTF-8'", "UTF-8"), ("encoding", "\"UTF-8\"", "UTF-8"), ("journal_size_limit", "1000", "1000"),
      ("locking_mode", "exclusive", "exclusive"), ("user_version", "7", "7"),
    ])
  func setAndReadBack(name: String, value: String, answer: String) throws {
    #expect(try connection.setPragma(name, to: value) == answer)
    #expect(try connection.pragma(name) == answer)
  }

  @Test("What SQLite does not take shows in the answer")
  func notTaken() throws {
    #expect(try connection.setPragma("no_such_pragma", to: "1") == nil)
    #expect(try connection.pragma("no_such_pragma") == nil)
    #expect(try connection.setPragma("journal_mode", to: "sideways") == "delete")
  }

  @Test(
    "A value that is more than a word, a number or quoted text never reaches SQLite",
    arguments: [
      "", " ", "1; DROP TABLE t", "wal; --", "1)", "'a' 'b'", "'a''", "'", "''' OR 1", "\"a\"b\"", "1.", ".5", "1.2.3",
      "--1", "-", "on/**/", "a b", "é", "'a\0'", "'a\"", "0x10",
    ])
  func refusedValues(value: String) throws {
    try connection.execute("CREATE TABLE t(a)")
    let error = #expect(throws: SQLiteError.self) { try connection.setPragma("user_version", to: value) }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("expected a word, a number or text in quotes") == true)
    #expect(try connection.scalar("SELECT count(*) FROM t") == 0)
  }

  @Test(
    "A name that is no identifier never reaches SQLite",
    arguments: ["", "a.b.c", ".a", "a.", "user_version = 5; --", "1a", "a-b", "table_info(t)", "a\0", "ž"])
  func refusedNames(name: String) throws {
    #expect { _ = try connection.pragma(name) } throws: { ResultCode.misuse ~= $0 }
    #expect { try connection.setPragma(name, to: "1") } throws: { ResultCode.misuse ~= $0 }
    #expect(try connection.pragma("user_version") == "0")
  }
}
