// Custom SQL functions.
import MissionTags
import SQLiteDriver
import Testing

@Suite("D2 · functions", .tags(.d2))
struct FunctionTests {
  private struct Refusal: Error, CustomStringConvertible {
    let description = "no such thing"
  }

  @Test("Every kind of value is bound and read back unchanged")
  func kinds() throws {
    let connection = try Connection(path: ":memory:")
    try connection.createFunction("same", argumentCount: 1) { arguments in
      switch arguments.type(0) {
      case .integer: .integer(arguments.int64(0))
      case .real: .real(arguments.double(0))
      case .text: .text(arguments.string(0) ?? "")
      case .blob: .blob(arguments.utf8(0).map { Array($0) } ?? [])
      case .null: .null
      }
    }
    for literal in ["1", "-9223372036854775808", "2.5", "'é 😀'", "''", "NULL", "x'00ff'", "x''", "1e999"] {
      #expect(try connection.scalar("SELECT same(\(literal)) IS \(literal)") == 1, "\(literal)")
      #expect(try connection.scalar("SELECT typeof(same(\(literal))) = typeof(\(literal))") == 1, "\(literal)")
    }
    #expect(try connection.scalar("SELECT length(CAST(same('a' || char(0) || 'b') AS BLOB))") == 3)
  }

  @Test("NaN becomes NULL")
  func notANumber() throws {
    let connection = try Connection(path: ":memory:")
    try connection.createFunction("nan", argumentCount: 0) { _ in .real(.nan) }
    #expect(try connection.scalar("SELECT nan() IS NULL") == 1)
  }

  @Test("A function takes any number of arguments up to the maximum, and no more")
  func variadic() throws {
    let connection = try Connection(path: ":memory:")
    try connection.createFunction("arity", argumentCount: nil) { arguments in
      #expect(arguments.isNull(arguments.count) && arguments.isNull(-1))
      #expect(arguments.string(arguments.count) == nil)
      #expect(arguments.int64(arguments.count) == 0 && arguments.double(-1) == 0)
      return .integer(Int64(arguments.count))
    }
    #expect(try connection.strings("SELECT arity() || arity(1) || arity(1, 2, 3)") == ["013"])
  }
}

extension FunctionTests {
  @Test("A thrown error is the statement's error")
  func failure() throws {
    let connection = try Connection(path: ":memory:")
    try connection.createFunction("refuse", argumentCount: 1) { _ in throw Refusal() }
    let error = #expect(throws: SQLiteError.self) { try connection.scalar("SELECT refuse(1)") }
    #expect(error?.message == "no such thing")
    #expect(error?.code == .error)
  }

  @Test("A function is called once for constants, and can be replaced")
  func deterministic() throws {
    final class Calls { var count = 0 }
    let calls = Calls()
    let connection = try Connection(path: ":memory:")
    try connection.createFunction("twice", argumentCount: 1) { arguments in
      calls.count += 1
      return .integer(arguments.int64(0) * 2)
    }
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2), (3)")
    #expect(try connection.scalar("SELECT count(*) FROM t WHERE a < twice(10)") == 3)
    #expect(calls.count == 1)
    try connection.createFunction("twice", argumentCount: 1) { _ in .integer(0) }
    #expect(try connection.scalar("SELECT twice(10)") == 0)
  }

  @Test("A function is released when the connection closes or does not accept it")
  func release() throws {
    final class Token {}
    weak var kept: Token?
    weak var refused: Token?
    let connection = try Connection(path: ":memory:")
    do {
      let token = Token()
      kept = token
      try connection.createFunction("f", argumentCount: 0) { _ in .text("\(ObjectIdentifier(token))") }
      let other = Token()
      refused = other
      let error = #expect(throws: SQLiteError.self) {
        try connection.createFunction("f", argumentCount: 10_000) { _ in .text("\(ObjectIdentifier(other))") }
      }
      #expect(error?.code == .misuse)
    }
    #expect(kept != nil)
    #expect(refused == nil)
    try connection.close()
    #expect(kept == nil)
    #expect(throws: SQLiteError.self) { try connection.createFunction("f", argumentCount: 0) { _ in .null } }
  }

  @Test(
    "A name that SQLite would truncate or not accept is refused",
    arguments: ["", "a\0b", String(repeating: "n", count: 256)])
  func names(name: String) throws {
    let connection = try Connection(path: ":memory:")
    let error = #expect(throws: SQLiteError.self) {
      try connection.createFunction(name, argumentCount: 0) { _ in .null }
    }
    #expect(error?.code == .misuse)
  }
}
