// Pragmas set, read back, and refused.
import MissionTags
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

  @Test("The answer of a pragma shows that SQLite did not accept the value")
  func notTaken() throws {
    #expect(try connection.setPragma("no_such_pragma", to: "1") == nil)
    #expect(try connection.pragma("no_such_pragma") == nil)
    #expect(try connection.setPragma("journal_mode", to: "sideways") == "delete")
  }

  @Test("A pragma's name is recognized with its schema and in any case, and a misspelt one is not")
  func names() throws {
    for name in ["journal_mode", "main.synchronous", "Cache_Size", "optimize"] {
      #expect(try connection.knowsPragma(name), "\(name)")
    }
    for name in ["jornal_mode", "main", "main.", ""] { #expect(try !connection.knowsPragma(name), "\(name)") }
  }
}

extension PragmaTests {
  @Test(
    "SQLite's answer for a value that it accepted is distinguished from other answers",
    arguments: [
      ("synchronous", "normal", true), ("synchronous", "on", true), ("synchronous", "sideways", false),
      ("temp_store", "memory", true), ("secure_delete", "fast", true), ("foreign_keys", "yes", true),
      ("foreign_keys", "maybe", false), ("cache_size", "+2000", true), ("cache_size", "-2000", true),
      ("cache_spill", "on", true), ("cache_spill", "off", true), ("cache_spill", "100", true),
      ("encoding", "'UTF8'", true), ("encoding", "'UTF-16'", true), ("encoding", "\"UTF-16be\"", true),
      ("encoding", "'Latin-1'", false), ("journal_mode", "WAL", true), ("journal_mode", "sideways", false),
      ("main.user_version", "-3", true), ("mmap_size", "9999999999999", false), ("mmap_size", "-1", true),
      ("wal_autocheckpoint", "-3", true), ("journal_size_limit", "-5", true), ("busy_timeout", "-1", true),
      ("page_size", "1000", false), ("auto_vacuum", "7", false), ("auto_vacuum", "full", true),
      ("wal_checkpoint", "truncate", true), ("writable_schema", "reset", true), ("locking_mode", "exclusive", true),
      ("page_count", "4", false),
    ])
  func answers(name: String, value: String, isTaken: Bool) throws {
    let answer: String?
    do {
      answer = try connection.setPragma(name, to: value)
    } catch {
      // SQLite itself refuses some values.
      #expect(!isTaken)
      return
    }
    let text = try #require(answer)
    #expect(PragmaValue(text, of: name).isAnswer(to: PragmaValue(value, of: name)) == isTaken, "answered \(text)")
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
    "An invalid identifier never reaches SQLite",
    arguments: ["", "a.b.c", ".a", "a.", "user_version = 5; --", "1a", "a-b", "table_info(t)", "a\0", "ž"])
  func refusedNames(name: String) throws {
    #expect { _ = try connection.pragma(name) } throws: { ResultCode.misuse ~= $0 }
    #expect { try connection.setPragma(name, to: "1") } throws: { ResultCode.misuse ~= $0 }
    #expect(try connection.pragma("user_version") == "0")
  }
}
