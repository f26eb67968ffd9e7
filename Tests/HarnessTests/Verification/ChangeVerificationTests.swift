// D8: a wrong update or delete is a failed sample, whatever the engine reports.
import BatchmarkEngine
import Instruments
import MissionTags
import ObjectGraph
import SQLiteDriver
import Testing
import Harness

/// Runs SQL as its update or deletion, whether correct or not.
struct ScriptedEngine: Engine {
  let sql: String

  var name: String { "scripted" }

  var strategies: [Strategy] {
    [
      Strategy("run", summary: "runs SQL", .update { [sql] setup, _, _ in try Session(setup, sql) }),
      Strategy(
        "run", summary: "runs SQL", followsDeleteRules: true, .delete { [sql] setup, _ in try Session(setup, sql) }),
    ]
  }

  final class Session: ChangeSession {
    let connection: Connection
    let sql: String

    init(_ setup: StoreSetup, _ sql: String) throws {
      connection = try Connection(path: setup.path, access: .readWrite)
      self.sql = sql
    }

    func change(where condition: RowCondition?) throws { try connection.execute(sql) }
    func checkpoint() throws { _ = try connection.checkpoint(.truncate) }
    func close() throws { try connection.close() }
  }
}

@Suite("D8 · verification of updates and deletes", .tags(.d8))
struct ChangeVerificationTests {
  private func sample(_ engine: some Engine, _ lines: String) throws -> Sample {
    let text = """
      scenario: test
      model:
        Quake:
          attributes: {code: {type: string}, magnitude: {type: double, optional: true}, status: {type: string}}
          indexes: {by_code: [code]}
      source: {generate: {rows: 200, seed: 3}}
      operation: \(lines.contains("set:") ? "update" : "delete")
      \(lines)
      cells: [{engine: \(engine.name), strategy: run}]
      """
    return try engine.sample(of: text)
  }

  private let update = "where: magnitude >= 0.5\nset: {magnitude: 9}"

  @Test("Right rows with versions increased by one are accepted")
  func right() throws {
    let engine = ScriptedEngine(sql: "UPDATE ZQUAKE SET ZMAGNITUDE = 9, Z_OPT = Z_OPT + 1 WHERE ZMAGNITUDE >= 0.5")
    let sample = try sample(engine, update)
    #expect(sample.contents.versions.keys.sorted() == [1, 2])
    #expect(sample.contents.indexes == ["Z_Quake_by_code: an index of ZQUAKE (ZCODE)"])
    #expect(try self.sample(ScriptedEngine(sql: "DELETE FROM ZQUAKE"), "").contents.rows == 0)
  }

  @Test(
    "Right values with wrong versions are refused",
    arguments: [
      "UPDATE ZQUAKE SET ZMAGNITUDE = 9 WHERE ZMAGNITUDE >= 0.5",
      "UPDATE ZQUAKE SET ZMAGNITUDE = 9, Z_OPT = Z_OPT + 2 WHERE ZMAGNITUDE >= 0.5",
      "UPDATE ZQUAKE SET Z_OPT = Z_OPT + 1; UPDATE ZQUAKE SET ZMAGNITUDE = 9 WHERE ZMAGNITUDE >= 0.5",
      // The right number of rows, but different ones.
      """
      UPDATE ZQUAKE SET Z_OPT = 2 WHERE Z_PK IN (SELECT Z_PK FROM ZQUAKE ORDER BY ZMAGNITUDE LIMIT
        (SELECT count(*) FROM ZQUAKE WHERE ZMAGNITUDE >= 0.5));
      UPDATE ZQUAKE SET ZMAGNITUDE = 9 WHERE ZMAGNITUDE >= 0.5
      """,
    ])
  func versions(sql: String) {
    #expect { try sample(ScriptedEngine(sql: sql), update) } throws: {
      "\($0)".contains("versions (Z_OPT) were raised on other rows than those changed")
    }
  }

  @Test("Rows that an update leaves equal are all written or all left alone; a mixture is refused")
  func unchangedRows() throws {
    let set = "UPDATE ZQUAKE SET Z_OPT = Z_OPT + 1, ZSTATUS = 'reviewed'"
    let wanted = "set: {status: reviewed}"
    let held = try sample(ScriptedEngine(sql: set + " WHERE ZSTATUS <> 'reviewed'"), wanted).contents.versions
    #expect(held.keys.sorted() == [1, 2], "no row held the value, or all did")
    #expect(try sample(ScriptedEngine(sql: set), wanted).contents.versions == [2: 200])
    let first = "(SELECT min(Z_PK) FROM ZQUAKE WHERE ZSTATUS = 'reviewed')"
    for mixture in ["ZSTATUS <> 'reviewed' OR Z_PK = \(first)", "ZSTATUS <> 'reviewed' OR Z_PK <> \(first)"] {
      #expect { try sample(ScriptedEngine(sql: "\(set) WHERE \(mixture)"), wanted) } throws: {
        "\($0)".contains("versions (Z_OPT) were raised on other rows than those changed")
      }
    }
  }
}

extension ChangeVerificationTests {
  @Test(
    "Wrong values and wrong rows are refused",
    arguments: [
      "UPDATE ZQUAKE SET ZMAGNITUDE = 8, Z_OPT = Z_OPT + 1 WHERE ZMAGNITUDE >= 0.5",
      "UPDATE ZQUAKE SET ZMAGNITUDE = 9, Z_OPT = Z_OPT + 1 WHERE ZMAGNITUDE > 0.5",
      "UPDATE ZQUAKE SET ZMAGNITUDE = 9, Z_OPT = Z_OPT + 1", "SELECT 1",
    ])
  func values(sql: String) {
    #expect { try sample(ScriptedEngine(sql: sql), update) } throws: { "\($0)".contains("but other values") }
  }

  @Test("A delete that leaves a row, deletes one more or changes one is refused")
  func deletes() {
    let wanted = "where: magnitude < 0.5"
    for sql in ["DELETE FROM ZQUAKE WHERE ZMAGNITUDE < 0.4", "DELETE FROM ZQUAKE WHERE ZMAGNITUDE < 0.6"] {
      #expect { try sample(ScriptedEngine(sql: sql), wanted) } throws: { "\($0)".contains("rows; expected") }
    }
    let touched =
      "DELETE FROM ZQUAKE WHERE ZMAGNITUDE < 0.5; UPDATE ZQUAKE SET Z_OPT = 2 WHERE Z_PK = (SELECT max(Z_PK) FROM ZQUAKE)"
    #expect { try sample(ScriptedEngine(sql: touched), wanted) } throws: { "\($0)".contains("versions (Z_OPT)") }
  }

  @Test("A predicate that matches no row fails the sample with a reason")
  func nothing() {
    #expect { try sample(ScriptedEngine(sql: "SELECT 1"), "where: magnitude > 99") } throws: {
      "\($0)" == "found no row of the source of test that its 'where' matches; expected at least one"
    }
  }
}
