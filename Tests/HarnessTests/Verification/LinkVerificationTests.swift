// B8: a store with correct rows but wrong relationships is a failed sample, whatever the engine reports.
import BatchmarkEngine
import Instruments
import MissionTags
import ObjectGraph
import SQLiteDriver
import Testing
import Harness

/// Stores the rows and links them by hand, then spoils the store with a statement.
private struct SpoilingEngine: Engine {
  let sql: String
  /// Runs when the store is closed.
  var lateSQL = ""

  var name: String { "spoiling" }
  var strategies: [Strategy] {
    [
      Strategy(
        "run", summary: "", relationships: .withRows,
        .insert { [sql, lateSQL] setup, _ in
          try setup.createStore()
          return Session(connection: try setup.connect(), sql: sql, lateSQL: lateSQL)
        })
    ]
  }

  final class Session: InsertSession {
    let connection: Connection
    let sql: String
    let lateSQL: String

    init(connection: Connection, sql: String, lateSQL: String) {
      (self.connection, self.sql, self.lateSQL) = (connection, sql, lateSQL)
    }

    func insert(_ source: SourceRows) throws {
      guard let rows = source.tables.first, case .text(let codes) = rows.columns[0],
        case .text(let nets) = rows.columns[1]
      else { return }
      for row in 0..<rows.count {
        try connection.execute(
          "INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNET) VALUES (\(row + 1), 2, 1, '\(codes.string(at: row) ?? "")', "
            + "'\(nets.string(at: row) ?? "")')")
      }
      try connection.execute("INSERT INTO ZNETWORK (Z_ENT, Z_OPT, ZCODE) SELECT DISTINCT 1, 1, ZNET FROM ZQUAKE")
      try connection.execute("UPDATE ZQUAKE SET ZNETWORK = (SELECT Z_PK FROM ZNETWORK WHERE ZNETWORK.ZCODE = ZNET)")
      try connection.execute(sql)
      for table in ["QUAKE", "NETWORK"] {
        try connection.execute(
          "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT coalesce(max(Z_PK), 0) FROM Z\(table)) WHERE upper(Z_NAME) = '\(table)'"
        )
      }
    }
    func checkpoint() throws { _ = try connection.checkpoint(.truncate) }
    func close() throws {
      try connection.execute(lateSQL)
      try connection.close()
    }
  }
}

@Suite("B8 · verification of links", .tags(.b8))
struct LinkVerificationTests {
  private func sample(_ sql: String, late lateSQL: String = "") throws -> Sample {
    let engine = SpoilingEngine(sql: sql, lateSQL: lateSQL)
    let text = """
      scenario: test
      model:
        Quake:
          attributes: {code: {type: string}, net: {type: string}}
          relationships: {network: {to: Network, inverse: quakes}}
        Network:
          attributes: {code: {type: string}}
          relationships: {quakes: {to: Quake, inverse: network, many: true}}
          unique: [[code]]
      entity: Quake
      source: {generate: {rows: 200, seed: 3}}
      link: {network: net}
      cells: [{engine: spoiling, strategy: run}]
      measure: {warm_up: 0}
      """
    return try engine.sample(of: text)
  }

  @Test("Right links are accepted with any keys and order, and have a hash apart from that of the contents")
  func right() throws {
    let plain = try sample("SELECT 1")
    let other = try sample(
      "UPDATE ZNETWORK SET Z_PK = 100 - Z_PK; UPDATE ZQUAKE SET ZNETWORK = 100 - ZNETWORK, Z_PK = 1000 - Z_PK")
    #expect(plain.contents.links == other.contents.links && plain.contents.contentHash == other.contents.contentHash)
    let links = try #require(plain.contents.links?.first)
    #expect(links.relationship == "network" && links.linkedRows == 200 && links.objects > 5)
    #expect(links.hash != plain.contents.contentHash)
  }

  @Test(
    "Rows that are not linked, or linked to nothing, are counted",
    arguments: [
      ("UPDATE ZQUAKE SET ZNETWORK = NULL", "0 of them are linked by 'network'; expected 200"),
      ("UPDATE ZQUAKE SET ZNETWORK = NULL WHERE Z_PK = 7", "199 of them are linked by 'network'; expected 200"),
    ])
  func unlinked(sql: String, complaint: String) {
    #expect { try sample(sql) } throws: { "\($0)" == "the store holds the right rows, but " + complaint }
  }

  @Test("Rows that are linked when the store is closed were not linked in the phase")
  func late() {
    #expect(throws: VerificationError.notStoredInPhase(.ingest, .links("network", found: 0, expected: 200))) {
      try sample(
        "UPDATE ZQUAKE SET ZNETWORK = NULL",
        late: "UPDATE ZQUAKE SET ZNETWORK = (SELECT Z_PK FROM ZNETWORK WHERE ZNETWORK.ZCODE = ZNET)")
    }
  }
}

extension LinkVerificationTests {
  @Test(
    "Rows that are linked to a wrong object are refused",
    arguments: [
      "UPDATE ZQUAKE SET ZNETWORK = (SELECT min(Z_PK) FROM ZNETWORK)",
      "UPDATE ZQUAKE SET ZNETWORK = 1 + ZNETWORK % (SELECT count(*) FROM ZNETWORK)",
      // Two rows have each other's network: each network still has the right number of rows.
      """
      CREATE TEMP TABLE pair AS SELECT a.Z_PK AS a, a.ZNETWORK AS ofA, b.Z_PK AS b, b.ZNETWORK AS ofB
        FROM ZQUAKE AS a JOIN ZQUAKE AS b ON a.ZNETWORK < b.ZNETWORK LIMIT 1;
      UPDATE ZQUAKE SET ZNETWORK = (SELECT ofB FROM pair) WHERE Z_PK = (SELECT a FROM pair);
      UPDATE ZQUAKE SET ZNETWORK = (SELECT ofA FROM pair) WHERE Z_PK = (SELECT b FROM pair)
      """,
    ])
  func wrong(sql: String) {
    #expect { try sample(sql) } throws: {
      "\($0)".hasPrefix(
        "the store holds the right rows, but some are linked by 'network' to the wrong object: link hash ")
    }
  }

  @Test(
    "A key of a missing row breaks a rule, and the message names its row",
    .tags(.d13),
    arguments: [
      ("UPDATE ZQUAKE SET ZNETWORK = 99 WHERE Z_PK = 7", 1, ["Quake/p7"]),
      ("UPDATE ZQUAKE SET ZNETWORK = -Z_PK WHERE Z_PK > 196", 4, ["Quake/p197", "Quake/p198", "Quake/p199"]),
    ])
  func noRow(sql: String, count: Int, rows: [String]) {
    let breach = StoreIntegrity.Breach(
      rule: .keyLeadsToRow, entity: "Quake", relationship: "network", count: count, examples: rows)
    #expect(throws: VerificationError.brokenRule(breach)) { try sample(sql) }
  }

  @Test(
    "Objects that no row names, that occur twice, or that have another name, are refused",
    arguments: [
      "INSERT INTO ZNETWORK (Z_ENT, Z_OPT, ZCODE) VALUES (1, 1, 'xx')",
      "UPDATE ZNETWORK SET ZCODE = 'xx' WHERE Z_PK = 1",
    ])
  func objects(sql: String) {
    #expect { try sample(sql) } throws: {
      "\($0)".hasPrefix(
        "the store holds the right rows, but 'network' leads to other objects than the source names: found ")
    }
  }
}
