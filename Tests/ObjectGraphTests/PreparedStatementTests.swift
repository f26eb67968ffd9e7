// B6, D3: what a connection gets for predicates, and when.
import CoreDataModel
import MissionTags
import SQLiteDriver
import Testing

@testable import ObjectGraph

@Suite("D3 · statements and the functions of predicates")
struct PreparedStatementTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE ZQUAKE (ZCODE VARCHAR); INSERT INTO ZQUAKE VALUES ('Ålesund')")
  }

  private func functions() throws -> Int64? {
    try connection.scalar("SELECT count(*) FROM pragma_function_list WHERE name LIKE 'og\\_%' ESCAPE '\\'")
  }

  @Test("A connection has no predicate functions until a statement calls one, and then all of them", .tags(.d3))
  func lazily() throws {
    var statements = PreparedStatements(connection)
    _ = try statements.statement("SELECT ZCODE FROM ZQUAKE WHERE ZCODE = 'A'")
    _ = try statements.once("SELECT ZCODE FROM ZQUAKE WHERE instr(ZCODE, \(bind: .string("e"))) > 0")
    #expect(try functions() == 0)
    let folded = try statements.statement("SELECT ZCODE FROM ZQUAKE WHERE OG_FOLD(ZCODE, 3) = 'alesund'")
    #expect(try folded.step())
    folded.reset()
    #expect(try functions() == 20)
  }

  @Test("A statement for one use gets the functions it calls", .tags(.b6, .d3))
  func once() throws {
    var statements = PreparedStatements(connection)
    let statement = try statements.once("SELECT OG_LENGTH(ZCODE) FROM ZQUAKE WHERE ZCODE = \(bind: .string("Ålesund"))")
    #expect(try statement.step())
    #expect(statement.int64(0) == 7)
    statement.reset()
  }

  /// A statement, while something keeps it.
  private struct Seen { weak var statement: Statement? }

  @Test(
    "A connection keeps its most recent statements, some hundred at most", .tags(.d3),
    arguments: [(0, 256), (100_000, 6)])
  func kept(_ padding: Int, _ most: Int) throws {
    var statements = PreparedStatements(connection)
    var seen: [Seen] = []
    let often = Seen(statement: try statements.statement("SELECT ZCODE FROM ZQUAKE"))
    let running = try statements.statement("SELECT ZCODE, 1 FROM ZQUAKE")
    #expect(try running.step())
    for number in 0..<1_000 {
      let text = "SELECT \(number) -- " + String(repeating: "x", count: padding)
      seen.append(Seen(statement: try statements.statement(text)))
      #expect(try statements.statement("SELECT ZCODE FROM ZQUAKE") === often.statement)
    }
    let alive = seen.filter { $0.statement != nil }
    #expect(alive.count <= most && seen.last?.statement != nil)
    #expect(running.string(0) == "Ålesund")
    running.reset()
    statements.removeAll()
    #expect(seen.allSatisfy { $0.statement == nil })
  }
}
