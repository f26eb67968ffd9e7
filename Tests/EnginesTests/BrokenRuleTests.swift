// D13: a store that breaks a rule of an object graph fails its sample with the rule, whatever engine stored the rows.
import BatchmarkEngine
import Engines
import Foundation
import MissionTags
import ObjectGraph
import SQLiteDriver
import StoreFixtures
import Testing
import Harness

/// Stores rows and relationships like plain SQLite, then runs a statement.
private struct SpoilingEngine: Engine {
  let sql: String

  var name: String { "spoiling" }
  var strategies: [Strategy] {
    [
      Strategy(
        "run", summary: "", relationships: .withRows, storesSeveralEntities: true,
        .insert { [sql] setup, cell in
          let plain = Cell(scenario: cell.scenario, engine: "sqlite", strategy: "insert")
          return Session(session: try SQLiteEngine().openInsert(setup, plain), path: setup.path, sql: sql)
        })
    ]
  }

  final class Session: InsertSession {
    let session: any InsertSession
    let path: String
    let sql: String

    init(session: any InsertSession, path: String, sql: String) {
      (self.session, self.path, self.sql) = (session, path, sql)
    }

    func insert(_ rows: SourceRows) throws {
      try session.insert(rows)
      let connection = try Connection(path: path, access: .readWrite)
      try connection.execute(sql)
      try connection.close()
    }

    func checkpoint() throws { try session.checkpoint() }
    func pragma(_ name: String) throws -> String? { try session.pragma(name) }
    func close() throws { try session.close() }
  }
}

@Suite("D13 · samples whose stores break a rule", .tags(.d13))
struct BrokenRuleTests {
  private func takeSample(of shape: SampleStore.Shape, _ sql: String) throws {
    _ = try takeSamples(
      of: """
        scenario: replay
        source: {store: '\(SampleStore.own(shape).path)'}
        measure: {warm_up: 0}
        cells: [{engine: spoiling, strategy: run}]
        """, engines: [SpoilingEngine(sql: sql)])
  }

  @Test("Unchanged stored rows break no rule", arguments: [SampleStore.Shape.library, .journal, .sightings])
  func right(shape: SampleStore.Shape) throws {
    try takeSample(of: shape, "SELECT 1")
  }

  @Test(
    "Each broken rule fails the sample, and is named with its row",
    arguments: [
      (
        .library, "UPDATE ZPAGE SET ZBOOK = 999 WHERE Z_PK = 7", .keyLeadsToRow, "Page", "book", "Page/p7"
      ),
      (
        .library, "UPDATE ZPAGE SET Z1_BOOK = 3 - Z1_BOOK WHERE Z_PK = 7", .entityNumberOfKey, "Page", "book", "Page/p7"
      ),
      (
        .library, "UPDATE ZPAGE SET ZBOOK = NULL, Z1_BOOK = NULL WHERE Z_PK = 7", .requiredObject, "Page", "book",
        "Page/p7"
      ),
      (
        .journal, "UPDATE ZSYNCOBJECT SET ZCLOUDSTATE = NULL WHERE ZCLOUDSTATE = 7", .bothEnds, "CloudState",
        "syncObject", "CloudState/p7"
      ),
    ] as [(SampleStore.Shape, String, StoreIntegrity.Rule, String, String, String)])
  func broken(
    shape: SampleStore.Shape, sql: String, rule: StoreIntegrity.Rule, entity: String, relationship: String, row: String
  ) {
    let breach = StoreIntegrity.Breach(
      rule: rule, entity: entity, relationship: relationship, count: 1, examples: [row])
    #expect(throws: VerificationError.brokenRule(breach)) { try takeSample(of: shape, sql) }
  }

  @Test("Cells that leave out relationships may leave required ones empty")
  func withoutRelationships() throws {
    let cells = [
      "{strategy: batch-objects, relationships: none}", "{engine: sqlite, strategy: insert, relationships: none}",
    ]
    let samples = try takeSamples(
      of: """
        scenario: replay
        source: {store: '\(SampleStore.own(.library).path)'}
        measure: {warm_up: 0}
        cells: [\(cells.joined(separator: ", "))]
        """)
    #expect(samples.count == 2 && samples.allSatisfy { $0.contents.links == nil })
  }
}
